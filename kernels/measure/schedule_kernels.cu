#include <algorithm>
#include <numeric>

#include "kernels/measure/device_parameters.h"
#include "kernels/measure/schedule_dialect.cuh"
#include "kernels/bodies/kernel_id.h"

namespace warplens {
namespace scheduled_bodies {

#include "kernels/bodies/all.inl"
#include "kernels/bodies/bind.inl"

struct RunOnDevice {
    const Launch& launch;
    schedule::Records records;
    int& residentBlocks;
    template <auto function, class... Parameter>
    void operator()(Body<function>, Parameter... parameter) const {
        const dim3 grid(launch.grid.x, launch.grid.y, launch.grid.z);
        const dim3 block(launch.block.x, launch.block.y, launch.block.z);
        const auto kernel = schedule::scheduled<function, Parameter...>;
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&residentBlocks, kernel,
                                                            static_cast<int>(launch.block.count()),
                                                            launch.dynamicSharedBytes),
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
        kernel<<<grid, block, launch.dynamicSharedBytes>>>(records, parameter...);
    }
};

}  // namespace scheduled_bodies

namespace {

using schedule::WarpRecord;

constexpr std::uint64_t mostStampedWarps = 1 << 16;  // 32 MiB of stamps

/// One launch's records, of the first blocks of its grid.
class Recording final {
  public:
    explicit Recording(const Launch& launch)
        : warpsPerBlock_(warpCountPerBlock(launch.block)),
          blocks_(std::min<std::uint64_t>(launch.grid.count(), Schedule::mostBlocks)),
          warps_(blocks_ * warpsPerBlock_ * sizeof(WarpRecord)),
          stamped_(std::min(blocks_ * warpsPerBlock_, mostStampedWarps)),
          stamps_(stamped_ * schedule::mostStamps * sizeof(std::uint64_t)) {}

    [[nodiscard]] schedule::Records room() const {
        return {warps_.as<WarpRecord>(), blocks_ * warpsPerBlock_, stamps_.as<std::uint64_t>(),
                stamped_};
    }
    void readBack() {
        records_.resize(blocks_ * warpsPerBlock_);
        check(cudaMemcpy(records_.data(), warps_.as<>(), warps_.bytes(), cudaMemcpyDeviceToHost),
              "cudaMemcpy");
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
    check(cudaMemcpy(stamps.data(), stamps_.as<std::uint64_t>() + record * schedule::mostStamps,
                     stamps.size() * sizeof(std::uint64_t), cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    std::vector<std::uint64_t> waits;
    for (std::size_t i = 0; i + 1 < stamps.size(); ++i) {
        if ((stamps[i] & 1) == schedule::asked && (stamps[i + 1] & 1) == schedule::answered) {
            waits.push_back((stamps[i] >> 1) - first);
            waits.push_back((stamps[i + 1] >> 1) - first);
        }
    }
    return waits;
}

static_assert(schedule::mostStamps == Schedule::mostStamps);

}  // namespace

Schedule BoundKernel::schedule(std::uint32_t multiprocessors,
                               std::vector<std::string>& notes) const {
    int resident = 0;
    const auto launchInto = [&](Recording& recording) {
        scheduled_bodies::bindKernel(
            kernelIdOf(kernel_), DeviceParameters{*this},
            scheduled_bodies::RunOnDevice{experiment_.launch, recording.room(), resident});
        check(cudaGetLastError(), "launch of the time-stamping kernel");
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
