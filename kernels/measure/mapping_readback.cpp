#include "kernels/measure/mapping_readback.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/launch/mapping.h"
#include "kernels/measure/device/device_buffer.h"
#include "kernels/measure/device/device_kernels.h"

namespace warplens {
namespace {

/// What one thread saw of itself, as device_kernels.cu writes it.
struct MappingRecord final {
    std::uint16_t lane = 0;
    std::uint16_t firstThread = 0;
};

/// The law: a thread's lane and its warp's first thread follow from its rank.
bool agrees(MappingRecord seen, ThreadRank rank) {
    return LaneIndex{seen.lane} == laneIndex(rank) &&
           ThreadRank{seen.firstThread} == firstThreadOfWarp(warpRankInBlock(rank));
}

constexpr std::uint64_t mostRecords = 1u << 22;

}  // namespace

MappingReadback readMappingBack(const Launch& launch) {
    const std::uint64_t room = std::min(launch.threadCount(), mostRecords);
    const DeviceBuffer records(room * sizeof(MappingRecord));
    const DeviceBuffer counts(2 * sizeof(std::uint64_t));
    records.fill(0xff);
    counts.fill(0);
    launchKernel(deviceKernel("reportMapping"), {.grid = launch.grid, .block = launch.block},
                 records.address(), room, counts.address(),
                 counts.address() + sizeof(std::uint64_t));

    std::array<std::uint64_t, 2> totals{};
    counts.read(totals.data(), totals.size());
    std::vector<MappingRecord> seen(room);
    records.read(seen.data(), seen.size());
    MappingReadback result{.threads = totals[0], .mismatches = totals[1], .readBack = room};
    const auto perBlock = static_cast<std::uint32_t>(launch.block.count());
    std::uint32_t rank = 0;
    for (const MappingRecord& record : seen) {
        result.mismatchesOnHost += !agrees(record, ThreadRank{rank});
        if (++rank == perBlock) rank = 0;
    }
    return result;
}

}  // namespace warplens
