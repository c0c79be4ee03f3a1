#pragma once
// The device's memory, as a program's host code allocates, fills and copies it.
#include "wl/streams.h"

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};

enum {
    cudaIpcMemLazyEnablePeerAccess = 1,
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4,
    cudaHostRegisterDefault = 0,
    cudaHostRegisterPortable = 1,
    cudaHostRegisterMapped = 2,
    cudaHostRegisterReadOnly = 8,
    cudaMemAttachGlobal = 1,
    cudaMemAttachHost = 2,
    cudaMemAttachSingle = 4
};

enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly,
    cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation,
    cudaMemAdviseSetAccessedBy,
    cudaMemAdviseUnsetAccessedBy
};

struct cudaMemLocation {
    int type, id;
};
enum { cudaMemLocationTypeDevice = 1, cudaMemLocationTypeHost = 2 };

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

extern "C" {
/// `kind`: 0 the device's, 1 managed, 2 the host's (pinned).
int wl_malloc(void** pointer, size_t bytes, int kind, const char* name, const char* file, int line);
/// `file` and `line` where the program calls, if it is told of what it copies.
int wl_memcpy(void* to, const void* from, size_t bytes, int kind, const char* file = nullptr,
              int line = 0);
int wl_memset(void* to, int value, size_t bytes, const char* file = nullptr, int line = 0);
int wl_free(void* pointer, int kind, const char* file = nullptr, int line = 0);
int wl_space(const void* pointer);  ///< as cudaMemoryType
}

namespace wl {
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

inline cudaError_t cudaFree(void* p) { return (cudaError_t)wl_free(p, 0); }
/// Calls of cudaFree have a place; its address is that of a function of one argument.
inline cudaError_t wl_freeAt(void* p, const char* file, int line) {
    return (cudaError_t)wl_free(p, 0, file, line);
}
#define cudaFree(pointer) wl_freeAt(pointer, __FILE__, __LINE__)
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
inline cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                              const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return (cudaError_t)wl_memcpy(to, from, bytes, kind, file, line);
}
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                                   cudaStream_t = nullptr, const char* file = __builtin_FILE(),
                                   int line = __builtin_LINE()) {
    return (cudaError_t)wl_memcpy(to, from, bytes, kind, file, line);
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
inline cudaError_t cudaMemset(void* to, int value, size_t bytes,
                              const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return (cudaError_t)wl_memset(to, value, bytes, file, line);
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
