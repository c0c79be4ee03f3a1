#include "kernels/measure/device/activity_records.h"

#include <algorithm>
#include <cstddef>
#include <cupti_activity.h>
#include <mutex>
#include <new>

namespace warplens {
namespace {

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
    ActivityRecording(const ActivityRecording&) = delete;
    ActivityRecording& operator=(const ActivityRecording&) = delete;
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
