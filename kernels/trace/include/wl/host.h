#pragma once
// The runtime API of a program's host code. Streams are in order and everything is done at once.
#include <stddef.h>

#include "wl/errors.h"
#include "wl/properties.h"
#include "wl/vector_types.h"

struct wl_stream;
struct wl_event;
typedef wl_stream* cudaStream_t;
typedef wl_event* cudaEvent_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void*);
typedef void (*cudaHostFn_t)(void*);
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
enum {
    cudaStreamDefault = 0,
    cudaStreamNonBlocking = 1,
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2,
    cudaEventInterprocess = 4,
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4,
    cudaHostRegisterDefault = 0,
    cudaHostRegisterPortable = 1,
    cudaHostRegisterMapped = 2,
    cudaHostRegisterReadOnly = 8,
    cudaIpcMemLazyEnablePeerAccess = 1,
    cudaMemAttachGlobal = 1,
    cudaMemAttachHost = 2,
    cudaMemAttachSingle = 4,
    cudaDeviceScheduleAuto = 0,
    cudaDeviceScheduleSpin = 1,
    cudaDeviceScheduleYield = 2,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceBlockingSync = 4,
    cudaDeviceLmemResizeToMax = 16,
    cudaDeviceMapHost = 8,
    cudaCpuDeviceId = -1,
    cudaInvalidDeviceId = -2
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly,
    cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation,
    cudaMemAdviseSetAccessedBy,
    cudaMemAdviseUnsetAccessedBy
};
enum cudaFuncCache {
    cudaFuncCachePreferNone,
    cudaFuncCachePreferShared,
    cudaFuncCachePreferL1,
    cudaFuncCachePreferEqual
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault,
    cudaSharedMemBankSizeFourByte,
    cudaSharedMemBankSizeEightByte
};
enum cudaLimit {
    cudaLimitStackSize,
    cudaLimitPrintfFifoSize,
    cudaLimitMallocHeapSize,
    cudaLimitDevRuntimeSyncDepth,
    cudaLimitDevRuntimePendingLaunchCount,
    cudaLimitMaxL2FetchGranularity,
    cudaLimitPersistingL2CacheSize
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA,
        maxDynamicSharedSizeBytes, preferredShmemCarveout;
};
struct cudaMemLocation {
    int type, id;
};
enum { cudaMemLocationTypeDevice = 1, cudaMemLocationTypeHost = 2 };
enum cudaComputeMode {
    cudaComputeModeDefault,
    cudaComputeModeExclusive,
    cudaComputeModeProhibited,
    cudaComputeModeExclusiveProcess
};
enum cudaMemoryType {
    cudaMemoryTypeUnregistered,
    cudaMemoryTypeHost,
    cudaMemoryTypeDevice,
    cudaMemoryTypeManaged
};
struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
};

// What streams and pools are told of caches and of other devices is taken, and does nothing.
enum cudaAccessProperty {
    cudaAccessPropertyNormal,
    cudaAccessPropertyStreaming,
    cudaAccessPropertyPersisting
};
struct cudaAccessPolicyWindow {
    void* base_ptr;
    size_t num_bytes;
    float hitRatio;
    cudaAccessProperty hitProp, missProp;
};
enum cudaStreamAttrID {
    cudaStreamAttributeAccessPolicyWindow = 1,
    cudaStreamAttributeSynchronizationPolicy = 3
};
union cudaStreamAttrValue {
    cudaAccessPolicyWindow accessPolicyWindow;
    int syncPolicy;
};
struct wl_pool;
typedef wl_pool* cudaMemPool_t;
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic,
    cudaMemPoolReuseAllowInternalDependencies,
    cudaMemPoolAttrReleaseThreshold,
    cudaMemPoolAttrReservedMemCurrent,
    cudaMemPoolAttrReservedMemHigh,
    cudaMemPoolAttrUsedMemCurrent,
    cudaMemPoolAttrUsedMemHigh
};

extern "C" {
/// `kind`: 0 the device's, 1 managed, 2 the host's (pinned).
int wl_malloc(void** pointer, size_t bytes, int kind, const char* name, const char* file, int line);
int wl_free(void* pointer, int kind);
int wl_memcpy(void* to, const void* from, size_t bytes, int kind);
int wl_memset(void* to, int value, size_t bytes);
int wl_error(int clear);
int wl_synchronize();
void wl_configure(const char* kernel, const char* file, int line, int column, uint3 grid,
                  uint3 block, size_t shared, int cooperative);
int wl_occupancy(int threads, size_t shared);
int wl_event_create(cudaEvent_t* event);
int wl_event_record(cudaEvent_t event);
int wl_event_destroy(cudaEvent_t event);
int wl_event_elapsed(float* milliseconds, cudaEvent_t from, cudaEvent_t to);
int wl_stream_create(cudaStream_t* stream);
int wl_stream_destroy(cudaStream_t stream);
int wl_space(const void* pointer);  ///< as cudaMemoryType
}

