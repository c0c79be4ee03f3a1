#include "core/schedule/json.h"

#include <algorithm>

namespace warplens::json_reader {
namespace {

std::vector<std::uint64_t> counts(const Json& tree, const char* name, std::size_t most) {
    std::vector<std::uint64_t> values;
    for (const Json& entry : list(tree, name, most)) {
        const std::int64_t value = integer(entry, name);
        if (value < 0) throw MalformedJson(std::string("\"") + name + "\" holds a negative time");
        values.push_back(static_cast<std::uint64_t>(value));
    }
    return values;
}

template <class Runs, class Member>
Json column(const Runs& runs, Member member) {
    Json values = Json::array();
    for (const auto& run : runs) values.push_back(run.*member);
    return values;
}

void readBlocks(const Json& tree, Schedule& schedule) {
    const auto sms = counts(tree, "sm", Schedule::mostBlocks);
    const auto begins = counts(tree, "begin_ns", Schedule::mostBlocks);
    const auto ends = counts(tree, "end_ns", Schedule::mostBlocks);
    if (sms.size() != begins.size() || sms.size() != ends.size()) {
        throw MalformedJson("the schedule's lists of blocks differ in length");
    }
    if (sms.size() > schedule.launchedBlocks) {
        throw MalformedJson("the schedule has more blocks than were launched");
    }
    for (std::size_t i = 0; i < sms.size(); ++i) {
        if (ends[i] < begins[i]) throw MalformedJson("a block ends before it begins");
        // %smid may exceed the number of SMs, but not by much.
        if (sms[i] > UINT16_MAX) {
            throw MalformedJson("\"sm\" = " + std::to_string(sms[i]) + ": from 0 to " +
                                std::to_string(UINT16_MAX));
        }
        schedule.blocks.push_back({static_cast<std::uint32_t>(sms[i]), begins[i], ends[i]});
    }
}

WarpRun warpOf(const Json& tree) {
    WarpRun run{count(tree, "block"), static_cast<std::uint32_t>(count(tree, "warp", 31)),
                count(tree, "begin"), count(tree, "end"),
                counts(tree, "waits", Schedule::mostStamps)};
    if (run.end < run.begin) throw MalformedJson("a warp ends before it begins");
    if (!std::ranges::is_sorted(run.waits) ||
        (!run.waits.empty() && (run.waits.front() < run.begin || run.waits.back() > run.end))) {
        throw MalformedJson("a warp's waits lie outside its time");
    }
    return run;
}

}  // namespace

Json treeOf(const Schedule& schedule) {
    Json warps = Json::array();
    for (const WarpRun& run : schedule.warps) {
        warps.push_back({{"block", run.block},
                         {"warp", run.warp},
                         {"begin", run.begin},
                         {"end", run.end},
                         {"waits", run.waits}});
    }
    return {{"launched_blocks", schedule.launchedBlocks},
            {"multiprocessors", schedule.multiprocessors},
            {"moved_blocks", schedule.movedBlocks},
            {"clock_step_ns", schedule.clockStep},
            {"sm", column(schedule.blocks, &BlockRun::sm)},
            {"begin_ns", column(schedule.blocks, &BlockRun::begin)},
            {"end_ns", column(schedule.blocks, &BlockRun::end)},
            {"followed_sm", schedule.followedSm},
            {"warps", std::move(warps)}};
}

Schedule scheduleOf(const Json& tree) {
    Schedule schedule{
        .launchedBlocks = count(tree, "launched_blocks"),
        .multiprocessors = static_cast<std::uint32_t>(count(tree, "multiprocessors", 1 << 20)),
        .blocks = {},
        .movedBlocks = count(tree, "moved_blocks", Schedule::mostBlocks),
        .clockStep = count(tree, "clock_step_ns"),
        .followedSm = static_cast<std::uint32_t>(count(tree, "followed_sm", UINT16_MAX)),
        .warps = {}};
    readBlocks(tree, schedule);
    for (const Json& warp : list(tree, "warps", Schedule::mostWarps)) {
        schedule.warps.push_back(warpOf(warp));
    }
    return schedule;
}

}  // namespace warplens::json_reader
