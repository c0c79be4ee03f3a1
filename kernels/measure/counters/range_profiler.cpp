#include "kernels/measure/counters/range_profiler.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "kernels/measure/counters/cupti_library.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/device/driver.h"

namespace warplens {

namespace {

using namespace std::chrono_literals;

constexpr auto firstWait = 20ms;
constexpr auto longestWait = 320ms;

}  // namespace

void withRetry(const RetryPolicy& policy, const std::function<void()>& attempt,
               const std::function<void(std::chrono::milliseconds)>& waits) {
    // Whoever asks in step with another meets it each time.
    std::minstd_rand random(std::random_device{}());
    std::chrono::milliseconds wait = firstWait;
    std::chrono::milliseconds waited{};
    while (true) {
        try {
            attempt();
            if (policy.note) policy.note(false);
            return;
        } catch (const CountersBusy& busy) {
            if (waited >= policy.longest) {
                if (policy.note) policy.note(true);
                throw CountersBusy(busy.what() + policy.suspects);
            }
        }
        const std::chrono::milliseconds now(wait.count() / 2 +
                                            static_cast<std::int64_t>(random()) % wait.count());
        waits(now);
        waited += now;
        wait = std::min<std::chrono::milliseconds>(2 * wait, longestWait);
    }
}

namespace {

CUcontext currentContext() {
    CUcontext context = nullptr;
    check(Driver::open().ctxGetCurrent(&context), "cuCtxGetCurrent");
    if (context == nullptr) throw CountersUnavailable("the driver gives no current context");
    return context;
}

void refuseUnsupported(const CUpti_Profiler_DeviceSupported_Params& answer) {
    if (answer.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED) return;
    const auto refused = [](CUpti_Profiler_Support_Level level) {
        return level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED ||
               level == CUPTI_PROFILER_CONFIGURATION_DISABLED;
    };
    std::string why;
    if (refused(answer.architecture)) why += " architecture (compute capability 7.5 is the least)";
    if (refused(answer.sli)) why += " SLI";
    if (refused(answer.vGpu)) why += " virtual GPU";
    if (refused(answer.confidentialCompute)) why += " confidential computing";
    if (refused(answer.cmp)) why += " mining card";
    if (refused(answer.wsl)) why += " WSL";
    throw CountersUnavailable("CUPTI does not profile this device because of:" +
                              (why.empty() ? " no stated reason" : why));
}

}  // namespace

RangeProfiler::RangeProfiler() : cupti_(CuptiLibrary::open()), context_(currentContext()) {
    auto initialize = WARPLENS_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params);
    cupti_.check(cupti_.profilerInitialize(&initialize), "cuptiProfilerInitialize");

    auto supported = WARPLENS_CUPTI_PARAMS(CUpti_Profiler_DeviceSupported_Params);
    // The driver numbers devices as the runtime does.
    supported.cuDevice = currentDevice();
    supported.api = CUPTI_PROFILER_RANGE_PROFILING;
    cupti_.check(cupti_.profilerDeviceSupported(&supported), "cuptiProfilerDeviceSupported");
    refuseUnsupported(supported);

    auto name = WARPLENS_CUPTI_PARAMS(CUpti_Device_GetChipName_Params);
    name.deviceIndex = static_cast<std::size_t>(supported.cuDevice);
    cupti_.check(cupti_.deviceGetChipName(&name), "cuptiDeviceGetChipName");

    // The first call that needs the rights: a locked machine says so here.
    auto availability = WARPLENS_CUPTI_PARAMS(CUpti_Profiler_GetCounterAvailability_Params);
    availability.ctx = context_;
    cupti_.check(cupti_.getCounterAvailability(&availability),
                 "cuptiProfilerGetCounterAvailability");
    std::vector<std::uint8_t> available(availability.counterAvailabilityImageSize);
    availability.pCounterAvailabilityImage = available.data();
    cupti_.check(cupti_.getCounterAvailability(&availability),
                 "cuptiProfilerGetCounterAvailability");

    chip_ = std::make_unique<ChipCounters>(cupti_, name.pChipName, std::move(available));
}

RangeProfiler::~RangeProfiler() {
    release();
}

void RangeProfiler::acquire() {
    if (profiler_ != nullptr) return;
    auto enable = WARPLENS_CUPTI_PARAMS(CUpti_RangeProfiler_Enable_Params);
    enable.ctx = context_;
    cupti_.check(cupti_.rangeEnable(&enable), "cuptiRangeProfilerEnable");
    profiler_ = enable.pRangeProfilerObject;
}