namespace wl {
inline void configure(const char* kernel, const char* file, int line, int column, dim3 grid,
                      dim3 block, size_t shared = 0, cudaStream_t = nullptr) {
    wl_configure(kernel, file, line, column, grid, block, shared, 0);
}
template <class T>
inline cudaError_t allocate(int kind, const char* name, const char* file, int line, T** pointer,
                            size_t bytes, unsigned = 0) {
    return (cudaError_t)wl_malloc((void**)pointer, bytes, kind, name, file, line);
}
template <class T>
inline cudaError_t allocatePitch(const char* name, const char* file, int line, T** pointer,
                                 size_t* pitch, size_t width, size_t height) {
    *pitch = (width + 511) / 512 * 512;
    return (cudaError_t)wl_malloc((void**)pointer, *pitch * height, 0, name, file, line);
}
template <class T>
inline cudaError_t allocateAsync(const char* name, const char* file, int line, T** pointer,
                                 size_t bytes, cudaStream_t = nullptr) {
    return (cudaError_t)wl_malloc((void**)pointer, bytes, 0, name, file, line);
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
template <class T>
inline void* addressOf(T& symbol) {
    return (void*)&symbol;
}
}  // namespace wl

#define cudaMalloc(pointer, ...) \
    ::wl::allocate(0, #pointer, __FILE__, __LINE__, pointer, __VA_ARGS__)
#define cudaMallocManaged(pointer, ...) \
    ::wl::allocate(1, #pointer, __FILE__, __LINE__, pointer, __VA_ARGS__)
#define cudaMallocHost(pointer, ...) \
    ::wl::allocate(2, #pointer, __FILE__, __LINE__, pointer, __VA_ARGS__)
#define cudaHostAlloc(pointer, ...) \
    ::wl::allocate(2, #pointer, __FILE__, __LINE__, pointer, __VA_ARGS__)
#define cudaMallocPitch(pointer, ...) \
    ::wl::allocatePitch(#pointer, __FILE__, __LINE__, pointer, __VA_ARGS__)
#define cudaMallocAsync(pointer, ...) \
    ::wl::allocateAsync(#pointer, __FILE__, __LINE__, pointer, __VA_ARGS__)
#define cudaLaunchKernel(kernel, ...) \
    ::wl::launch(#kernel, __FILE__, __LINE__, 0, kernel, __VA_ARGS__)
#define cudaLaunchCooperativeKernel(kernel, ...) \
    ::wl::launch(#kernel, __FILE__, __LINE__, 1, kernel, __VA_ARGS__)

inline cudaError_t cudaFree(void* p) { return (cudaError_t)wl_free(p, 0); }
inline cudaError_t cudaFreeAsync(void* p, cudaStream_t) { return (cudaError_t)wl_free(p, 0); }
inline cudaError_t cudaFreeHost(void* p) { return (cudaError_t)wl_free(p, 2); }
inline cudaError_t cudaHostRegister(void*, size_t, unsigned) { return cudaSuccess; }
inline cudaError_t cudaHostUnregister(void*) { return cudaSuccess; }
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned) {
    *device = (T*)host;
    return cudaSuccess;
}
inline cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* p) {
    attributes->type = (cudaMemoryType)wl_space(p);
    attributes->device = 0;
    attributes->devicePointer = attributes->type == cudaMemoryTypeUnregistered ? nullptr : (void*)p;
    attributes->hostPointer = attributes->type == cudaMemoryTypeDevice ? nullptr : (void*)p;
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return (cudaError_t)wl_memcpy(to, from, bytes, kind);
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t = nullptr) {
    return (cudaError_t)wl_memcpy(to, from, bytes, kind);
}
inline cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
    return (cudaError_t)wl_memcpy(to, from, bytes, cudaMemcpyDefault);
}
inline cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes,
                                       cudaStream_t = nullptr) {
    return (cudaError_t)wl_memcpy(to, from, bytes, cudaMemcpyDefault);
}
inline cudaError_t cudaMemcpy2D(void* to, size_t toPitch, const void* from, size_t fromPitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
    for (size_t row = 0; row < height; ++row) {
        const int error =
            wl_memcpy((char*)to + row * toPitch, (const char*)from + row * fromPitch, width, kind);
        if (error) return (cudaError_t)error;
    }
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy2DAsync(void* to, size_t toPitch, const void* from, size_t fromPitch,
                                     size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t = nullptr) {
    return cudaMemcpy2D(to, toPitch, from, fromPitch, width, height, kind);
}
inline cudaError_t cudaMemset(void* to, int value, size_t bytes) {
    return (cudaError_t)wl_memset(to, value, bytes);
}
inline cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t = nullptr) {
    return (cudaError_t)wl_memset(to, value, bytes);
}
inline cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
    for (size_t row = 0; row < height; ++row) wl_memset((char*)to + row * pitch, value, width);
    return cudaSuccess;
}
template <class T>
inline cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind = cudaMemcpyHostToDevice) {
    return (cudaError_t)wl_memcpy((char*)wl::addressOf(symbol) + offset, from, bytes,
                                  cudaMemcpyDefault);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(T& symbol, const void* from, size_t bytes,
                                           size_t offset = 0,
                                           cudaMemcpyKind = cudaMemcpyHostToDevice,
                                           cudaStream_t = nullptr) {
    return cudaMemcpyToSymbol(symbol, from, bytes, offset);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void* to, T& symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind = cudaMemcpyDeviceToHost) {
    return (cudaError_t)wl_memcpy(to, (char*)wl::addressOf(symbol) + offset, bytes,
                                  cudaMemcpyDefault);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, T& symbol, size_t bytes, size_t offset = 0,
                                             cudaMemcpyKind = cudaMemcpyDeviceToHost,
                                             cudaStream_t = nullptr) {
    return cudaMemcpyFromSymbol(to, symbol, bytes, offset);
}
template <class P, class T>
inline cudaError_t cudaGetSymbolAddress(P** pointer, T& symbol) {
    *pointer = (P*)wl::addressOf(symbol);
    return cudaSuccess;
}
template <class T>
inline cudaError_t cudaGetSymbolSize(size_t* bytes, T& symbol) {
    *bytes = sizeof symbol;
    return cudaSuccess;
}
inline cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    *free = (size_t)8 << 30;
    *total = (size_t)8 << 30;
    return cudaSuccess;
}
inline cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) { return cudaSuccess; }
inline cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation) {
    return cudaSuccess;
}
inline cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t = nullptr) {
    return cudaSuccess;
}
inline cudaError_t cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation, unsigned = 0,
                                        cudaStream_t = nullptr) {
    return cudaSuccess;
}

