#include "kernels/measure/counters/range_profiler.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "core/launch/mapping.h"
#include "core/text/format.h"
#include "kernels/measure/counters/cupti_library.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/device/driver.h"

namespace warplens {

namespace {

using namespace std::chrono_literals;

constexpr auto firstWait = 20ms;
constexpr auto longestWait = 320ms;

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

/// Reads counters by name, turning absence into a reason that is passed along.
class Readings final {
  public:
    explicit Readings(const CounterReadings& readings) : readings_(readings) {}

    /// Median of the repeats.
    [[nodiscard]] std::optional<double> operator[](Counter counter) const {
        const auto found = readings_.values.find(counter);
        if (found == readings_.values.end()) return std::nullopt;
        std::vector<double> repeats = found->second;
        std::ranges::sort(repeats);
        return repeats[(repeats.size() - 1) / 2];
    }

  private:
    const CounterReadings& readings_;
};

using Content = std::variant<double, Unavailable>;

std::string missingReason(Counter counter) {
    return std::string(counterTable()[static_cast<std::size_t>(counter)].missing);
}

/// `compute` of the counters' values, or why one of them is missing.
template <class Compute, class... Counters>
Content from(const Readings& read, Compute compute, Counters... counters) {
    std::string reason;
    const auto require = [&](Counter counter) {
        if (!read[counter] && reason.empty()) reason = missingReason(counter);
    };
    (require(counters), ...);
    if (!reason.empty()) return Unavailable{reason};
    return compute(*read[counters]...);
}

auto quotient(const char* whenNone, double factor = 1) {
    return [=](double part, double whole) -> Content {
        if (whole == 0) return Unavailable{whenNone};
        return factor * part / whole;
    };
}

const auto itself = [](double value) -> Content { return value; };

/// The chip's own rate is made of counters of two passes, and may come to more than all.
const auto hitRate = [](double hits, double misses) -> Content {
    if (hits + misses == 0) return Unavailable{"no sectors were looked up"};
    return 100 * hits / (hits + misses);
};

void noteDisagreements(const CounterReadings& readings, std::vector<std::string>& notes) {
    for (const Counter counter :
         {Counter::loadRequests, Counter::storeRequests, Counter::loadSectors,
          Counter::storeSectors, Counter::branchTargets, Counter::divergentBranches}) {
        const auto found = readings.values.find(counter);
        if (found == readings.values.end()) continue;
        const auto [least, most] = std::ranges::minmax(found->second);
        if (least == most) continue;
        notes.push_back(
            "repeats of " +
            std::string(counterTable()[static_cast<std::size_t>(counter)].names.front()) +
            " disagreed: " + groupedDigits(static_cast<std::uint64_t>(least)) + " to " +
            groupedDigits(static_cast<std::uint64_t>(most)) + "; the median is shown");
    }
}

struct Quantity {
    Metric metric;
    Variant variant;
    Content content;
};

std::vector<Quantity> quantitiesOf(const CounterReadings& readings, double seconds,
                                   bool lanesShareBytes, bool mergedSharedLoads) {
    using enum Counter;
    const Readings read(readings);
    const auto perSecond = [seconds](double bytes) -> Content { return bytes / seconds; };
    const Content coalescing = from(
        read,
        [](double loadBytes, double storeBytes, double loads, double stores) -> Content {
            if (loads + stores == 0) return Unavailable{"no global accesses"};
            const double share =
                100 * (loadBytes + storeBytes) / (bytesPerSector * (loads + stores));
            // Of clusters: 4 bytes loaded, 4 of another block's and 4 stored are 150 %.
            if (share > 100)
                return Unavailable{
                    "the hardware counts bytes of other blocks' shared "
                    "memory as global ones, but not their sectors; read "
                    "the compiled value"};
            return share;
        },
        loadBytesUsed, storeBytesUsed, loadSectors, storeSectors);
    const Content requestedPerSector =
        lanesShareBytes
            ? Content(Unavailable{"lanes of a warp share bytes here, and the hardware counts a "
                                  "shared byte once; read the compiled value"})
            : from(
                  read,
                  [](double loadBytes, double storeBytes, double loads, double stores) -> Content {
                      if (loads + stores == 0) return Unavailable{"no global accesses"};
                      return (loadBytes + storeBytes) / (loads + stores);
                  },
                  loadBytesUsed, storeBytesUsed, loadSectors, storeSectors);
    const Content branchShare = from(
        read,
        [](double divergent, double all) -> Content {
            if (all == 0) return Unavailable{"no branches"};
            return 100 * (all - divergent) / all;
        },
        divergentBranches, branchTargets);
    const Content wavefrontsPerRequest = from(
        read,
        [](double wavefronts, double loads, double stores, double atomics) -> Content {
            const double requests = loads + stores + atomics;
            if (requests == 0) return Unavailable{"no shared-memory requests"};
            return wavefronts / requests;
        },
        sharedWavefronts, sharedLoadRequests, sharedStoreRequests, sharedAtomicRequests);
    // The counters of bank conflicts also count lost arbitration, so conflicts are told from the
    // wavefronts: each request of 4 bytes a lane needs one.
    const Content conflicts =
        mergedSharedLoads
            ? Content(Unavailable{"the compiler merged shared loads into wider ones, whose fewest "
                                  "wavefronts the counters do not tell"})
            : from(
                  read,
                  [](double wavefronts, double loads, double stores, double atomics) -> Content {
                      return wavefronts - loads - stores - atomics;
                  },
                  sharedWavefronts, sharedLoadRequests, sharedStoreRequests, sharedAtomicRequests);
    return {
        {Metric::globalLoadRequests, Variant::none, from(read, itself, loadRequests)},
        {Metric::globalStoreRequests, Variant::none, from(read, itself, storeRequests)},
        {Metric::globalLoadSectors, Variant::none, from(read, itself, loadSectors)},
        {Metric::globalStoreSectors, Variant::none, from(read, itself, storeSectors)},
        {Metric::sectorsPerRequest, Variant::load,
         from(read, quotient("no global loads"), loadSectors, loadRequests)},
        {Metric::sectorsPerRequest, Variant::store,
         from(read, quotient("no global stores"), storeSectors, storeRequests)},
        {Metric::coalescingEfficiency, Variant::none, coalescing},
        {Metric::requestedBytesPerSector, Variant::none, requestedPerSector},
        {Metric::usedBytesPerRequest, Variant::load,
         from(read, quotient("no global loads"), loadBytesUsed, loadRequests)},
        {Metric::usedBytesPerRequest, Variant::store,
         from(read, quotient("no global stores"), storeBytesUsed, storeRequests)},
        {Metric::dramBandwidth, Variant::none, from(read, perSecond, dramBytes)},
        {Metric::l2Bandwidth, Variant::none, from(read, perSecond, l2Bytes)},
        {Metric::branches, Variant::none, from(read, itself, branchTargets)},
        {Metric::divergentBranches, Variant::none, from(read, itself, divergentBranches)},
        {Metric::branchEfficiency, Variant::none, branchShare},
        {Metric::laneEfficiency, Variant::active,
         from(read, quotient("no instructions", 100.0 / lanesPerWarp), threadInstructions,
              instructions)},
        {Metric::laneEfficiency, Variant::notPredicatedOff,
         from(read, quotient("no instructions", 100.0 / lanesPerWarp),
              threadInstructionsPredicatedOn, instructions)},
        {Metric::sharedWavefronts, Variant::none, from(read, itself, sharedWavefronts)},
        {Metric::bankConflicts, Variant::none, conflicts},
        {Metric::sharedWavefrontsPerRequest, Variant::none, wavefrontsPerRequest},
        {Metric::achievedOccupancy, Variant::none, from(read, itself, achievedOccupancy)},
        {Metric::l1HitRate, Variant::none, from(read, hitRate, l1Hits, l1Misses)},
    };
}

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

bool haveSharedBytes(const std::vector<ProgramLine>& lines) {
    return std::ranges::any_of(lines, [](const ProgramLine& line) {
        return isGlobal(line.kind) && !isAtomic(line.kind) &&
               line.uniqueBytes != line.requestedBytes;
    });
}

std::vector<Value> countedValues(const CounterReadings& readings, double medianSeconds,
                                 bool lanesShareBytes, bool mergedSharedLoads,
                                 std::vector<std::string>& notes) {
    noteDisagreements(readings, notes);
    std::vector<Value> values;
    for (Quantity& quantity :
         quantitiesOf(readings, medianSeconds, lanesShareBytes, mergedSharedLoads)) {
        values.push_back({quantity.metric, "kernel", Source::counted, quantity.variant,
                          std::move(quantity.content)});
    }
    return values;
}

std::vector<Value> countedValuesMissing(const std::string& reason) {
    std::vector<Value> values;
    for (const Quantity& quantity : quantitiesOf({}, 1, false, false)) {
        values.push_back(
            {quantity.metric, "kernel", Source::counted, quantity.variant, Unavailable{reason}});
    }
    return values;
}

}  // namespace warplens
