#pragma once

#include <cmath>

#include "core/trace/traced_array.h"

/// The bodies' words for an ordinary C++ compiler: a kernel becomes a function that runs one thread
/// and records what it touches. Include after this, once, inside a namespace of your own.
namespace warplens::trace {

/// CUDA's built-in variables, for the thread that runs on this thread of the host.
inline constinit thread_local Index3 threadIdx;
inline constinit thread_local Index3 blockIdx;
inline constinit thread_local Extents blockDim;
inline constinit thread_local Extents gridDim;

}  // namespace warplens::trace

#define KERNEL static void
#define ARRAY(...) warplens::trace::TracedArray<__VA_ARGS__>
#define BRANCH(name, ...)                \
    warplens::trace::TracedBranch name { \
#name, (__VA_ARGS__)             \
    }
