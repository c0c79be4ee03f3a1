#pragma once
// What programs for older versions of CUDA use and newer ones have no longer, by what came in its
// place. Included before a file that does not compile without, behind cuda_runtime.h.
#ifdef __cplusplus
#include <cuda_fp16.h>  // declares shuffles of these names
extern "C" void __cudaReplaced(const char* name, const char* by);

// Votes and shuffles of whatever lanes are there.
#define __any(predicate) __any_sync(__activemask(), predicate)
#define __all(predicate) __all_sync(__activemask(), predicate)
#define __ballot(predicate) __ballot_sync(__activemask(), predicate)
#define __shfl(...) __shfl_sync(__activemask(), __VA_ARGS__)
#define __shfl_up(...) __shfl_up_sync(__activemask(), __VA_ARGS__)
#define __shfl_down(...) __shfl_down_sync(__activemask(), __VA_ARGS__)
#define __shfl_xor(...) __shfl_xor_sync(__activemask(), __VA_ARGS__)

#if CUDART_VERSION > 13000 && defined(__CUDACC__)
// nvcc 13.5 cannot compile its own dot products with -G.
#define WARPLENS_DOT(name, instruction, pair, upair)                                        \
    __device__ inline int name(int a, int b, int c) {                                       \
        asm(instruction ".s32.s32 %0, %1, %2, %0;" : "+r"(c) : "r"(a), "r"(b));             \
        return c;                                                                           \
    }                                                                                       \
    __device__ inline unsigned name(unsigned a, unsigned b, unsigned c) {                   \
        asm(instruction ".u32.u32 %0, %1, %2, %0;" : "+r"(c) : "r"(a), "r"(b));             \
        return c;                                                                           \
    }                                                                                       \
    __device__ inline int name(pair a, char4 b, int c) {                                    \
        return name(*reinterpret_cast<int*>(&a), *reinterpret_cast<int*>(&b), c);           \
    }                                                                                       \
    __device__ inline unsigned name(upair a, uchar4 b, unsigned c) {                        \
        return name(*reinterpret_cast<unsigned*>(&a), *reinterpret_cast<unsigned*>(&b), c); \
    }
WARPLENS_DOT(warplensDp4a, "dp4a", char4, uchar4)
WARPLENS_DOT(warplensDp2aLo, "dp2a.lo", short2, ushort2)
WARPLENS_DOT(warplensDp2aHi, "dp2a.hi", short2, ushort2)
#undef WARPLENS_DOT
#define __dp4a warplensDp4a
#define __dp2a_lo warplensDp2aLo
#define __dp2a_hi warplensDp2aHi
#endif

