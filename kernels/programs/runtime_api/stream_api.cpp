// Streams, events and what is captured of them. Everything is done when its call returns, unless a
// graph is recorded.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <set>

#include "kernels/programs/runtime_api/device.h"
#include "kernels/programs/runtime_api/in_flight.h"
#include "kernels/programs/runtime_api/report.h"
#include "kernels/programs/runtime_api/streams.h"

using namespace warplens;
using namespace warplens::programs;
using cuda::Error;
using cuda::Event;
using cuda::Stream;

namespace {

struct StreamHandle;
/// A graph while streams record it.
struct Capture final {
    Graph* graph = nullptr;  ///< the person's own in the end
    std::set<StreamHandle*> streams;
};
struct StreamHandle final {
    unsigned flags = 0;
    int priority = 0;
    std::uint64_t number = 1;  ///< `StreamId::number`
    std::shared_ptr<Capture> capture{};
    std::vector<GraphNode*> last{};  ///< what the next node comes behind
};
struct EventHandle final {
    double milliseconds = 0;
    StreamClock before{};  ///< of the stream that it was recorded in
    std::shared_ptr<Capture> capture{};
    std::vector<GraphNode*> last{};
};

// CUDA's own streams: legacy and per thread.
bool isNamed(Stream stream) {
    return reinterpret_cast<std::uintptr_t>(stream) <= 2;
}
/// Null of the legacy stream, which nobody can capture.
StreamHandle* handleOf(Stream stream) {
    static StreamHandle ofThread;
    if (reinterpret_cast<std::uintptr_t>(stream) == 2) return &ofThread;
    return isNamed(stream) ? nullptr : reinterpret_cast<StreamHandle*>(stream);
}
EventHandle* handleOf(Event event) {
    return reinterpret_cast<EventHandle*>(event);
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
    return fail(cuda::invalidResourceHandle);
}
constexpr auto illegalState = static_cast<Error>(401);

}  // namespace

namespace warplens::programs {

StreamId idOf(Stream stream) {
    const StreamHandle* handle = handleOf(stream);
    return handle == nullptr ? StreamId{} : StreamId{handle->number, (handle->flags & 1) == 0};
}

Graph* captured(Stream stream) {
    const StreamHandle* handle = handleOf(stream);
    return handle == nullptr || !handle->capture ? nullptr : handle->capture->graph;
}

GraphNode& record(Stream stream, NodeKind kind) {
    StreamHandle& handle = *handleOf(stream);
    GraphNode& node = handle.capture->graph->add(kind, handle.last);
    handle.last = {&node};
    return node;
}

Error enqueue(Stream stream, std::function<Error()> does, NodeKind kind) {
    if (captured(stream) == nullptr) return does();
    record(stream, kind).other = std::move(does);
    return cuda::success;
}

}  // namespace warplens::programs

