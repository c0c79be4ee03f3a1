#pragma once
// What device code has without any library: indices, barriers, warp intrinsics.
#include <stddef.h>
#include <stdint.h>

#include "wl/vector_types.h"

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDA_ARCH__ 900
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
#define CUDARTAPI
#define CUDART_CB
#ifdef WL_FAST
#define __global__ __attribute__((noipa))
#else
#define __global__ __attribute__((noinline))
#endif
#define __device__
#define __host__
#define __shared__ thread_local
#define __constant__
#define __managed__
#define __grid_constant__
#define __forceinline__ inline
// Nothing is inlined at -O0; and the C++ library writes `__attribute__((__noinline__))`.
#define __noinline__
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __restrict__ __restrict
#define __builtin_align__(n) alignas(n)
#define __builtin_assume(x) ((void)0)

// What the assembly pass looks for: who is a kernel, and what calls leave an event.
#define WL_EVENT asm volatile("# wl-event")
#ifdef WL_FAST
// Who asks again and again may wait for another lane.
#define WL_ATOMIC_EVENT                   \
    do {                                  \
        if (--wl_patience < 0) wl_turn(); \
    } while (0)
extern "C" int wl_patience;
extern "C" void wl_turn();
#else
#define WL_ATOMIC_EVENT asm volatile("# wl-atomic")
#endif

extern "C" {
extern const uint3 threadIdx, blockIdx, blockDim, gridDim;
extern int wl_capturing;
void wl_capture(const char* names, int index, const void* value, unsigned bytes, unsigned alignment,
                unsigned pointee, unsigned pointee_alignment);
void wl_captured();
void wl_block_barrier();
int wl_block_vote(int what, int predicate);
void wl_grid_barrier();
void wl_warp_barrier(unsigned mask);
unsigned wl_ballot(unsigned mask, int predicate);
unsigned wl_match(unsigned mask, const void* value, unsigned bytes);
/// The values of all lanes of the mask, 32 of them.
const void* wl_exchange(unsigned mask, const void* value, unsigned bytes);
unsigned wl_shuffle(unsigned mask, const void* value, unsigned bytes, unsigned lane, void* result);
unsigned wl_lane();
unsigned wl_active();
void wl_fence();
long long wl_clock();
void wl_trap() __attribute__((noreturn));
}

namespace wl {
template <class T>
struct Pointee {
    static constexpr unsigned bytes = 0;
    static constexpr unsigned alignment = 0;
};
template <class T>
struct Pointee<T*> {
    static constexpr unsigned bytes = sizeof(T);
    static constexpr unsigned alignment = alignof(T);
};
template <>
struct Pointee<void*> {
    static constexpr unsigned bytes = 1;
    static constexpr unsigned alignment = 1;
};
template <>
struct Pointee<const void*> {
    static constexpr unsigned bytes = 1;
    static constexpr unsigned alignment = 1;
};
template <class T>
struct IsPlain {
    static constexpr bool value =
        __is_trivially_constructible(T, const T&) && __has_trivial_destructor(T);
};
/// How a parameter is looked at: by value, so that no address is taken; but an object that does
/// something when it is copied or goes has an address anyway, and no copy of it is made.
template <class T, bool = IsPlain<T>::value>
struct Seen {
    typedef T type;
};
template <class T>
struct Seen<T, false> {
    typedef const T& type;
};
template <class... T>
inline void capture(const char* names, typename Seen<T>::type... values) {
    int index = 0;
    (wl_capture(names, index++, (const void*)&values, sizeof(T), alignof(T), Pointee<T>::bytes,
                Pointee<T>::alignment),
     ...);
    wl_captured();
}
}  // namespace wl

