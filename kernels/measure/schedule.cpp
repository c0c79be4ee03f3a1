#include "core/schedule/schedule.h"

#include <algorithm>
#include <numeric>

#include "core/launch/mapping.h"
#include "kernels/measure/bound_kernel.h"
#include "kernels/measure/schedule_records.h"

namespace warplens {
namespace {

constexpr std::uint64_t mostStampedWarps = 1 << 16;  // 32 MiB of stamps

/// One launch's records, of the first blocks of its grid.
class Recording final {
  public:
    explicit Recording(const Launch& launch)
        : warpsPerBlock_(warpCountPerBlock(launch.block)),
          blocks_(std::min<std::uint64_t>(launch.grid.count(), Schedule::mostBlocks)),
          warps_(blocks_ * warpsPerBlock_ * sizeof(WarpRecord)),
          stamped_(std::min(blocks_ * warpsPerBlock_, mostStampedWarps)),
          stamps_(stamped_ * Schedule::mostStamps * sizeof(std::uint64_t)) {}

    [[nodiscard]] ScheduleRecords room() const {
        return {warps_.address(), blocks_ * warpsPerBlock_, stamps_.address(), stamped_};
    }
    void readBack() {
        records_.resize(blocks_ * warpsPerBlock_);
        warps_.read(records_.data(), records_.size());
    }

    [[nodiscard]] std::vector<BlockRun> blocks() const;
    [[nodiscard]] std::uint64_t clockStep() const;
    [[nodiscard]] std::uint32_t smOf(std::uint64_t block) const {
        return records_[block * warpsPerBlock_].sm;
    }
    [[nodiscard]] std::vector<WarpRun> warpsOf(std::uint32_t sm) const;

  private:
    [[nodiscard]] std::vector<std::uint64_t> waitsOf(std::uint64_t record,
                                                     std::uint64_t first) const;

    std::uint64_t warpsPerBlock_;
    std::uint64_t blocks_;
    DeviceBuffer warps_;
    std::uint64_t stamped_;
    DeviceBuffer stamps_;
    std::vector<WarpRecord> records_;
};

std::vector<BlockRun> Recording::blocks() const {
    const std::uint64_t first = std::ranges::min(records_, {}, &WarpRecord::begin).begin;
    std::vector<BlockRun> runs;
    for (std::uint64_t block = 0; block < blocks_; ++block) {
        const std::span warps(records_.data() + block * warpsPerBlock_, warpsPerBlock_);
        runs.push_back({warps.front().sm,
                        std::ranges::min(warps, {}, &WarpRecord::begin).begin - first,
                        std::ranges::max(warps, {}, &WarpRecord::end).end - first});
    }
    return runs;
}

/// The least by which two of the times read differ.
std::uint64_t Recording::clockStep() const {
    std::vector<std::uint64_t> times;
    for (const WarpRecord& record : records_) {
        times.push_back(record.begin);
        times.push_back(record.end);
    }
    std::ranges::sort(times);
    std::uint64_t step = 0;
    for (std::size_t i = 1; i < times.size(); ++i) {
        const std::uint64_t difference = times[i] - times[i - 1];
        if (difference != 0 && (step == 0 || difference < step)) step = difference;
    }
    return step;
}

std::vector<WarpRun> Recording::warpsOf(std::uint32_t sm) const {
    std::vector<std::uint64_t> mine;
    for (std::uint64_t i = 0; i < records_.size(); ++i) {
        if (records_[i].sm == sm) mine.push_back(i);
    }
    std::ranges::stable_sort(mine, {}, [&](std::uint64_t i) { return records_[i].beginCycle; });
    if (mine.size() > Schedule::mostWarps) mine.resize(Schedule::mostWarps);
    std::vector<WarpRun> runs;
    for (const std::uint64_t i : mine) {
        const std::uint64_t first = records_[mine.front()].beginCycle;
        runs.push_back({i / warpsPerBlock_, static_cast<std::uint32_t>(i % warpsPerBlock_),
                        records_[i].beginCycle - first, records_[i].endCycle - first,
                        waitsOf(i, first)});
    }
    return runs;
}

/// Pairs of asked and answered; a round that marks no answer leaves none.
std::vector<std::uint64_t> Recording::waitsOf(std::uint64_t record, std::uint64_t first) const {
    std::vector<std::uint64_t> stamps(records_[record].stamps);
    if (stamps.empty()) return stamps;
    stamps_.read(stamps.data(), stamps.size(), record * Schedule::mostStamps);
    std::vector<std::uint64_t> waits;
    for (std::size_t i = 0; i + 1 < stamps.size(); ++i) {
        if ((stamps[i] & 1) == stampAsked && (stamps[i + 1] & 1) == stampAnswered) {
            waits.push_back((stamps[i] >> 1) - first);
            waits.push_back((stamps[i + 1] >> 1) - first);
        }
    }
    return waits;
}

static_assert(Schedule::mostStamps == 64, "as in schedule_stamps.cu");

}  // namespace

Schedule BoundKernel::schedule(std::uint32_t multiprocessors,
                               std::vector<std::string>& notes) const {
    CUfunction const stamping = loaded_.scheduled();
    allowSharedMemory(stamping, experiment_.launch);
    const int resident = residentBlocksOf(stamping, experiment_.launch);
    const auto launchInto = [&](Recording& recording) {
        std::vector<std::byte> records;
        appendParameter(records, recording.room());
        launch(stamping, records);
        recording.readBack();
    };
    // The first launch also warms up: the second is the one shown.
    Recording before(experiment_.launch);
    launchInto(before);
    Recording shown(experiment_.launch);
    launchInto(shown);

    if (resident != residentBlocks()) {
        notes.push_back("schedule: with time stamps " + std::to_string(resident) +
                        " blocks fit an SM at once, without " + std::to_string(residentBlocks()));
    }
    Schedule schedule{.launchedBlocks = experiment_.launch.grid.count(),
                      .multiprocessors = multiprocessors,
                      .blocks = shown.blocks(),
                      .movedBlocks = 0,
                      .clockStep = shown.clockStep(),
                      .followedSm = shown.smOf(0),
                      .warps = shown.warpsOf(shown.smOf(0))};
    for (std::uint64_t block = 0; block < schedule.blocks.size(); ++block) {
        schedule.movedBlocks += shown.smOf(block) != before.smOf(block);
    }
    return schedule;
}

}  // namespace warplens
