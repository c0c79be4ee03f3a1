#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "core/access/warp_access.h"
#include "core/launch/mapping.h"

/// The bodies' words for counting on the device without any rights: every subscript of an array and
/// every marked branch is counted for its warp, by the lanes that the program's structure says are
/// there. `__activemask` cannot say that (CUDA Programming Guide, "Warp Vote Functions"): the mask
/// is passed down through the branches instead.
namespace warplens::probe {

inline constexpr int mostArrays = 6;
inline constexpr int mostBranches = 4;
inline constexpr int mostWarps = 32;

using Count = unsigned long long;  // what atomicAdd takes

/// Mirrors AccessTally and BranchTally (core/access/tally.h).
struct Accesses {
    Count requests, sectors, idealSectors, uniqueBytes, requestedBytes;
};
struct Branches {
    Count executed, divergent, lanes, takenLanes;
};
struct Tally {
    Accesses loads[mostArrays];
    Accesses stores[mostArrays];
    Branches branches[mostBranches];
};
inline constexpr int tallyCounts = sizeof(Tally) / sizeof(Count);

/// What the host hands to a probed kernel.
struct Context {
    Tally* total;
    std::uint32_t branchIds[mostBranches];
};

/// A branch's name as a number: 32-bit FNV-1a.
constexpr std::uint32_t branchId(std::string_view name) {
    std::uint32_t hash = 2166136261u;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return hash;
}

#ifdef __CUDACC__

/// One tally for each warp of the block, added to the total when the warp ends.
__shared__ Tally warpTally[mostWarps];
/// For each thread: the lanes that are where it is.
__shared__ std::uint32_t laneMask[1024];
__shared__ Context context;

__device__ inline std::uint32_t threadRank() {
    return threadRankInBlock({threadIdx.x, threadIdx.y, threadIdx.z},
                             {blockDim.x, blockDim.y, blockDim.z})
        .value;
}
__device__ inline std::uint32_t lane() {
    return threadRank() % lanesPerWarp;
}
__device__ inline Tally& tallyOfWarp() {
    return warpTally[threadRank() / lanesPerWarp];
}

/// How many different keys the lanes of `mask` hold.
__device__ inline std::uint32_t distinct(std::uint32_t mask, std::uint64_t key) {
    const std::uint32_t peers = __match_any_sync(mask, key);
    return __popc(__ballot_sync(mask, lane() == __ffs(peers) - 1));
}

__device__ inline void count(Accesses (&arrays)[mostArrays], int array, const void* address,
                             std::uint32_t bytes) {
    const std::uint32_t mask = laneMask[threadRank()];
    const auto at = reinterpret_cast<std::uint64_t>(address);
    const std::uint32_t sectors = distinct(mask, at / bytesPerSector);
    const std::uint32_t unique = distinct(mask, at) * bytes;
    if (lane() != __ffs(mask) - 1) return;
    const std::uint32_t requested = __popc(mask) * bytes;
    Accesses& tally = arrays[array];
    atomicAdd(&tally.requests, 1);
    atomicAdd(&tally.sectors, sectors);
    atomicAdd(&tally.idealSectors, (requested + bytesPerSector - 1) / bytesPerSector);
    atomicAdd(&tally.uniqueBytes, unique);
    atomicAdd(&tally.requestedBytes, requested);
}

/// Stands for a kernel's `T*`.
template <class T>
struct Array {
    struct Element {
        T* address;
        int array;
        __device__ Element& operator=(T value) {
            count(tallyOfWarp().stores, array, address, sizeof(T));
            *address = value;
            return *this;
        }
    };
    T* data;
    int array;
    template <class Index>
    __device__ Element operator[](Index i) const {
        return {data + i, array};
    }
};

template <class T>
struct Array<const T> {
    const T* data;
    int array;
    template <class Index>
    __device__ T operator[](Index i) const {
        count(tallyOfWarp().loads, array, data + i, sizeof(T));
        return data[i];
    }
};

/// A marked branch: while it lives, each arm's lanes see only themselves.
struct Branch {
    bool taken;
    std::uint32_t outer;

    __device__ Branch(std::uint32_t id, bool condition)
        : taken(condition), outer(laneMask[threadRank()]) {
        const std::uint32_t takenMask = __ballot_sync(outer, condition);
        laneMask[threadRank()] = condition ? takenMask : outer & ~takenMask;
        if (lane() != __ffs(outer) - 1) return;
        int branch = 0;
        while (branch + 1 < mostBranches && context.branchIds[branch] != id) ++branch;
        Branches& tally = tallyOfWarp().branches[branch];
        atomicAdd(&tally.executed, 1);
        atomicAdd(&tally.divergent, takenMask != 0 && takenMask != outer);
        atomicAdd(&tally.lanes, __popc(outer));
        atomicAdd(&tally.takenLanes, __popc(takenMask));
    }
    __device__ ~Branch() {
        __syncwarp(outer);
        laneMask[threadRank()] = outer;
    }
    __device__ explicit operator bool() const { return taken; }
};

/// Runs `body` with the probe around it.
template <auto body, class... Parameter>
__global__ void probed(Context handed, Parameter... parameter) {
    const std::uint32_t rank = threadRank();
    const std::uint32_t threads = blockDim.x * blockDim.y * blockDim.z;
    const std::uint32_t first = rank - rank % lanesPerWarp;
    const std::uint32_t inWarp = min(lanesPerWarp, threads - first);
    const std::uint32_t mask = inWarp == lanesPerWarp ? ~0u : (1u << inWarp) - 1;
    laneMask[rank] = mask;
    if (rank == 0) context = handed;
    auto* counts = reinterpret_cast<Count*>(&tallyOfWarp());
    for (int i = lane(); i < tallyCounts; i += inWarp) counts[i] = 0;
    __syncthreads();

    body(parameter...);

    __syncwarp(mask);
    auto* total = reinterpret_cast<Count*>(context.total);
    for (int i = lane(); i < tallyCounts; i += inWarp) {
        if (counts[i] != 0) atomicAdd(&total[i], counts[i]);
    }
}

#endif  // __CUDACC__

}  // namespace warplens::probe

#define KERNEL static __device__ void
#define ARRAY(...) warplens::probe::Array<__VA_ARGS__>
// The id is a template argument so that it is computed while compiling: run on the device,
// branchId (a host function) would have no defined meaning.
#define BRANCH(name, ...)                                                                        \
    warplens::probe::Branch name {                                                               \
        std::integral_constant<std::uint32_t, warplens::probe::branchId(#name)>{}, (__VA_ARGS__) \
    }