#define WL_TYPES(...) __VA_ARGS__
#define WL_KERNEL(types, ...)                                                     \
    asm volatile("# wl-kernel");                                                  \
    asm volatile("# wl-quiet begin");                                             \
    if (wl_capturing) ::wl::capture<WL_TYPES types>(#__VA_ARGS__, ##__VA_ARGS__); \
    asm volatile("# wl-quiet end");

enum : int { warpSize = 32 };

inline void __syncthreads() {
    WL_EVENT;
    wl_block_barrier();
}
inline int __syncthreads_count(int predicate) {
    WL_EVENT;
    return wl_block_vote(0, predicate);
}
inline int __syncthreads_and(int predicate) {
    WL_EVENT;
    return wl_block_vote(1, predicate);
}
inline int __syncthreads_or(int predicate) {
    WL_EVENT;
    return wl_block_vote(2, predicate);
}
inline void __syncwarp(unsigned mask = 0xffffffffu) {
    WL_EVENT;
    wl_warp_barrier(mask);
}
inline void __threadfence() { wl_fence(); }
inline void __threadfence_block() {}
inline void __threadfence_system() { wl_fence(); }

inline unsigned __activemask() {
    WL_EVENT;
    return wl_active();
}
inline unsigned __ballot_sync(unsigned mask, int predicate) {
    WL_EVENT;
    return wl_ballot(mask, predicate);
}
inline int __any_sync(unsigned mask, int predicate) {
    WL_EVENT;
    return wl_ballot(mask, predicate) != 0;
}
inline int __all_sync(unsigned mask, int predicate) {
    WL_EVENT;
    return wl_ballot(mask, !predicate) == 0;
}
template <class T>
inline unsigned __match_any_sync(unsigned mask, T value) {
    WL_EVENT;
    return wl_match(mask, &value, sizeof value);
}
template <class T>
inline unsigned __match_all_sync(unsigned mask, T value, int* all) {
    WL_EVENT;
    const unsigned same = wl_match(mask, &value, sizeof value);
    *all = same == mask;
    return same == mask ? mask : 0;
}

template <class T>
inline T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {
    WL_EVENT;
    const unsigned me = wl_lane();
    T result = value;
    wl_shuffle(mask, &value, sizeof value, (me & ~(unsigned)(width - 1)) | (lane & (width - 1)),
               &result);
    return result;
}
template <class T>
inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
    WL_EVENT;
    const unsigned me = wl_lane();
    const bool inside = (me & (width - 1)) >= delta;
    T result = value;
    wl_shuffle(mask, &value, sizeof value, inside ? me - delta : me, &result);
    return result;
}
template <class T>
inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
    WL_EVENT;
    const unsigned me = wl_lane();
    const bool inside = (me & (width - 1)) + delta < (unsigned)width;
    T result = value;
    wl_shuffle(mask, &value, sizeof value, inside ? me + delta : me, &result);
    return result;
}
template <class T>
inline T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32) {
    WL_EVENT;
    const unsigned me = wl_lane();
    const unsigned from = me ^ (unsigned)bits;
    const bool inside = (from & ~(unsigned)(width - 1)) <= (me & ~(unsigned)(width - 1));
    T result = value;
    wl_shuffle(mask, &value, sizeof value, inside ? from : me, &result);
    return result;
}

#define WL_REDUCE(name, type, expression)                                       \
    inline type name(unsigned mask, type value) {                               \
        WL_EVENT;                                                               \
        const type* all = (const type*)wl_exchange(mask, &value, sizeof value); \
        bool first = true;                                                      \
        type sum = value;                                                       \
        for (unsigned lane = 0; lane < 32; ++lane) {                            \
            if (!(mask >> lane & 1)) continue;                                  \
            const type v = all[lane];                                           \
            sum = first ? v : (expression);                                     \
            first = false;                                                      \
        }                                                                       \
        return sum;                                                             \
    }
WL_REDUCE(__reduce_add_sync, unsigned, sum + v)
WL_REDUCE(__reduce_add_sync, int, sum + v)
WL_REDUCE(__reduce_min_sync, unsigned, v < sum ? v : sum)
WL_REDUCE(__reduce_min_sync, int, v < sum ? v : sum)
WL_REDUCE(__reduce_max_sync, unsigned, v > sum ? v : sum)
WL_REDUCE(__reduce_max_sync, int, v > sum ? v : sum)
WL_REDUCE(__reduce_and_sync, unsigned, (sum & v))
WL_REDUCE(__reduce_or_sync, unsigned, sum | v)
WL_REDUCE(__reduce_xor_sync, unsigned, sum ^ v)
#undef WL_REDUCE

// Macros: the access keeps the line and column of its use.
#define __ldg(p) (*(p))
#define __ldca(p) (*(p))
#define __ldcg(p) (*(p))
#define __ldcs(p) (*(p))
#define __ldcv(p) (*(p))
#define __ldlu(p) (*(p))
#define __stcg(p, v) (*(p) = (v))
#define __stcs(p, v) (*(p) = (v))
#define __stwb(p, v) (*(p) = (v))
#define __stwt(p, v) (*(p) = (v))

// Bytes one by one, as NVIDIA's compilers do it whatever the alignment.
#define wl_copy_bytes(to, from, bytes)                                              \
    ({                                                                              \
        char* const wl_to = (char*)(to);                                            \
        const char* const wl_from = (const char*)(from);                            \
        const size_t wl_bytes = (bytes);                                            \
        for (size_t wl_i = 0; wl_i < wl_bytes; ++wl_i) wl_to[wl_i] = wl_from[wl_i]; \
        (void*)wl_to;                                                               \
    })
#define wl_fill_bytes(to, value, bytes)                                        \
    ({                                                                         \
        char* const wl_to = (char*)(to);                                       \
        const char wl_value = (char)(value);                                   \
        const size_t wl_bytes = (bytes);                                       \
        for (size_t wl_i = 0; wl_i < wl_bytes; ++wl_i) wl_to[wl_i] = wl_value; \
        (void*)wl_to;                                                          \
    })

inline long long clock64() { return wl_clock(); }
inline void __nanosleep(unsigned) {}
inline void __trap() { wl_trap(); }
inline void __prof_trigger(int) {}