extern "C" {

Error cudaStreamCreateWithPriority(Stream* stream, unsigned flags, int priority) {
    static std::atomic<std::uint64_t> number = 1;  // the stream of a thread
    return give(stream, reinterpret_cast<Stream>(new StreamHandle{flags, priority, ++number}));
}
Error cudaStreamCreate(Stream* stream) {
    return cudaStreamCreateWithPriority(stream, 0, 0);
}
Error cudaStreamCreateWithFlags(Stream* stream, unsigned flags) {
    return cudaStreamCreateWithPriority(stream, flags, 0);
}
Error cudaStreamDestroy(Stream stream) {
    if (isNamed(stream)) return invalidHandle();
    StreamHandle* handle = handleOf(stream);
    // What it recorded stays: another stream ends the capture.
    if (handle->capture) handle->capture->streams.erase(handle);
    delete handle;
    return cuda::success;
}
Error cudaStreamSynchronize(Stream stream) {
    const auto lock = lockDevice();
    if (isNamed(stream))
        waitForLaunches();
    else
        waitForLaunches(stream);
    waitFor(before(idOf(stream)));
    return synchronized();
}
Error cudaStreamQuery(Stream stream) {
    const auto lock = lockDevice();
    waitForNothing();
    if (resumeLaunches()) return cuda::notReady;
    waitFor(before(idOf(stream)));
    return synchronized();
}
Error cudaStreamWaitEvent(Stream stream, Event event, unsigned) {
    StreamHandle* handle = handleOf(stream);
    const EventHandle* awaited = handleOf(event);
    if (awaited == nullptr) return invalidHandle();
    if (captured(stream) == nullptr && !awaited->capture) {
        const auto lock = lockDevice();
        waitForNothing();
        letWait(idOf(stream), awaited->before);
    }
    if (handle == nullptr || !awaited->capture || awaited->capture->graph == nullptr)
        return cuda::success;
    if (!handle->capture) handle->last.clear();
    handle->capture = awaited->capture;
    handle->capture->streams.insert(handle);
    for (GraphNode* node : awaited->last) {
        if (std::ranges::find(handle->last, node) == handle->last.end())
            handle->last.push_back(node);
    }
    return cuda::success;
}
Error cudaStreamGetFlags(Stream stream, unsigned* flags) {
    return give(flags, isNamed(stream) ? 0 : handleOf(stream)->flags);
}
Error cudaStreamGetPriority(Stream stream, int* priority) {
    return give(priority, isNamed(stream) ? 0 : handleOf(stream)->priority);
}
Error cudaStreamGetId(Stream stream, unsigned long long* id) {
    return give(id, reinterpret_cast<std::uintptr_t>(stream));
}
Error cudaStreamGetAttribute(Stream, int, void* value) {
    std::memset(value, 0, 64);
    return cuda::success;
}
Error cudaStreamAddCallback(Stream stream, void (*callback)(Stream, Error, void*), void* data,
                            unsigned) {
    return enqueue(
        stream,
        [=] {
            const auto lock = lockDevice();  // what comes before it in the stream is done by then
            waitForNothing();
            callBehind(before(idOf(stream)));
            callback(stream, RuntimeDevice::instance().lost(), data);
            return cuda::success;
        },
        NodeKind::host);
}
Error cudaLaunchHostFunc(Stream stream, void (*function)(void*), void* data) {
    return enqueue(
        stream,
        [=] {
            const auto lock = lockDevice();
            waitForNothing();
            callBehind(before(idOf(stream)));
            function(data);
            return cuda::success;
        },
        NodeKind::host);
}

Error cudaStreamBeginCaptureToGraph(Stream stream, Graph* graph, GraphNode* const* needs,
                                    const void*, std::size_t count, int) {
    StreamHandle* handle = handleOf(stream);
    if (handle == nullptr) return fail(static_cast<Error>(900));  // of the legacy stream
    if (handle->capture) return fail(illegalState);
    handle->capture = std::make_shared<Capture>(Capture{graph, {handle}});
    handle->last.assign(needs, needs + count);
    return cuda::success;
}
Error cudaStreamBeginCapture(Stream stream, int mode) {
    return cudaStreamBeginCaptureToGraph(stream, new Graph, nullptr, nullptr, 0, mode);
}
Error cudaStreamEndCapture(Stream stream, Graph** graph) {
    StreamHandle* handle = handleOf(stream);
    if (handle == nullptr || !handle->capture) return fail(illegalState);
    const std::shared_ptr<Capture> capture = handle->capture;
    if (graph != nullptr) *graph = capture->graph;
    capture->graph = nullptr;
    for (StreamHandle* each : capture->streams) {
        each->capture.reset();
        each->last.clear();
    }
    return cuda::success;
}
Error cudaStreamIsCapturing(Stream stream, int* status) {
    return give(status, captured(stream) != nullptr ? 1 : 0);
}
Error cudaStreamGetCaptureInfo(Stream stream, int* status, unsigned long long* id, Graph** graph,
                               GraphNode* const** needs, const void** edges, std::size_t* count) {
    Graph* recorded = captured(stream);
    if (status != nullptr) *status = recorded != nullptr ? 1 : 0;
    if (recorded == nullptr) return cuda::success;
    const StreamHandle& handle = *handleOf(stream);
    if (id != nullptr) *id = reinterpret_cast<std::uintptr_t>(recorded);
    if (graph != nullptr) *graph = recorded;
    if (needs != nullptr) *needs = handle.last.data();
    if (edges != nullptr) *edges = nullptr;
    if (count != nullptr) *count = handle.last.size();
    return cuda::success;
}
Error cudaStreamUpdateCaptureDependencies(Stream stream, GraphNode** needs, const void*,
                                          std::size_t count, unsigned flags) {
    if (captured(stream) == nullptr) return fail(illegalState);
    StreamHandle& handle = *handleOf(stream);
    if (flags == 1) handle.last.clear();
    handle.last.insert(handle.last.end(), needs, needs + count);
    return cuda::success;
}

Error cudaEventCreateWithFlags(Event* event, unsigned) {
    return give(event, reinterpret_cast<Event>(new EventHandle));
}
Error cudaEventDestroy(Event event) {
    delete handleOf(event);
    return cuda::success;
}
Error cudaEventRecord(Event event, Stream stream) {
    if (event == nullptr) return invalidHandle();
    const auto lock = lockDevice();
    waitForNothing();
    EventHandle& handle = *handleOf(event);
    handle.milliseconds = millisecondsNow();
    handle.capture = nullptr;
    handle.before = before(idOf(stream));
    if (captured(stream) != nullptr) {
        handle.capture = handleOf(stream)->capture;
        handle.last = handleOf(stream)->last;
    }
    return cuda::success;
}
Error cudaEventSynchronize(Event event) {
    if (event == nullptr) return invalidHandle();
    const auto lock = lockDevice();
    waitFor(handleOf(event)->before);
    return synchronized();
}
Error cudaEventQuery(Event event) {
    const auto lock = lockDevice();
    waitForNothing();
    return event != nullptr && resumeLaunches() ? cuda::notReady : cudaEventSynchronize(event);
}
Error cudaEventElapsedTime(float* milliseconds, Event from, Event to) {
    if (from == nullptr || to == nullptr) return invalidHandle();
    const auto lock = lockDevice();
    waitForNothing();
    sendNote("times between the program's events are those of running it here, not a device's");
    return give(milliseconds,
                static_cast<float>(handleOf(to)->milliseconds - handleOf(from)->milliseconds));
}

}  // extern "C"
