#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include "kernels/trace/runtime/device_error.h"
#include "kernels/trace/runtime/launch_state.h"
#include "kernels/trace/runtime/memory.h"
#include "kernels/trace/runtime/report.h"
#include "kernels/trace/runtime/tally.h"
#include "kernels/trace/runtime/watch.h"

namespace warplens::runtime {
namespace {

int pendingError = 0;
bool errorStays = false;
void (*drawOnce)() = nullptr;
void (*idleOnce)() = nullptr;

double milliseconds() {
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

void finish() {
    reportNeverFreed();
    sendFindings();
}

__attribute__((constructor(200))) void begin() {
    (void)wishes();
    setUpMemory();
    setUpPlaces();
    watchSignals();
    std::atexit(finish);
}

}  // namespace

void setDeviceError(int error, bool sticky) {
    pendingError = error;
    errorStays = errorStays || sticky;
}

bool deviceErrorIsSticky() {
    return errorStays;
}

}  // namespace warplens::runtime

using namespace warplens;
using namespace warplens::runtime;

struct wl_stream {
    int unused;
};
struct wl_event {
    double at;
};

extern "C" {

int wl_error(int clear) {
    const int error = pendingError;
    if (clear != 0 && !errorStays) pendingError = 0;
    return error;
}

int wl_synchronize() {
    return errorStays ? pendingError : 0;
}

int wl_occupancy(int threads, std::size_t shared) {
    if (threads < 1 || threads > 1024) return 0;
    const int warps = (threads + 31) / 32;
    int blocks = std::min(32, 64 / warps);
    if (shared != 0) blocks = std::min(blocks, static_cast<int>(233472 / (shared + 1024)));
    return blocks;
}

int wl_event_create(wl_event** event) {
    *event = new wl_event{0};
    return 0;
}
int wl_event_record(wl_event* event) {
    if (event == nullptr) return 400;
    event->at = milliseconds();
    return 0;
}
int wl_event_destroy(wl_event* event) {
    delete event;
    return 0;
}
int wl_event_elapsed(float* result, wl_event* from, wl_event* to) {
    if (from == nullptr || to == nullptr) return 400;
    static bool told = false;
    if (!told)
        sendNote("times between the program's events are those of tracing it, not a device's");
    told = true;
    *result = static_cast<float>(to->at - from->at);
    return 0;
}
int wl_stream_create(wl_stream** stream) {
    *stream = new wl_stream{0};
    return 0;
}
int wl_stream_destroy(wl_stream* stream) {
    if (reinterpret_cast<std::uintptr_t>(stream) > 2) delete stream;
    return 0;
}

/// A function of a library that is not there (missing_functions.h). What draws is passed over; of
/// anything else the program needs what it would return: it ends here.
int wl_missing(const char* name) {
    if (std::strncmp(name, "gl", 2) == 0) {
        static bool told = false;
        if (!told) sendNote("nothing is drawn: OpenGL's and GLUT's functions are passed over");
        told = true;
        return 0;
    }
    const std::string words = std::string("the program calls ") + name +
                              ", a function of a library that is not linked: it ends here";
    const auto back = reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
    if (laneRunner.current() != nullptr) failLaunch(FindingKind::notSupported, words, 0, 98);
    addHostFinding(FindingKind::notSupported, words, {back - 1});
    sendFindings();
    std::fflush(nullptr);
    _exit(1);
}

/// GLUT's loop, gone round once: what a program draws it may compute there.
__attribute__((weak)) void glutDisplayFunc(void (*display)()) {
    drawOnce = display;
}
__attribute__((weak)) void glutIdleFunc(void (*idle)()) {
    idleOnce = idle;
}
__attribute__((weak)) void glutMainLoop() {
    (void)wl_missing("glutMainLoop");
    if (idleOnce != nullptr) idleOnce();
    if (drawOnce != nullptr) drawOnce();
    std::exit(0);
}

/// OpenMP as its specification has it for one thread: pragmas are not compiled.
__attribute__((weak)) int omp_get_num_threads() {
    return 1;
}
__attribute__((weak)) int omp_get_max_threads() {
    return 1;
}
__attribute__((weak)) int omp_get_num_procs() {
    return 1;
}
__attribute__((weak)) int omp_get_thread_num() {
    return 0;
}
__attribute__((weak)) void omp_set_num_threads(int) {}
__attribute__((weak)) double omp_get_wtime() {
    return milliseconds() / 1000;
}

/// assert() in a kernel is told as a finding, and stops the launch as on a device.
void __assert_fail(const char* expression, const char* file, unsigned line,
                   const char* function) noexcept {
    if (laneRunner.current() != nullptr) {
        addFindingInKernel(FindingKind::failedAssertion,
                           std::string("assertion '") + expression + "' fails", {file, line, 0});
        launchState.failed = true;
        launchState.error = 710;
        laneRunner.abandon();
    }
    std::fflush(stdout);
    std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
    std::abort();
}

}  // extern "C"
