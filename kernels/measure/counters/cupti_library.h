#pragma once

#include <cstddef>
#include <cuda.h>
#include <cupti.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
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

    decltype(&cuptiProfilerHostInitialize) hostInitialize = nullptr;
    decltype(&cuptiProfilerHostDeinitialize) hostDeinitialize = nullptr;
    decltype(&cuptiProfilerHostGetSupportedChips) hostGetSupportedChips = nullptr;
    decltype(&cuptiProfilerHostGetMetricProperties) hostGetMetricProperties = nullptr;
    decltype(&cuptiProfilerHostConfigAddMetrics) hostConfigAddMetrics = nullptr;
    decltype(&cuptiProfilerHostGetConfigImageSize) hostGetConfigImageSize = nullptr;
    decltype(&cuptiProfilerHostGetConfigImage) hostGetConfigImage = nullptr;
    decltype(&cuptiProfilerHostGetNumOfPasses) hostGetNumOfPasses = nullptr;
    decltype(&cuptiProfilerHostEvaluateToGpuValues) hostEvaluateToGpuValues = nullptr;
    decltype(&cuptiProfilerInitialize) profilerInitialize = nullptr;
    decltype(&cuptiProfilerDeviceSupported) profilerDeviceSupported = nullptr;
    decltype(&cuptiProfilerGetCounterAvailability) getCounterAvailability = nullptr;
    decltype(&cuptiDeviceGetChipName) deviceGetChipName = nullptr;
    decltype(&cuptiRangeProfilerEnable) rangeEnable = nullptr;
    decltype(&cuptiRangeProfilerDisable) rangeDisable = nullptr;
    decltype(&cuptiRangeProfilerGetCounterDataSize) rangeGetCounterDataSize = nullptr;
    decltype(&cuptiRangeProfilerCounterDataImageInitialize) rangeInitializeImage = nullptr;
    decltype(&cuptiRangeProfilerSetConfig) rangeSetConfig = nullptr;
    decltype(&cuptiRangeProfilerStart) rangeStart = nullptr;
    decltype(&cuptiRangeProfilerStop) rangeStop = nullptr;
    decltype(&cuptiRangeProfilerPushRange) rangePush = nullptr;
    decltype(&cuptiRangeProfilerPopRange) rangePop = nullptr;
    decltype(&cuptiRangeProfilerDecodeData) rangeDecodeData = nullptr;
    decltype(&cuptiGetSassToSourceCorrelation) getSassToSource = nullptr;
    decltype(&cuptiActivityRegisterCallbacks) activityRegisterCallbacks = nullptr;
    decltype(&cuptiActivityEnable) activityEnable = nullptr;
    decltype(&cuptiActivityDisable) activityDisable = nullptr;
    decltype(&cuptiActivityFlushAll) activityFlushAll = nullptr;
    decltype(&cuptiActivityGetNextRecord) activityGetNextRecord = nullptr;
    decltype(&cuptiSassMetricsGetProperties) sassGetProperties = nullptr;
    decltype(&cuptiSassMetricsSetConfig) sassSetConfig = nullptr;
    decltype(&cuptiSassMetricsEnable) sassEnable = nullptr;
    decltype(&cuptiSassMetricsDisable) sassDisable = nullptr;
    decltype(&cuptiSassMetricsGetDataProperties) sassGetDataProperties = nullptr;
    decltype(&cuptiSassMetricsFlushData) sassFlushData = nullptr;
    decltype(&cuptiGetVersion) getVersion = nullptr;
    decltype(&cuptiGetResultString) getResultString = nullptr;
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
