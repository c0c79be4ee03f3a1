#pragma once

#include <cstdint>
#include <type_traits>

#include "core/access/warp_access.h"
#include "core/launch/mapping.h"
#include "kernels/measure/probe_tally.h"

/// The bodies' words for counting on the device without any rights: every subscript of an array and
/// every marked branch is counted for its warp, by the lanes that the program's structure says are
/// there. `__activemask` cannot say that (CUDA Programming Guide, "Warp Vote Functions"): the mask
/// is passed down through the branches instead.
namespace warplens::probe {

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
    atomicAdd(&tally.idealSectors, (unique + bytesPerSector - 1) / bytesPerSector);
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

/// The largest `value` of the lanes of `mask`, from 0 to 63.
__device__ inline std::uint32_t largest(std::uint32_t mask, std::uint32_t value) {
    std::uint32_t most = 0;
    for (std::uint32_t bit = 32; bit != 0; bit /= 2) {
        if (__any_sync(mask, value >= most + bit)) most += bit;
    }
    return most;
}

/// Counts an access of 4 bytes a lane to shared memory.
__device__ inline void countShared(int array, std::uint32_t word) {
    const std::uint32_t mask = laneMask[threadRank()];
    const std::uint32_t sameWord = __match_any_sync(mask, word);
    const bool leads = lane() == __ffs(sameWord) - 1;
    const std::uint32_t leaders = __ballot_sync(mask, leads);
    std::uint32_t degree = 0;
    if (leads) degree = __popc(__match_any_sync(leaders, word % 32));
    const std::uint32_t wavefronts = largest(mask, degree);
    if (lane() != __ffs(mask) - 1) return;
    SharedAccesses& tally = tallyOfWarp().shared[array];
    atomicAdd(&tally.requests, 1);
    atomicAdd(&tally.wavefronts, wavefronts);
    atomicAdd(&tally.idealWavefronts, 1);
}

__device__ inline int sharedIndex(std::uint32_t id) {
    int index = 0;
    while (index + 1 < mostShared && context.sharedIds[index] != id) ++index;
    return index;
}

/// Stands for an array in shared memory, of one or two extents.
template <class T>
struct Shared {
    static_assert(sizeof(T) == 4);
    struct Element {
        T* address;
        std::uint32_t word;
        int array;
        __device__ operator T() const {
            countShared(array, word);
            return *address;
        }
        __device__ Element& operator=(T value) {
            countShared(array, word);
            *address = value;
            return *this;
        }
        __device__ Element& operator+=(T value) { return *this = static_cast<T>(*this) + value; }
    };
    T* data;
    int array;
    __device__ Element at(std::uint32_t i) const { return {data + i, i, array}; }
};
template <class T>
struct Shared1D {
    Shared<T> array;
    template <class Index>
    __device__ auto operator[](Index i) const {
        return array.at(static_cast<std::uint32_t>(i));
    }
};
template <class T, int columns>
struct Shared2D {
    struct Row {
        Shared<T> array;
        std::uint32_t first;
        template <class Index>
        __device__ auto operator[](Index column) const {
            return array.at(first + static_cast<std::uint32_t>(column));
        }
    };
    Shared<T> array;
    template <class Index>
    __device__ Row operator[](Index row) const {
        return {array, static_cast<std::uint32_t>(row) * columns};
    }
};

/// Counts one warp coming to a branch or a loop's condition.
__device__ inline void countBranch(std::uint32_t id, std::uint32_t active, std::uint32_t taken) {
    if (lane() != __ffs(active) - 1) return;
    int branch = 0;
    while (branch + 1 < mostBranches && context.branchIds[branch] != id) ++branch;
    Branches& tally = tallyOfWarp().branches[branch];
    atomicAdd(&tally.executed, 1);
    atomicAdd(&tally.divergent, taken != 0 && taken != active);
    atomicAdd(&tally.lanes, __popc(active));
    atomicAdd(&tally.takenLanes, __popc(taken));
}

/// A marked branch: while it lives, each arm's lanes see only themselves.
struct Branch {
    bool taken;
    std::uint32_t outer;

    __device__ Branch(std::uint32_t id, bool condition)
        : taken(condition), outer(laneMask[threadRank()]) {
        const std::uint32_t takenMask = __ballot_sync(outer, condition);
        laneMask[threadRank()] = condition ? takenMask : outer & ~takenMask;
        countBranch(id, outer, takenMask);
    }
    __device__ ~Branch() {
        __syncwarp(outer);
        laneMask[threadRank()] = outer;
    }
    __device__ explicit operator bool() const { return taken; }
};

/// A marked loop: lanes that leave it wait where it ends, those that stay see only themselves.
struct Loop {
    std::uint32_t id;
    std::uint32_t outer;

    __device__ explicit Loop(std::uint32_t name) : id(name), outer(laneMask[threadRank()]) {}
    __device__ bool again(bool condition) {
        const std::uint32_t inside = laneMask[threadRank()];
        const std::uint32_t staying = __ballot_sync(inside, condition);
        countBranch(id, inside, staying);
        if (condition) laneMask[threadRank()] = staying;
        return condition;
    }
    __device__ ~Loop() {
        __syncwarp(outer);
        laneMask[threadRank()] = outer;
    }
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

}  // namespace warplens::probe

#define KERNEL static __device__ void
#define ARRAY(...) warplens::probe::Array<__VA_ARGS__>
// Ids are template arguments so that they are computed while compiling: run on the device, nameId
// (a host function) would have no defined meaning.
#define WARPLENS_PROBE_ID(name) \
    std::integral_constant<std::uint32_t, warplens::probe::nameId(#name)> {}
#define BRANCH(name, ...)                      \
    warplens::probe::Branch name {             \
        WARPLENS_PROBE_ID(name), (__VA_ARGS__) \
    }
#define WHILE(name, ...) \
    for (warplens::probe::Loop name(WARPLENS_PROBE_ID(name)); name.again(__VA_ARGS__);)
#define ROUND(variable)
#define ARRIVED(value)
#define SHARED_1D(T, name, count)                                                  \
    __shared__ T name##_elements[count];                                           \
    const warplens::probe::Shared1D<T> name {                                      \
        { name##_elements, warplens::probe::sharedIndex(WARPLENS_PROBE_ID(name)) } \
    }
#define SHARED_2D(T, name, rows, columns)                                          \
    __shared__ T name##_elements[(rows) * (columns)];                              \
    const warplens::probe::Shared2D<T, columns> name {                             \
        { name##_elements, warplens::probe::sharedIndex(WARPLENS_PROBE_ID(name)) } \
    }
#define DYNAMIC_SHARED(T, name) extern __shared__ T name[]
#define SHARED_PART(T, name, of, at)                                           \
    const warplens::probe::Shared1D<T> name {                                  \
        { (of) + (at), warplens::probe::sharedIndex(WARPLENS_PROBE_ID(name)) } \
    }
