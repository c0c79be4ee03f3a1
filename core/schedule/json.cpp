#include "core/schedule/json.h"

#include <algorithm>

namespace warplens::json_reader {
namespace {

template <class Runs, class Member>
Json column(const Runs& runs, Member member) {
    Json values = Json::array();
    for (const auto& run : runs) values.push_back(run.*member);
    return values;
}

void readBlocks(const Json& tree, Schedule& schedule) {
    // %smid may exceed the number of SMs, but not by much.
    const auto sms = counts(tree, "sm", Schedule::mostBlocks, UINT16_MAX);
    const auto begins = counts(tree, "begin_ns", Schedule::mostBlocks);
    const auto ends = counts(tree, "end_ns", Schedule::mostBlocks);
    if (sms.size() != begins.size() || sms.size() != ends.size()) {
        throw MalformedJson("\"sm\", \"begin_ns\" and \"end_ns\" have " +
                            std::to_string(sms.size()) + ", " + std::to_string(begins.size()) +
                            " and " + std::to_string(ends.size()) +
                            " entries: as many as each other");
    }
    if (sms.size() > schedule.launchedBlocks) {
        refuse("sm", "has " + std::to_string(sms.size()) + " entries: at most " +
                         std::to_string(schedule.launchedBlocks) + ", the blocks launched");
    }
    for (std::size_t i = 0; i < sms.size(); ++i) {
        if (ends[i] < begins[i]) {
            throw MalformedJson("block " + std::to_string(i) + " ends at " +
                                std::to_string(ends[i]) + " ns: at least " +
                                std::to_string(begins[i]) + ", where it begins");
        }
        schedule.blocks.push_back({static_cast<std::uint32_t>(sms[i]), begins[i], ends[i]});
    }
}

WarpRun warpOf(const Json& tree) {
    WarpRun run{count(tree, "block"), count<std::uint32_t>(tree, "warp", 31), count(tree, "begin"),
                count(tree, "end"), counts(tree, "waits", Schedule::mostStamps)};
    const std::string said = "warp " + std::to_string(run.warp) + " of block " +
                             std::to_string(run.block) + " runs from " + std::to_string(run.begin) +
                             " to " + std::to_string(run.end) + " cycles: ";
    if (run.end < run.begin) throw MalformedJson(said + "it ends before it begins");
    if (!std::ranges::is_sorted(run.waits) ||
        (!run.waits.empty() && (run.waits.front() < run.begin || run.waits.back() > run.end))) {
        throw MalformedJson(said + "its waits lie outside, or do not rise");
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
    Schedule schedule{.launchedBlocks = count(tree, "launched_blocks"),
                      .multiprocessors = count<std::uint32_t>(tree, "multiprocessors", 1 << 20),
                      .blocks = {},
                      .movedBlocks = count(tree, "moved_blocks", Schedule::mostBlocks),
                      .clockStep = count(tree, "clock_step_ns"),
                      .followedSm = count<std::uint32_t>(tree, "followed_sm", UINT16_MAX),
                      .warps = {}};
    readBlocks(tree, schedule);
    for (const Json& warp : list(tree, "warps", Schedule::mostWarps)) {
        schedule.warps.push_back(warpOf(warp));
    }
    return schedule;
}

}  // namespace warplens::json_reader
