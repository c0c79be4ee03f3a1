#pragma once
// Streams and events: streams are in order, and everything is done at once.
#include "wl/device_management.h"

struct wl_stream;
struct wl_event;
typedef wl_stream* cudaStream_t;
typedef wl_event* cudaEvent_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void*);
typedef void (*cudaHostFn_t)(void*);
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)

enum {
    cudaStreamDefault = 0,
    cudaStreamNonBlocking = 1,
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2,
    cudaEventInterprocess = 4
};

// What streams are told of caches is taken, and does nothing.
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

extern "C" {
int wl_event_create(cudaEvent_t* event);
int wl_event_record(cudaEvent_t event);
int wl_event_destroy(cudaEvent_t event);
int wl_event_elapsed(float* milliseconds, cudaEvent_t from, cudaEvent_t to);
int wl_stream_create(cudaStream_t* stream);
int wl_stream_destroy(cudaStream_t stream);
}

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
