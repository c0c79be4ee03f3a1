#pragma once

#include <cmath>

#include "core/trace/shared_memory.h"
#include "core/trace/traced_array.h"
#include "core/trace/traced_branch.h"

/// The bodies' words for an ordinary C++ compiler: a kernel becomes a function that runs one thread
/// and records what it touches. Include after this, once, inside a namespace of your own.
namespace warplens::trace {

/// CUDA's built-in variables, for the thread that runs on this thread of the host.
inline constinit thread_local Index3 threadIdx;
inline constinit thread_local Index3 blockIdx;
inline constinit thread_local Extents blockDim;
inline constinit thread_local Extents gridDim;

/// CUDA's vector of four floats.
struct alignas(16) float4 {
    float x, y, z, w;
};

/// Waits until every thread of the block has come here (traced_kernel.cpp).
void syncThreads(std::uint32_t line);
inline void __syncthreads(std::source_location where = std::source_location::current()) {
    syncThreads(where.line());
}

}  // namespace warplens::trace

#define KERNEL static void
#define ARRAY(...) warplens::trace::TracedArray<__VA_ARGS__>
#define BRANCH(name, ...)                \
    warplens::trace::TracedBranch name { \
#name, (__VA_ARGS__)             \
    }
#define WHILE(name, ...) for (warplens::trace::TracedLoop name(#name); name.again(__VA_ARGS__);)
#define ROUND(variable) warplens::trace::recordRound(variable)
#define ARRIVED(value)
#define SHARED_1D(T, name, count)                                  \
    warplens::trace::Shared1D<T> name {                            \
        warplens::trace::TracedShared<T>::declare(#name, 1, count) \
    }
#define SHARED_2D(T, name, rows, columns)                               \
    warplens::trace::Shared2D<T> name {                                 \
        warplens::trace::TracedShared<T>::declare(#name, rows, columns) \
    }
#define DYNAMIC_SHARED(T, name) warplens::trace::DynamicShared<T> name
#define SHARED_PART(T, name, of, at) auto name = (of).part(#name, at)