void RangeProfiler::release() {
    if (profiler_ == nullptr) return;
    auto params = WARPLENS_CUPTI_PARAMS(CUpti_RangeProfiler_Disable_Params);
    params.pRangeProfilerObject = profiler_;
    cupti_.rangeDisable(&params);
    profiler_ = nullptr;
    imageBytes_.clear();  // CUPTI 13.5 wants to be asked of each profiler
}

std::size_t RangeProfiler::imageBytes(std::size_t ranges) {
    std::size_t& kept = imageBytes_[ranges];
    if (kept != 0) return kept;
    std::vector<const char*> names(chip_->metricNames().begin(), chip_->metricNames().end());
    auto size = WARPLENS_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params);
    size.pRangeProfilerObject = profiler_;
    size.pMetricNames = names.data();
    size.numMetrics = names.size();
    size.maxNumOfRanges = ranges;
    size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(ranges);
    cupti_.check(cupti_.rangeGetCounterDataSize(&size), "cuptiRangeProfilerGetCounterDataSize");
    return kept = size.counterDataSize;
}

CounterReadings RangeProfiler::read(const std::function<void()>& launch, int repeats,
                                    const std::function<void()>& before) {
    const auto ranges = static_cast<std::size_t>(repeats);
    image_.assign(imageBytes(ranges), 0);
    auto clear = WARPLENS_CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
    clear.pRangeProfilerObject = profiler_;
    clear.counterDataSize = image_.size();
    clear.pCounterData = image_.data();
    cupti_.check(cupti_.rangeInitializeImage(&clear),
                 "cuptiRangeProfilerCounterDataImageInitialize");

    // User ranges with user replay: the kernels only write what they do not read, so a replay needs
    // nothing restored.
    auto config = WARPLENS_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig_Params);
    config.pRangeProfilerObject = profiler_;
    config.configSize = chip_->configImage().size();
    config.pConfig = chip_->configImage().data();
    config.counterDataImageSize = image_.size();
    config.pCounterDataImage = image_.data();
    config.range = CUPTI_UserRange;
    config.replayMode = CUPTI_UserReplay;
    config.maxRangesPerPass = ranges;
    config.numNestingLevels = 1;
    config.minNestingLevel = 1;
    config.passIndex = 0;
    config.targetNestingLevel = 1;
    cupti_.check(cupti_.rangeSetConfig(&config), "cuptiRangeProfilerSetConfig");

    replay(launch, repeats, before);

    CounterReadings readings{.values = {}, .passes = chip_->passes(), .repeats = repeats};
    for (std::size_t range = 0; range < ranges; ++range) {
        const std::vector<double> values = chip_->evaluate(image_, range);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (std::isfinite(values[i])) {
                readings.values[chip_->counters()[i]].push_back(values[i]);
            }
        }
    }
    return readings;
}

void RangeProfiler::replay(const std::function<void()>& launch, int repeats,
                           const std::function<void()>& before) {
    for (bool done = false; !done;) {
        auto start = WARPLENS_CUPTI_PARAMS(CUpti_RangeProfiler_Start_Params);
        start.pRangeProfilerObject = profiler_;
        cupti_.check(cupti_.rangeStart(&start), "cuptiRangeProfilerStart");
        for (int repeat = 0; repeat < repeats; ++repeat) {
            const std::string name = std::to_string(repeat);
            if (before) before();
            auto push = WARPLENS_CUPTI_PARAMS(CUpti_RangeProfiler_PushRange_Params);
            push.pRangeProfilerObject = profiler_;
            push.pRangeName = name.c_str();
            cupti_.check(cupti_.rangePush(&push), "cuptiRangeProfilerPushRange");
            launch();
            auto pop = WARPLENS_CUPTI_PARAMS(CUpti_RangeProfiler_PopRange_Params);
            pop.pRangeProfilerObject = profiler_;
            cupti_.check(cupti_.rangePop(&pop), "cuptiRangeProfilerPopRange");
        }
        auto stop = WARPLENS_CUPTI_PARAMS(CUpti_RangeProfiler_Stop_Params);
        stop.pRangeProfilerObject = profiler_;
        cupti_.check(cupti_.rangeStop(&stop), "cuptiRangeProfilerStop");
        done = stop.isAllPassSubmitted != 0;
    }
    auto decode = WARPLENS_CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData_Params);
    decode.pRangeProfilerObject = profiler_;
    cupti_.check(cupti_.rangeDecodeData(&decode), "cuptiRangeProfilerDecodeData");
    if (decode.numOfRangeDropped != 0) {
        throw CountersUnavailable("CUPTI dropped " + std::to_string(decode.numOfRangeDropped) +
                                  " of the ranges");
    }
}

}  // namespace warplens
