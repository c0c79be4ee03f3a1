#include <algorithm>
#include <vector>

#include "core/launch/mapping.h"
#include "kernels/measure/device/device_buffer.h"
#include "kernels/measure/mapping_readback.h"

namespace warplens {
namespace {

using Count = unsigned long long;  // what atomicAdd takes

/// What one thread saw of itself.
struct Record {
    std::uint16_t lane;
    std::uint16_t firstThread;
};

/// The law: a thread's lane and its warp's first thread follow from its rank.
WARPLENS_HOST_DEVICE constexpr bool agrees(Record seen, ThreadRank rank) {
    return LaneIndex{seen.lane} == laneIndex(rank) &&
           ThreadRank{seen.firstThread} == firstThreadOfWarp(warpRankInBlock(rank));
}

__global__ void reportMapping(Record* records, std::uint64_t room, Count* threads,
                              Count* mismatches) {
    const Extents block{blockDim.x, blockDim.y, blockDim.z};
    const ThreadRank rank = threadRankInBlock({threadIdx.x, threadIdx.y, threadIdx.z}, block);
    std::uint32_t hardwareLane = 0;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(hardwareLane));
    // All lanes are here together at the start of a kernel; lane 0 always exists.
    const std::uint32_t first = __shfl_sync(__activemask(), rank.value, 0);
    const Record seen{static_cast<std::uint16_t>(hardwareLane), static_cast<std::uint16_t>(first)};

    const std::uint64_t blockRank =
        blockRankInGrid({blockIdx.x, blockIdx.y, blockIdx.z}, {gridDim.x, gridDim.y, gridDim.z});
    const std::uint64_t at = blockRank * block.count() + rank.value;
    if (at < room) records[at] = seen;
    const int wrong = __syncthreads_count(!agrees(seen, rank));
    if (rank.value == 0) {
        atomicAdd(threads, block.count());
        if (wrong != 0) atomicAdd(mismatches, static_cast<Count>(wrong));
    }
}

constexpr std::uint64_t mostRecords = 1u << 22;

}  // namespace

MappingReadback readMappingBack(const Launch& launch) {
    const std::uint64_t room = std::min(launch.threadCount(), mostRecords);
    const DeviceBuffer records(room * sizeof(Record));
    const DeviceBuffer counts(2 * sizeof(Count));
    check(cudaMemsetAsync(records.as<>(), 0xff, records.bytes()), "cudaMemsetAsync");
    check(cudaMemsetAsync(counts.as<>(), 0, counts.bytes()), "cudaMemsetAsync");
    reportMapping<<<dim3(launch.grid.x, launch.grid.y, launch.grid.z),
                    dim3(launch.block.x, launch.block.y, launch.block.z)>>>(
        records.as<Record>(), room, counts.as<Count>(), counts.as<Count>() + 1);
    check(cudaGetLastError(), "reportMapping");

    Count totals[2] = {};
    check(cudaMemcpy(totals, counts.as<>(), sizeof totals, cudaMemcpyDeviceToHost), "cudaMemcpy");
    std::vector<Record> seen(room);
    check(cudaMemcpy(seen.data(), records.as<>(), records.bytes(), cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    MappingReadback result{.threads = totals[0], .mismatches = totals[1], .readBack = room};
    const std::uint64_t perBlock = launch.block.count();
    for (std::uint64_t i = 0; i < room; ++i) {
        const ThreadRank rank{static_cast<std::uint32_t>(i % perBlock)};
        result.mismatchesOnHost += !agrees(seen[i], rank);
    }
    return result;
}

}  // namespace warplens
