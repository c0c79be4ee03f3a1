// Streams and events. Everything is done when its call returns.
#include <chrono>

#include "kernels/programs/runtime_api/device.h"
#include "kernels/programs/runtime_api/report.h"

using namespace warplens;
using namespace warplens::programs;
using cuda::Error;
using cuda::Event;
using cuda::Stream;

struct StreamHandle final {
    unsigned flags = 0;
    int priority = 0;
};
struct EventHandle final {
    double milliseconds = 0;
};

namespace {

// CUDA's own streams: legacy and per thread.
bool isNamed(Stream stream) {
    return reinterpret_cast<std::uintptr_t>(stream) <= 2;
}

double millisecondsNow() {
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

Error synchronized() {
    const auto lock = lockDevice();
    return RuntimeDevice::instance().lost();
}
Error invalidHandle() {
    const auto lock = lockDevice();
    return RuntimeDevice::instance().fail(cuda::invalidResourceHandle);
}

}  // namespace

extern "C" {

Error cudaStreamCreateWithPriority(Stream* stream, unsigned flags, int priority) {
    *stream = reinterpret_cast<Stream>(new StreamHandle{flags, priority});
    return cuda::success;
}
Error cudaStreamCreate(Stream* stream) {
    return cudaStreamCreateWithPriority(stream, 0, 0);
}
Error cudaStreamCreateWithFlags(Stream* stream, unsigned flags) {
    return cudaStreamCreateWithPriority(stream, flags, 0);
}
Error cudaStreamDestroy(Stream stream) {
    if (isNamed(stream)) return invalidHandle();
    delete reinterpret_cast<StreamHandle*>(stream);
    return cuda::success;
}
Error cudaStreamSynchronize(Stream) {
    return synchronized();
}
Error cudaStreamQuery(Stream) {
    return synchronized();
}
Error cudaStreamWaitEvent(Stream, Event, unsigned) {
    return cuda::success;
}
Error cudaStreamGetFlags(Stream stream, unsigned* flags) {
    *flags = isNamed(stream) ? 0 : reinterpret_cast<StreamHandle*>(stream)->flags;
    return cuda::success;
}
Error cudaStreamGetPriority(Stream stream, int* priority) {
    *priority = isNamed(stream) ? 0 : reinterpret_cast<StreamHandle*>(stream)->priority;
    return cuda::success;
}
Error cudaStreamGetDevice(Stream, int* device) {
    *device = 0;
    return cuda::success;
}
Error cudaStreamGetId(Stream stream, unsigned long long* id) {
    *id = reinterpret_cast<std::uintptr_t>(stream);
    return cuda::success;
}
Error cudaStreamAttachMemAsync(Stream, void*, std::size_t, unsigned) {
    return cuda::success;
}
Error cudaStreamSetAttribute(Stream, int, const void*) {
    return cuda::success;
}
Error cudaStreamAddCallback(Stream stream, void (*callback)(Stream, Error, void*), void* data,
                            unsigned) {
    callback(stream, synchronized(), data);
    return cuda::success;
}
Error cudaLaunchHostFunc(Stream, void (*function)(void*), void* data) {
    function(data);
    return cuda::success;
}
Error cudaStreamIsCapturing(Stream, int* status) {
    *status = 0;
    return cuda::success;
}
Error cudaThreadExchangeStreamCaptureMode(int*) {
    return cuda::success;
}

Error cudaEventCreateWithFlags(Event* event, unsigned) {
    *event = reinterpret_cast<Event>(new EventHandle);
    return cuda::success;
}
Error cudaEventCreate(Event* event) {
    return cudaEventCreateWithFlags(event, 0);
}
Error cudaEventDestroy(Event event) {
    delete reinterpret_cast<EventHandle*>(event);
    return cuda::success;
}
Error cudaEventRecord(Event event, Stream) {
    if (event == nullptr) return invalidHandle();
    reinterpret_cast<EventHandle*>(event)->milliseconds = millisecondsNow();
    return cuda::success;
}
Error cudaEventRecordWithFlags(Event event, Stream stream, unsigned) {
    return cudaEventRecord(event, stream);
}
Error cudaEventSynchronize(Event event) {
    return event == nullptr ? invalidHandle() : synchronized();
}
Error cudaEventQuery(Event event) {
    return cudaEventSynchronize(event);
}
Error cudaEventElapsedTime(float* milliseconds, Event from, Event to) {
    if (from == nullptr || to == nullptr) return invalidHandle();
    const auto lock = lockDevice();
    sendNote("times between the program's events are those of running it here, not a device's");
    *milliseconds = static_cast<float>(reinterpret_cast<EventHandle*>(to)->milliseconds -
                                       reinterpret_cast<EventHandle*>(from)->milliseconds);
    return cuda::success;
}

Error cudaProfilerStart() {
    return cuda::success;
}
Error cudaProfilerStop() {
    return cuda::success;
}

}  // extern "C"
