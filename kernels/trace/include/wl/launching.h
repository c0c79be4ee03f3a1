#pragma once
// Launches, and what a program asks of its kernels.
#include "wl/streams.h"
#include "wl/vector_types.h"

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA,
        maxDynamicSharedSizeBytes, preferredShmemCarveout;
};

extern "C" {
void wl_configure(const char* kernel, const char* file, int line, int column, uint3 grid,
                  uint3 block, size_t shared, int cooperative);
int wl_occupancy(int threads, size_t shared);
}

namespace wl {
inline void configure(const char* kernel, const char* file, int line, int column, dim3 grid,
                      dim3 block, size_t shared = 0, cudaStream_t = nullptr) {
    wl_configure(kernel, file, line, column, grid, block, shared, 0);
}
template <int... I>
struct Indices {};
template <int N, int... I>
struct MakeIndices : MakeIndices<N - 1, N - 1, I...> {};
template <int... I>
struct MakeIndices<0, I...> {
    typedef Indices<I...> type;
};
template <class T>
struct Plain {
    typedef T type;
};
template <class T>
struct Plain<T&> {
    typedef T type;
};
template <class T>
struct Plain<const T> {
    typedef T type;
};
template <class... P, int... I>
inline void call(void (*kernel)(P...), void** arguments, Indices<I...>) {
    (void)arguments;
    kernel(*(typename Plain<P>::type*)arguments[I]...);
}
template <class... P>
inline cudaError_t launch(const char* name, const char* file, int line, int cooperative,
                          void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                          size_t shared = 0, cudaStream_t = nullptr) {
    wl_configure(name, file, line, 0, grid, block, shared, cooperative);
    call(kernel, arguments, typename MakeIndices<sizeof...(P)>::type());
    return (cudaError_t)wl_error(0);
}
}  // namespace wl

#define cudaLaunchKernel(kernel, ...) \
    ::wl::launch(#kernel, __FILE__, __LINE__, 0, kernel, __VA_ARGS__)
#define cudaLaunchCooperativeKernel(kernel, ...) \
    ::wl::launch(#kernel, __FILE__, __LINE__, 1, kernel, __VA_ARGS__)

template <class F>
inline cudaError_t cudaFuncSetAttribute(F, cudaFuncAttribute, int) {
    return cudaSuccess;
}
template <class F>
inline cudaError_t cudaFuncSetCacheConfig(F, cudaFuncCache) {
    return cudaSuccess;
}
template <class F>
inline cudaError_t cudaFuncSetSharedMemConfig(F, cudaSharedMemConfig) {
    return cudaSuccess;
}
template <class F>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, F) {
    *attributes = cudaFuncAttributes();
    attributes->maxThreadsPerBlock = 1024;
    attributes->numRegs = 32;
    attributes->ptxVersion = attributes->binaryVersion = 90;
    return cudaSuccess;
}
template <class F>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F, int threads,
                                                                 size_t shared) {
    *blocks = wl_occupancy(threads, shared);
    return cudaSuccess;
}
template <class F>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, F, size_t shared = 0,
                                                      int limit = 0) {
    *block = limit > 0 && limit < 1024 ? limit : 1024;
    *grid = wl_occupancy(*block, shared) * WL_MULTIPROCESSORS;
    return cudaSuccess;
}
template <class F>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, F kernel,
                                                                          int threads,
                                                                          size_t shared, unsigned) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, shared);
}
template <class S, class F>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, F,
                                                                  S shared, int limit = 0) {
    *block = limit > 0 && limit < 1024 ? limit : 1024;
    while (*block > 32 && wl_occupancy(*block, shared(*block)) == 0) *block /= 2;
    *grid = wl_occupancy(*block, shared(*block)) * WL_MULTIPROCESSORS;
    return cudaSuccess;
}
