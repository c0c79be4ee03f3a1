#include "core/schedule/schedule.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "core/json/archive.h"
#include "core/measurement/measurement.h"
#include "core/text/format.h"

namespace warplens {
namespace {

/// What packing needs of a run.
struct Span {
    std::uint32_t group;
    std::uint64_t begin;
    std::uint64_t end;
};

/// The places of one group: which are free, and when the others will be.
class Places final {
  public:
    std::uint32_t take(const Span& span) {
        while (!busy_.empty() && busy_.begin()->first <= span.begin) {
            free_.insert(busy_.begin()->second);
            busy_.erase(busy_.begin());
        }
        if (free_.empty()) {
            free_.insert(count());
            turns_.push_back(0);
        }
        const std::uint32_t place = *free_.begin();
        free_.erase(free_.begin());
        busy_.emplace(span.end, place);
        return place;
    }
    [[nodiscard]] std::uint32_t nextTurn(std::uint32_t place) { return turns_[place]++; }
    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(turns_.size()); }

  private:
    std::set<std::uint32_t> free_;
    std::multimap<std::uint64_t, std::uint32_t> busy_;
    std::vector<std::uint32_t> turns_;
};

Packing pack(const std::vector<Span>& spans) {
    std::vector<std::size_t> order(spans.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return spans[i].begin; });
    Packing packing{std::vector<std::uint32_t>(spans.size()),
                    std::vector<std::uint32_t>(spans.size()), 0};
    std::map<std::uint32_t, Places> groups;
    for (const std::size_t i : order) {
        Places& places = groups[spans[i].group];
        packing.slots[i] = places.take(spans[i]);
        packing.turns[i] = places.nextTurn(packing.slots[i]);
        packing.slotCount = std::max(packing.slotCount, places.count());
    }
    return packing;
}

std::vector<std::uint64_t> columnOf(const std::vector<BlockRun>& runs, auto member) {
    std::vector<std::uint64_t> values(runs.size());
    std::ranges::transform(runs, values.begin(), member);
    return values;
}

std::vector<BlockRun> blocksOf(const std::vector<std::uint64_t>& sms,
                               const std::vector<std::uint64_t>& begins,
                               const std::vector<std::uint64_t>& ends, std::uint64_t launched) {
    if (sms.size() != begins.size() || sms.size() != ends.size()) {
        Archive::refuse("\"sm\", \"begin_ns\" and \"end_ns\" have " + std::to_string(sms.size()) +
                        ", " + std::to_string(begins.size()) + " and " +
                        std::to_string(ends.size()) + " entries: as many as each other");
    }
    if (sms.size() > launched) {
        Archive::refuse("sm", "has " + std::to_string(sms.size()) + " entries: at most " +
                                  std::to_string(launched) + ", the blocks launched");
    }
    std::vector<BlockRun> blocks;
    for (std::size_t i = 0; i < sms.size(); ++i) {
        if (ends[i] < begins[i]) {
            Archive::refuse("block " + std::to_string(i) + " ends at " + std::to_string(ends[i]) +
                            " ns: at least " + std::to_string(begins[i]) + ", where it begins");
        }
        blocks.push_back({static_cast<std::uint32_t>(sms[i]), begins[i], ends[i]});
    }
    return blocks;
}

void requireInOrder(const WarpRun& run) {
    const std::string said = "warp " + std::to_string(run.warp) + " of block " +
                             std::to_string(run.block) + " runs from " + std::to_string(run.begin) +
                             " to " + std::to_string(run.end) + " cycles: ";
    if (run.end < run.begin) Archive::refuse(said + "it ends before it begins");
    if (!std::ranges::is_sorted(run.waits) ||
        (!run.waits.empty() && (run.waits.front() < run.begin || run.waits.back() > run.end))) {
        Archive::refuse(said + "its waits lie outside, or do not rise");
    }
}

}  // namespace

void describe(Archive& v, WarpRun& run) {
    v("block", run.block, "Linear rank of its block in the grid.");
    v("warp", run.warp, "Its rank in the block.", {.most = 31});
    v("begin", run.begin, "In cycles of the SM since its first warp began.");
    v("end", run.end, "In the same cycles.");
    v("waits", run.waits,
      "Cycles at which it asked memory and was answered, in turn, for the first rounds of its "
      "loop.",
      {.entries = Schedule::mostStamps});
    if (v.reads()) requireInOrder(run);
}

