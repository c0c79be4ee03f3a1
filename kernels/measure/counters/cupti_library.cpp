#include "kernels/measure/counters/cupti_library.h"

#include <algorithm>
#include <dlfcn.h>
#include <mutex>
#include <new>

#include "kernels/device/compile.h"

namespace warplens {

namespace {

void* openLibrary(const std::vector<std::string>& folders) {
    for (const std::string& folder : folders) {
        // CUPTI looks for its two halves by plain name: load those that belong to it first.
        for (const char* half : {"libnvperf_host.so", "libnvperf_target.so"}) {
            if (!folder.empty()) dlopen((folder + half).c_str(), RTLD_NOW | RTLD_GLOBAL);
        }
        if (void* library = dlopen((folder + "libcupti.so.13").c_str(), RTLD_NOW)) return library;
    }
    throw CountersUnavailable(
        "libcupti.so.13 not found; install the CUDA Toolkit's CUPTI, or "
        "nvidia-cuda-cupti==13.0.* with pip, or set CUDA_PATH to the toolkit's folder");
}

template <class Function>
void find(void* library, Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) {
        throw CountersUnavailable(std::string("libcupti.so.13 has no ") + name +
                                  "; CUPTI of CUDA 13.0 or newer is needed");
    }
}

// What CUPTI writes depends on its own version, not on the headers: only what has stayed in its
// place is read. Every later struct begins as this one.
using KernelRecord = CUpti_ActivityKernel10;
static_assert(offsetof(KernelRecord, start) == offsetof(CUpti_ActivityKernel4, start));
static_assert(offsetof(KernelRecord, end) == offsetof(CUpti_ActivityKernel4, end));
static_assert(offsetof(KernelRecord, name) == offsetof(CUpti_ActivityKernel4, name));
static_assert(offsetof(KernelRecord, start) == offsetof(CUpti_ActivityKernel9, start));
static_assert(offsetof(KernelRecord, name) == offsetof(CUpti_ActivityKernel9, name));

using CopyRecord = CUpti_ActivityMemcpy6;
static_assert(offsetof(CopyRecord, start) == offsetof(CUpti_ActivityMemcpy4, start));
static_assert(offsetof(CopyRecord, end) == offsetof(CUpti_ActivityMemcpy4, end));

// Some hundred records; small enough for the heap to have it again at once.
constexpr std::size_t bufferBytes = 64 * 1024;
constexpr std::align_val_t bufferAlignment{ACTIVITY_RECORD_ALIGNMENT};

/// Where CUPTI's callbacks, which take no argument of ours, leave what they were given.
struct CollectedStamps final {
    std::mutex mutex;
    std::vector<KernelStamp> stamps;
    CUptiResult (*next)(std::uint8_t*, std::size_t, CUpti_Activity**) = nullptr;
};

CollectedStamps& collected() {
    static CollectedStamps all;
    return all;
}

void CUPTIAPI giveBuffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
    *buffer =
        static_cast<std::uint8_t*>(::operator new(bufferBytes, bufferAlignment, std::nothrow));
    *size = *buffer == nullptr ? 0 : bufferBytes;
    *most = 0;
}

void CUPTIAPI takeBuffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                         std::size_t valid) {
    CollectedStamps& all = collected();
    const std::lock_guard lock(all.mutex);
    CUpti_Activity* record = nullptr;
    while (valid > 0 && all.next(buffer, valid, &record) == CUPTI_SUCCESS) {
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL ||
            record->kind == CUPTI_ACTIVITY_KIND_KERNEL) {
            const auto* kernel = reinterpret_cast<const KernelRecord*>(record);
            all.stamps.push_back({kernel->start, kernel->end,
                                  kernel->name == nullptr ? std::string() : kernel->name});
        } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
            const auto* copy = reinterpret_cast<const CopyRecord*>(record);
            all.stamps.push_back({copy->start, copy->end, {}});
        }
    }
    ::operator delete(buffer, bufferAlignment);
}

/// Records are made while this lives.
class ActivityRecording final {
  public:
    ActivityRecording(const CuptiLibrary& cupti, CUpti_ActivityKind kind)
        : cupti_(cupti), kind_(kind) {
        check(cupti.activityRegisterCallbacks(giveBuffer, takeBuffer),
              "cuptiActivityRegisterCallbacks");
        check(cupti.activityEnable(kind), "cuptiActivityEnable");
    }
    ActivityRecording(ActivityRecording&&) = delete;
    ~ActivityRecording() { cupti_.activityDisable(kind_); }