inline cudaError_t cudaDeviceSynchronize() { return (cudaError_t)wl_synchronize(); }
inline cudaError_t cudaThreadSynchronize() { return (cudaError_t)wl_synchronize(); }
inline cudaError_t cudaGetLastError() { return (cudaError_t)wl_error(1); }
inline cudaError_t cudaPeekAtLastError() { return (cudaError_t)wl_error(0); }
inline cudaError_t cudaSetDevice(int device) {
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}
inline cudaError_t cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}
inline cudaError_t cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceReset() { return cudaSuccess; }
inline cudaError_t cudaThreadExit() { return cudaSuccess; }
inline cudaError_t cudaInitDevice(int device, unsigned = 0, unsigned = 0) {
    return cudaSetDevice(device);
}
inline cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
    *device = 0;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetByPCIBusId(int* device, const char*) {
    *device = 0;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int) {
    snprintf(id, (size_t)length, "0000:00:00.0");
    return cudaSuccess;
}
inline cudaError_t cudaGetDeviceFlags(unsigned* flags) {
    *flags = 0;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}
inline cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
inline cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit) {
    *value = 1 << 20;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
    *can = 0;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned = 0) { return cudaErrorInvalidDevice; }
inline cudaError_t cudaDeviceDisablePeerAccess(int) { return cudaErrorInvalidDevice; }
inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
    *pool = nullptr;
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int) {
    *pool = nullptr;
    return cudaSuccess;
}
inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) {
    return cudaSuccess;
}
inline cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }
inline cudaError_t cudaDriverGetVersion(int* version) {
    *version = 13000;
    return cudaSuccess;
}
inline cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = 13000;
    return cudaSuccess;
}
inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }

inline cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return (cudaError_t)wl_stream_create(stream);
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    return (cudaError_t)wl_stream_create(stream);
}
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
    return (cudaError_t)wl_stream_create(stream);
}
inline cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}
inline cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID,
                                          const cudaStreamAttrValue*) {
    return cudaSuccess;
}
inline cudaError_t cudaStreamGetPriority(cudaStream_t, int* priority) {
    *priority = 0;
    return cudaSuccess;
}
inline cudaError_t cudaStreamGetFlags(cudaStream_t, unsigned* flags) {
    *flags = 0;
    return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return (cudaError_t)wl_stream_destroy(stream);
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return (cudaError_t)wl_synchronize(); }
inline cudaError_t cudaStreamQuery(cudaStream_t) { return (cudaError_t)wl_synchronize(); }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) {
    return cudaSuccess;
}
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t = 0, unsigned = 0) {
    return cudaSuccess;
}
inline cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback,
                                         void* data, unsigned) {
    callback(stream, cudaSuccess, data);
    return cudaSuccess;
}
inline cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void* data) {
    function(data);
    return cudaSuccess;
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned = 0) {
    return (cudaError_t)wl_event_create(event);
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    return (cudaError_t)wl_event_create(event);
}
inline cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t = nullptr) {
    return (cudaError_t)wl_event_record(event);
}
inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t = nullptr,
                                            unsigned = 0) {
    return (cudaError_t)wl_event_record(event);
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return (cudaError_t)wl_synchronize(); }
inline cudaError_t cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return (cudaError_t)wl_event_destroy(event);
}
inline cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
    return (cudaError_t)wl_event_elapsed(milliseconds, from, to);
}

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