#if CUDART_VERSION >= 13000
#define WARPLENS_REPLACED(name, by, parameters, arguments)       \
    [[maybe_unused]] static inline cudaError_t name parameters { \
        __cudaReplaced(#name, #by);                              \
        return by arguments;                                     \
    }
WARPLENS_REPLACED(cudaThreadSynchronize, cudaDeviceSynchronize, (), ())
WARPLENS_REPLACED(cudaThreadExit, cudaDeviceReset, (), ())
WARPLENS_REPLACED(cudaThreadSetCacheConfig, cudaDeviceSetCacheConfig, (cudaFuncCache how), (how))
WARPLENS_REPLACED(cudaThreadGetCacheConfig, cudaDeviceGetCacheConfig, (cudaFuncCache * how), (how))
WARPLENS_REPLACED(cudaThreadSetLimit, cudaDeviceSetLimit, (cudaLimit limit, size_t value),
                  (limit, value))
WARPLENS_REPLACED(cudaThreadGetLimit, cudaDeviceGetLimit, (size_t * value, cudaLimit limit),
                  (value, limit))
#undef WARPLENS_REPLACED

// Devices were numbers, the host -1.
static inline cudaMemLocation warplensLocation(int device) {
    const bool isHost = device == cudaCpuDeviceId;
    cudaMemLocation location{};
    location.type = isHost ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = isHost ? 0 : device;
    return location;
}
[[maybe_unused]] static inline cudaError_t cudaMemPrefetchAsync(const void* array, size_t bytes,
                                                                int device,
                                                                cudaStream_t stream = 0) {
    return cudaMemPrefetchAsync(array, bytes, warplensLocation(device), 0, stream);
}
[[maybe_unused]] static inline cudaError_t cudaMemAdvise(const void* array, size_t bytes,
                                                         cudaMemoryAdvise advice, int device) {
    return cudaMemAdvise(array, bytes, advice, warplensLocation(device));
}

struct WarplensDeviceProp : cudaDeviceProp {
    int clockRate, memoryClockRate, deviceOverlap, computeMode, kernelExecTimeoutEnabled,
        singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch;
};
[[maybe_unused]] static inline cudaError_t cudaGetDeviceProperties(WarplensDeviceProp* facts,
                                                                   int device) {
    const cudaError_t error = cudaGetDeviceProperties(static_cast<cudaDeviceProp*>(facts), device);
    if (error != cudaSuccess) return error;
    cudaDeviceGetAttribute(&facts->clockRate, cudaDevAttrClockRate, device);
    cudaDeviceGetAttribute(&facts->memoryClockRate, cudaDevAttrMemoryClockRate, device);
    cudaDeviceGetAttribute(&facts->computeMode, cudaDevAttrComputeMode, device);
    cudaDeviceGetAttribute(&facts->kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout, device);
    facts->deviceOverlap = facts->asyncEngineCount > 0;
    facts->singleToDoublePrecisionPerfRatio = 2;
    facts->cooperativeMultiDeviceLaunch = 0;
    return cudaSuccess;
}
#define cudaDeviceProp WarplensDeviceProp
#endif

#if CUDART_VERSION >= 12000
// Texture references: an object in constant memory, made where the reference is bound.
template <class T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct WarplensTexture {
    constexpr explicit WarplensTexture(int isNormalized = 0,
                                       cudaTextureFilterMode filter = cudaFilterModePoint,
                                       cudaTextureAddressMode address = cudaAddressModeClamp)
        : normalized(isNormalized), filterMode(filter), addressMode{address, address, address} {}
    int normalized;
    cudaTextureFilterMode filterMode;
    cudaTextureAddressMode addressMode[3];
    cudaChannelFormatDesc channelDesc{};
    cudaTextureObject_t object = 0;
};

#define WARPLENS_FRACTIONS(scalar, vector) \
    float warplensFraction(scalar);        \
    float1 warplensFraction(vector##1);    \
    float2 warplensFraction(vector##2);    \
    float4 warplensFraction(vector##4);
WARPLENS_FRACTIONS(char, char)
WARPLENS_FRACTIONS(unsigned char, uchar)
WARPLENS_FRACTIONS(short, short)
WARPLENS_FRACTIONS(unsigned short, ushort)
#undef WARPLENS_FRACTIONS
template <class T, cudaTextureReadMode mode>
struct WarplensTexel {
    using Type = T;
};
template <class T>
struct WarplensTexel<T, cudaReadModeNormalizedFloat> {
    using Type = decltype(warplensFraction(T()));
};

template <class T, int d, cudaTextureReadMode mode>
cudaError_t warplensBind(const WarplensTexture<T, d, mode>& reference,
                         const cudaResourceDesc& resource) {
    __cudaReplaced("a texture reference", "a texture object");
    auto& own = const_cast<WarplensTexture<T, d, mode>&>(reference);
    cudaTextureDesc how{};
    for (int axis = 0; axis < 3; ++axis) how.addressMode[axis] = own.addressMode[axis];
    how.filterMode = own.filterMode;
    how.readMode = mode;
    how.normalizedCoords = own.normalized;
    const cudaError_t error = cudaCreateTextureObject(&own.object, &resource, &how, nullptr);
    return error != cudaSuccess ? error : cudaMemcpyToSymbol(own, &own, sizeof own);
}
template <class T, int d, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t* offset, const WarplensTexture<T, d, mode>& reference,
                            const void* array, const cudaChannelFormatDesc& format,
                            size_t bytes = 0xffffffffu) {
    if (offset != nullptr) *offset = 0;
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {const_cast<void*>(array), format, bytes};
    return warplensBind(reference, resource);
}
template <class T, int d, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t* offset, const WarplensTexture<T, d, mode>& reference,
                            const void* array, size_t bytes = 0xffffffffu) {
    return cudaBindTexture(offset, reference, array, cudaCreateChannelDesc<T>(), bytes);
}
template <class T, int d, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t* offset, const WarplensTexture<T, d, mode>* reference,
                            const void* array, const cudaChannelFormatDesc* format,
                            size_t bytes = 0xffffffffu) {
    return cudaBindTexture(offset, *reference, array, *format, bytes);
}
template <class T, int d, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(size_t* offset, const WarplensTexture<T, d, mode>& reference,
                              const void* array, const cudaChannelFormatDesc& format, size_t width,
                              size_t height, size_t pitch) {
    if (offset != nullptr) *offset = 0;
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {const_cast<void*>(array), format, width, height, pitch};
    return warplensBind(reference, resource);
}
template <class T, int d, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(size_t* offset, const WarplensTexture<T, d, mode>& reference,
                              const void* array, size_t width, size_t height, size_t pitch) {
    return cudaBindTexture2D(offset, reference, array, cudaCreateChannelDesc<T>(), width, height,
                             pitch);
}
template <class T, int d, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const WarplensTexture<T, d, mode>& reference,
                                   cudaArray_const_t array,
                                   const cudaChannelFormatDesc& = cudaChannelFormatDesc{}) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = const_cast<cudaArray_t>(array);
    return warplensBind(reference, resource);
}
template <class T, int d, cudaTextureReadMode mode>
cudaError_t cudaUnbindTexture(const WarplensTexture<T, d, mode>& reference) {
    return cudaDestroyTextureObject(reference.object);
}

#ifdef __CUDACC__
#define WARPLENS_FETCH(name, parameters, ...)                                              \
    template <class T, cudaTextureReadMode mode>                                           \
    __device__ __forceinline__ typename WarplensTexel<T, mode>::Type name parameters {     \
        return name<typename WarplensTexel<T, mode>::Type>(reference.object, __VA_ARGS__); \
    }
#define WARPLENS_REFERENCE(dimensions) const WarplensTexture<T, dimensions, mode>& reference
WARPLENS_FETCH(tex1Dfetch, (WARPLENS_REFERENCE(1), int x), x)
WARPLENS_FETCH(tex1D, (WARPLENS_REFERENCE(1), float x), x)
WARPLENS_FETCH(tex2D, (WARPLENS_REFERENCE(2), float x, float y), x, y)
WARPLENS_FETCH(tex3D, (WARPLENS_REFERENCE(3), float x, float y, float z), x, y, z)
#undef WARPLENS_FETCH
#undef WARPLENS_REFERENCE
#define texture __constant__ WarplensTexture
#endif
#endif
#endif
