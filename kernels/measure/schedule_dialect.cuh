#pragma once

#include <cstdint>

#include "core/launch/mapping.h"
#include "kernels/measure/plain_dialect.cuh"
#include "kernels/measure/schedule_records.h"

/// The bodies' words for recording when each warp ran and waited. Everything is as in the plain
/// dialect but ROUND and ARRIVED, which take time stamps.
namespace warplens::schedule {

/// Cleared as a warp begins; one entry for each warp of the block.
__shared__ std::uint32_t stampCount[mostWarps];
/// Null for a warp beyond the room for stamps.
__shared__ std::uint64_t* stampsOfWarp[mostWarps];
/// What an arrived value is stored to, so that the clock is read after it is there.
__shared__ volatile std::uint32_t arrivals[mostWarps];

__device__ inline std::uint32_t threadRank() {
    return threadRankInBlock({threadIdx.x, threadIdx.y, threadIdx.z},
                             {blockDim.x, blockDim.y, blockDim.z})
        .value;
}
/// One for all SMs.
__device__ inline std::uint64_t nanoseconds() {
    std::uint64_t time = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time)::"memory");
    return time;
}
/// The SM's own.
__device__ inline std::uint64_t cycles() {
    std::uint64_t time = 0;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(time)::"memory");
    return time;
}
__device__ inline std::uint32_t multiprocessor() {
    std::uint32_t id = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    return id;
}

/// Whether this is the lowest of the lanes that are here together.
__device__ inline bool leads(std::uint32_t rank) {
    return rank % lanesPerWarp == __ffs(__activemask()) - 1;
}
/// Taken by the lane that leads.
__device__ inline void stamp(std::uint64_t what) {
    const std::uint32_t rank = threadRank();
    const std::uint64_t now = cycles();
    if (!leads(rank)) return;
    const std::uint32_t warp = rank / lanesPerWarp;
    std::uint64_t* const stamps = stampsOfWarp[warp];
    if (stamps != nullptr && stampCount[warp] < mostStamps) stamps[stampCount[warp]++] = now << 1 | what;
}
/// The lane that leads stores it; a warp's instruction waits until its operand is there for every
/// lane.
__device__ inline void arrived(float value) {
    const std::uint32_t rank = threadRank();
    if (leads(rank)) arrivals[rank / lanesPerWarp] = __float_as_uint(value);
    stamp(answered);
}

/// Runs `body` with a record for its warp around it.
template <auto body, class... Parameter>
__global__ void scheduled(Records records, Parameter... parameter) {
    const std::uint32_t rank = threadRank();
    const std::uint32_t warp = rank / lanesPerWarp;
    const std::uint32_t threads = blockDim.x * blockDim.y * blockDim.z;
    const std::uint64_t block =
        blockRankInGrid({blockIdx.x, blockIdx.y, blockIdx.z}, {gridDim.x, gridDim.y, gridDim.z});
    const std::uint64_t at = block * ((threads + lanesPerWarp - 1) / lanesPerWarp) + warp;
    const std::uint32_t inWarp = min(lanesPerWarp, threads - warp * lanesPerWarp);
    const std::uint32_t mask = inWarp == lanesPerWarp ? ~0u : (1u << inWarp) - 1;
    if (rank % lanesPerWarp == 0) {
        stampCount[warp] = 0;
        stampsOfWarp[warp] = at < records.stampRoom ? records.stamps + at * mostStamps : nullptr;
    }
    __syncwarp(mask);
    WarpRecord record{multiprocessor(), 0, nanoseconds(), 0, cycles(), 0};

    body(parameter...);

    __syncwarp(mask);
    if (rank % lanesPerWarp != 0 || at >= records.room) return;
    record.endCycle = cycles();
    record.end = nanoseconds();
    record.stamps = at < records.stampRoom ? stampCount[warp] : 0;
    records.warps[at] = record;
}

}  // namespace warplens::schedule

#undef KERNEL
#undef ROUND
#undef ARRIVED
#define KERNEL static __device__ void
#define ROUND(variable) warplens::schedule::stamp(warplens::schedule::asked)
#define ARRIVED(value) warplens::schedule::arrived(value)