void describe(Archive& v, Schedule& schedule) {
    v.type("schedule",
           "Which SM ran which block of the launch, and when. The lists of one run for each block "
           "go together.");
    v("launched_blocks", schedule.launchedBlocks, "Blocks of the grid.");
    v("multiprocessors", schedule.multiprocessors, "SMs of the device.", {.most = 1 << 20});
    v("moved_blocks", schedule.movedBlocks,
      "Recorded blocks that another SM ran when the launch was repeated.",
      {.most = Schedule::mostBlocks});
    v("clock_step_ns", schedule.clockStep,
      "Steps in which the blocks' clock was seen to advance, in nanoseconds.");
    auto sms = columnOf(schedule.blocks, &BlockRun::sm);
    auto begins = columnOf(schedule.blocks, &BlockRun::begin);
    auto ends = columnOf(schedule.blocks, &BlockRun::end);
    // %smid may exceed the number of SMs, but not by much.
    v("sm", sms,
      "Of each recorded block, the first of the grid in linear order: the SM that ran it.",
      {.most = UINT16_MAX, .entries = Schedule::mostBlocks});
    v("begin_ns", begins, "When it began, in nanoseconds since the first began.",
      {.entries = Schedule::mostBlocks});
    v("end_ns", ends, "When it ended.", {.entries = Schedule::mostBlocks});
    if (v.reads()) schedule.blocks = blocksOf(sms, begins, ends, schedule.launchedBlocks);
    v("followed_sm", schedule.followedSm, "The SM whose warps were followed.",
      {.most = UINT16_MAX});
    v("warps", schedule.warps, "Its first warps, in the order in which they began.",
      {.entries = Schedule::mostWarps});
}

Packing packBlocks(const Schedule& schedule) {
    std::vector<Span> spans;
    for (const BlockRun& run : schedule.blocks) spans.push_back({run.sm, run.begin, run.end});
    return pack(spans);
}

Packing packWarps(const Schedule& schedule) {
    std::vector<Span> spans;
    for (const WarpRun& run : schedule.warps) spans.push_back({0, run.begin, run.end});
    return pack(spans);
}

ScheduleSummary summaryOf(const Schedule& schedule) {
    struct Sm {
        std::uint64_t blocks = 0;
        std::uint64_t end = 0;
    };
    ScheduleSummary summary;
    if (schedule.blocks.empty()) return summary;
    std::map<std::uint32_t, Sm> sms;
    for (const BlockRun& run : schedule.blocks) {
        Sm& sm = sms[run.sm];
        ++sm.blocks;
        sm.end = std::max(sm.end, run.end);
        summary.duration = std::max(summary.duration, run.end);
    }
    std::uint64_t latest = 0;
    for (const BlockRun& run : schedule.blocks) {
        summary.beganBeforeLower += run.begin < latest;
        latest = std::max(latest, run.begin);
    }
    summary.multiprocessorsUsed = static_cast<std::uint32_t>(sms.size());
    summary.fewestBlocks = UINT64_MAX;
    summary.firstIdle = UINT64_MAX;
    for (const auto& [id, sm] : sms) {
        summary.fewestBlocks = std::min(summary.fewestBlocks, sm.blocks);
        summary.mostBlocks = std::max(summary.mostBlocks, sm.blocks);
        summary.firstIdle = std::min(summary.firstIdle, sm.end);
    }
    // An SM without any block was idle from the start.
    if (sms.size() < schedule.multiprocessors) summary.firstIdle = 0;
    summary.mostAtOnce = packBlocks(schedule).slotCount;
    return summary;
}

std::string overlapInWords(const Schedule& schedule) {
    std::map<std::uint64_t, BlockRun> blocks;
    std::uint32_t warpsPerBlock = 0;
    for (const WarpRun& warp : schedule.warps) {
        const auto [at, isNew] = blocks.try_emplace(warp.block, BlockRun{0, warp.begin, warp.end});
        at->second.begin = std::min(at->second.begin, warp.begin);
        at->second.end = std::max(at->second.end, warp.end);
        warpsPerBlock = std::max(warpsPerBlock, warp.warp + 1);
    }
    Schedule followed;
    for (const auto& [rank, run] : blocks) followed.blocks.push_back(run);
    const std::uint32_t blocksAtOnce = packBlocks(followed).slotCount;
    const std::uint32_t warpsAtOnce = packWarps(schedule).slotCount;
    if (blocksAtOnce * warpsPerBlock <= warpsAtOnce) return {};
    return "Blocks overlap in " + std::to_string(warpsAtOnce) +
           " places for warps: new ones take those of ended warps";
}

