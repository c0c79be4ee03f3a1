#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda.h>
#include <cupti.h>
#include <cupti_activity.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace warplens {

/// The counters cannot be read: why, and what would help. Never the end of a measurement.
class CountersUnavailable : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Somebody else has them now.
class CountersBusy final : public CountersUnavailable {
  public:
    using CountersUnavailable::CountersUnavailable;
};

/// What a CuptiLibrary calls the functions of CUPTI's.
#define WARPLENS_CUPTI_FUNCTIONS(X)                                       \
    X(hostInitialize, cuptiProfilerHostInitialize)                        \
    X(hostDeinitialize, cuptiProfilerHostDeinitialize)                    \
    X(hostGetSupportedChips, cuptiProfilerHostGetSupportedChips)          \
    X(hostGetMetricProperties, cuptiProfilerHostGetMetricProperties)      \
    X(hostConfigAddMetrics, cuptiProfilerHostConfigAddMetrics)            \
    X(hostGetConfigImageSize, cuptiProfilerHostGetConfigImageSize)        \
    X(hostGetConfigImage, cuptiProfilerHostGetConfigImage)                \
    X(hostGetNumOfPasses, cuptiProfilerHostGetNumOfPasses)                \
    X(hostEvaluateToGpuValues, cuptiProfilerHostEvaluateToGpuValues)      \
    X(profilerInitialize, cuptiProfilerInitialize)                        \
    X(profilerDeviceSupported, cuptiProfilerDeviceSupported)              \
    X(getCounterAvailability, cuptiProfilerGetCounterAvailability)        \
    X(deviceGetChipName, cuptiDeviceGetChipName)                          \
    X(rangeEnable, cuptiRangeProfilerEnable)                              \
    X(rangeDisable, cuptiRangeProfilerDisable)                            \
    X(rangeGetCounterDataSize, cuptiRangeProfilerGetCounterDataSize)      \
    X(rangeInitializeImage, cuptiRangeProfilerCounterDataImageInitialize) \
    X(rangeSetConfig, cuptiRangeProfilerSetConfig)                        \
    X(rangeStart, cuptiRangeProfilerStart)                                \
    X(rangeStop, cuptiRangeProfilerStop)                                  \
    X(rangePush, cuptiRangeProfilerPushRange)                             \
    X(rangePop, cuptiRangeProfilerPopRange)                               \
    X(rangeDecodeData, cuptiRangeProfilerDecodeData)                      \
    X(getSassToSource, cuptiGetSassToSourceCorrelation)                   \
    X(activityRegisterCallbacks, cuptiActivityRegisterCallbacks)          \
    X(activityEnable, cuptiActivityEnable)                                \
    X(activityDisable, cuptiActivityDisable)                              \
    X(activityFlushAll, cuptiActivityFlushAll)                            \
    X(activityGetNextRecord, cuptiActivityGetNextRecord)                  \
    X(sassGetProperties, cuptiSassMetricsGetProperties)                   \
    X(sassSetConfig, cuptiSassMetricsSetConfig)                           \
    X(sassEnable, cuptiSassMetricsEnable)                                 \
    X(sassDisable, cuptiSassMetricsDisable)                               \
    X(sassGetDataProperties, cuptiSassMetricsGetDataProperties)           \
    X(sassFlushData, cuptiSassMetricsFlushData)                           \
    X(getVersion, cuptiGetVersion)                                        \
    X(getResultString, cuptiGetResultString)

/// CUPTI's functions, found with dlopen so that a machine without CUPTI loses only the counters.
/// The host half (names, configurations, evaluation) works without a GPU or a driver.
class CuptiLibrary final {
  public:
    /// Opens the library once for the process. Searches where NVRTC is searched, too
    /// (cudaLibraryFolders). Throws CountersUnavailable, naming the file or the function that is
    /// missing.
    static const CuptiLibrary& open();

    /// From the first of the folders, each ending in a slash, that has it. Throws as `open`.
    explicit CuptiLibrary(const std::vector<std::string>& folders);

    /// Throws CountersUnavailable with the error's meaning and remedy unless `result` is a success.
    void check(CUptiResult result, const char* call) const;

#define WARPLENS_MEMBER(member, name) decltype(&name) member = nullptr;
    WARPLENS_CUPTI_FUNCTIONS(WARPLENS_MEMBER)
#undef WARPLENS_MEMBER
};

/// What a CUPTI error means for a person and what they can do about it.
[[nodiscard]] std::string explain(CUptiResult result, const std::string& name);

/// A CUPTI parameter struct with its size set and everything else zero, as every call wants it.
template <class Params>
[[nodiscard]] Params cuptiParams(std::size_t structSize) {
    Params params{};
    params.structSize = structSize;
    return params;
}

}  // namespace warplens

#define WARPLENS_CUPTI_PARAMS(name) warplens::cuptiParams<name>(name##_STRUCT_SIZE)

namespace warplens {

/// The device's time stamps cannot be had: why. Events then stand in for them.
class StampsUnavailable final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// When one kernel, or one copy, ran by the device's own clock.
struct KernelStamp final {
    std::uint64_t begin = 0;  ///< nanoseconds, of an arbitrary origin
    std::uint64_t end = 0;
    std::string name;  ///< mangled, as compiled

    [[nodiscard]] std::uint64_t nanoseconds() const { return end - begin; }
};

/// The two ways in which CUPTI stamps kernels. Neither is right for all: on an H200, one that fills
/// the device for 2 microseconds is told as 1.82 by the first and as 3.20 by the second, and one of
/// a million blocks, 1057 microseconds long by events, as 1120 by the first, which really slows it
/// down, and as 1057 by the second. Whichever tells the shorter time disturbs less.
enum class StampKind : std::uint8_t {
    concurrent,  ///< adds next to nothing to a run, and slows down kernels of many blocks
    serial,      ///< adds 1 to 1.4 microseconds to a run, and slows down nothing
};

/// Reads from CUPTI's activity records when kernels of this process began and ended. Needs no
/// rights to the counters and works while another process holds them. The records are on only while
/// `stampsOf` runs: nothing else is slower for them, and the counters may be opened afterwards.
/// Reads no struct beyond the members that every CUPTI since 9 lays out alike.
class ActivityRecords final {
  public:
    /// Throws CountersUnavailable where the library cannot be found or is no CUPTI.
    explicit ActivityRecords(const CuptiLibrary& cupti) : cupti_(cupti) {}

    /// The kernels that `work` launches, in the order in which they began. `work` must return only
    /// when the device is done with them. Some 100 us beside the work itself. One call at a time in
    /// a process. Throws StampsUnavailable, or what `work` throws.
    [[nodiscard]] std::vector<KernelStamp> stampsOf(StampKind kind,
                                                    const std::function<void()>& work) const;

    /// The same of the copies of memory that `work` starts; they have no names.
    [[nodiscard]] std::vector<KernelStamp> copyStampsOf(const std::function<void()>& work) const;

  private:
    [[nodiscard]] std::vector<KernelStamp> recordsOf(CUpti_ActivityKind kind,
                                                     const std::function<void()>& work) const;

    const CuptiLibrary& cupti_;
};

}  // namespace warplens