    void flush() const {
        check(cupti_.activityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "cuptiActivityFlushAll");
    }

  private:
    void check(CUptiResult result, const char* call) const {
        if (result == CUPTI_SUCCESS) return;
        const char* name = nullptr;
        cupti_.getResultString(result, &name);
        throw StampsUnavailable(std::string(call) + ": " +
                                explain(result, name != nullptr ? name : "unknown error"));
    }

    const CuptiLibrary& cupti_;
    CUpti_ActivityKind kind_;
};

}  // namespace

CuptiLibrary::CuptiLibrary(const std::vector<std::string>& folders) {
    void* const library = openLibrary(folders);
#define WARPLENS_FIND(member, name) find(library, member, #name);
    WARPLENS_CUPTI_FUNCTIONS(WARPLENS_FIND)
#undef WARPLENS_FIND
}

const CuptiLibrary& CuptiLibrary::open() {
    // A failed attempt throws and is made again next time.
    static const CuptiLibrary library(cudaLibraryFolders());
    return library;
}

void CuptiLibrary::check(CUptiResult result, const char* call) const {
    if (result == CUPTI_SUCCESS) return;
    const char* name = nullptr;
    getResultString(result, &name);
    const std::string words =
        std::string(call) + ": " + explain(result, name != nullptr ? name : "unknown error");
    if (result == CUPTI_ERROR_HARDWARE_BUSY) throw CountersBusy(words);
    throw CountersUnavailable(words);
}

std::string explain(CUptiResult result, const std::string& name) {
    const std::string code = name + " (" + std::to_string(static_cast<int>(result)) + ")";
    switch (result) {
        case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
            return "this account may not read the GPU's counters, " + code +
                   ". Run as root, or have the administrator put `options nvidia "
                   "NVreg_RestrictProfilingToAdminUsers=0` into a file in /etc/modprobe.d, run "
                   "`update-initramfs -u -k all` and reboot; in a container add "
                   "--cap-add=SYS_ADMIN";
        case CUPTI_ERROR_HARDWARE_BUSY:
            return "another program holds the GPU's counters, " + code +
                   ". Close Nsight tools; where DCGM watches the machine, `dcgmi profile --pause` "
                   "releases them";
        case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
            return "another profiler is attached to this program, " + code +
                   ". Start it without the profiler, or use --no-counters";
        case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
            return "the virtual machine's host does not let its guests read counters, " + code;
        case CUPTI_ERROR_NOT_INITIALIZED:
            return "CUPTI does not fit the driver or lacks libnvperf beside it, " + code +
                   ". A driver for CUDA 13 is needed";
        case CUPTI_ERROR_INVALID_CHIP_NAME:
            return "CUPTI does not know this GPU, " + code;
        case CUPTI_ERROR_NOT_SUPPORTED:
            return "CUPTI does not support this, " + code;
        case CUPTI_ERROR_UNKNOWN:
            return "no driver answered, " + code;
        default:
            return code;
    }
}

std::vector<KernelStamp> ActivityRecords::stampsOf(StampKind kind,
                                                   const std::function<void()>& work) const {
    return recordsOf(kind == StampKind::concurrent ? CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL
                                                   : CUPTI_ACTIVITY_KIND_KERNEL,
                     work);
}

std::vector<KernelStamp> ActivityRecords::copyStampsOf(const std::function<void()>& work) const {
    return recordsOf(CUPTI_ACTIVITY_KIND_MEMCPY, work);
}

std::vector<KernelStamp> ActivityRecords::recordsOf(CUpti_ActivityKind kind,
                                                    const std::function<void()>& work) const {
    CollectedStamps& all = collected();
    {
        const std::lock_guard lock(all.mutex);
        all.next = cupti_.activityGetNextRecord;
        all.stamps.clear();
    }
    {
        const ActivityRecording recording(cupti_, kind);
        work();
        recording.flush();
    }
    std::vector<KernelStamp> stamps;
    {
        const std::lock_guard lock(all.mutex);
        stamps.swap(all.stamps);
    }
    std::ranges::sort(stamps, {}, &KernelStamp::begin);
    for (const KernelStamp& stamp : stamps) {
        if (stamp.begin == 0 || stamp.end < stamp.begin) {
            throw StampsUnavailable("CUPTI gave a record without its time stamps");
        }
    }
    return stamps;
}

}  // namespace warplens