std::vector<std::string> inWords(const Schedule& schedule) {
    const ScheduleSummary summary = summaryOf(schedule);
    const auto seconds = [](std::uint64_t nanoseconds) {
        return formatNumber(1e-9 * static_cast<double>(nanoseconds), Unit::seconds);
    };
    const std::uint64_t blocks = schedule.blocks.size();
    std::vector<std::string> lines;
    if (blocks == 0) return lines;
    if (blocks < schedule.launchedBlocks) {
        lines.push_back("The first " + groupedDigits(blocks) + " of " +
                        counted(schedule.launchedBlocks, "block"));
    }
    lines.push_back(std::to_string(summary.multiprocessorsUsed) + " of " +
                    counted(schedule.multiprocessors, "SM") + " ran " +
                    (summary.fewestBlocks == summary.mostBlocks
                         ? counted(summary.mostBlocks, "block")
                         : groupedDigits(summary.fewestBlocks) + " to " +
                               counted(summary.mostBlocks, "block")) +
                    (summary.multiprocessorsUsed > 1 ? " each" : "") + ", at most " +
                    std::to_string(summary.mostAtOnce) + " at once");
    if (std::string overlap = overlapInWords(schedule); !overlap.empty()) {
        lines.push_back(std::move(overlap));
    }
    lines.push_back(groupedDigits(schedule.movedBlocks) + " of " + counted(blocks, "block") +
                    " ran on another SM when the launch was repeated");
    lines.push_back(groupedDigits(summary.beganBeforeLower) + " of " + counted(blocks, "block") +
                    " began before one of lower number");
    if (summary.multiprocessorsUsed == schedule.multiprocessors &&
        blocks == schedule.launchedBlocks) {
        lines.push_back("After " + seconds(summary.firstIdle) + " of " + seconds(summary.duration) +
                        " the first SM had nothing left to run");
    }
    return lines;
}

bool aboutWaits(const Schedule& schedule) {
    const bool waits = std::ranges::any_of(schedule.warps,
                                           [](const WarpRun& warp) { return !warp.waits.empty(); });
    return waits && std::ranges::all_of(packBlocks(schedule).turns,
                                        [](std::uint32_t turn) { return turn == 0; });
}

double busyShare(const Schedule& schedule) {
    struct Change {
        std::uint64_t time;
        int working;
    };
    std::vector<Change> changes;
    std::uint64_t end = UINT64_MAX;
    for (const WarpRun& warp : schedule.warps) {
        if (warp.waits.size() < 2) continue;
        end = std::min(end, warp.waits.back());
        changes.push_back({warp.begin, 1});
        for (std::size_t i = 0; i + 1 < warp.waits.size(); i += 2) {
            changes.push_back({warp.waits[i], -1});
            changes.push_back({warp.waits[i + 1], 1});
        }
    }
    if (changes.empty()) return 0;
    std::ranges::sort(changes, {}, &Change::time);
    const std::uint64_t begin = changes.front().time;
    std::uint64_t busy = 0;
    int working = 0;
    for (std::size_t i = 0; i < changes.size() && changes[i].time < end; ++i) {
        working += changes[i].working;
        const std::uint64_t next =
            i + 1 < changes.size() ? std::min(changes[i + 1].time, end) : end;
        if (working > 0) busy += next - changes[i].time;
    }
    return end <= begin ? 0 : static_cast<double>(busy) / static_cast<double>(end - begin);
}

std::vector<std::string> warpsInWords(const Schedule& schedule) {
    double waiting = 0;
    std::size_t warps = 0;
    for (const WarpRun& warp : schedule.warps) {
        if (warp.waits.size() < 2) continue;
        waiting += waitingShare(warp);
        ++warps;
    }
    if (warps == 0) return {};
    const std::uint32_t places = packWarps(schedule).slotCount;
    return {"A warp waits for memory " +
                formatNumber(100 * waiting / static_cast<double>(warps), Unit::percent) +
                " of its time",
            std::to_string(places) + (places == 1 ? " warp shares" : " warps share") +
                " the SM, and at least one of them works " +
                formatNumber(100 * busyShare(schedule), Unit::percent) + " of the time"};
}

double waitingShare(const WarpRun& warp) {
    if (warp.waits.size() < 2) return 0;
    std::uint64_t waited = 0;
    for (std::size_t i = 0; i + 1 < warp.waits.size(); i += 2) {
        waited += warp.waits[i + 1] - warp.waits[i];
    }
    const std::size_t last = warp.waits.size() / 2 * 2 - 1;
    const std::uint64_t whole = warp.waits[last] - warp.begin;
    return whole == 0 ? 0 : static_cast<double>(waited) / static_cast<double>(whole);
}

}  // namespace warplens
