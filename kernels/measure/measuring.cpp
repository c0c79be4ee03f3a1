#include "kernels/measure/measuring.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/launch/coverage.h"
#include "core/launch/mapping.h"
#include "core/library/kernel_code.h"
#include "core/occupancy/measured_demand.h"
#include "core/text/format.h"
#include "kernels/measure/bound_kernel.h"
#include "kernels/measure/code/compiled_kernel.h"
#include "kernels/measure/counters/counted_values.h"
#include "kernels/measure/counters/counter_patience.h"
#include "kernels/measure/device/device_choice.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/device/driver_timed_device.h"
#include "kernels/measure/mapping_readback.h"
#include "kernels/measure/result_check.h"
#include "kernels/measure/timing/moment.h"
#include "kernels/measure/timing/time_launches.h"

namespace warplens {
namespace {

/// What the L2 held, and how the working set lies to it, which decides what a bandwidth means.
std::string cacheState(CacheBefore cache, std::uint64_t workingSet, std::uint64_t l2) {
    const std::string sizes = formatBytes(workingSet) + " working set, " + formatBytes(l2) + " L2";
    if (cache == CacheBefore::cold) {
        return "cold: " + formatBytes(L2Spoiler::bytesFor(l2)) +
               " of other data are read before each run, outside of its time; " + sizes;
    }
    return workingSet <= l2 ? "warm: " + sizes + ", all of it fits, so the runs read the L2"
                            : "warm: " + sizes + ", it does not fit";
}

int maximumWarpsPerMultiprocessor() {
    return attributeOf(currentDevice(), CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) /
           static_cast<int>(lanesPerWarp);
}

/// The driver's occupancy, which knows this device; should the model of core/occupancy answer
/// otherwise, a note says so, since the window draws the model's slots.
void appendOccupancy(Measurement& m, int residentBlocks) {
    const double warps =
        static_cast<double>(residentBlocks) * warpCountPerBlock(m.experiment.launch.block);
    m.values.push_back({Metric::theoreticalOccupancy, "kernel", Source::predicted, Variant::none,
                        100 * warps / maximumWarpsPerMultiprocessor()});
    const SmLimits* const limits = smLimitsOf(m.device);
    if (limits == nullptr) return;
    const Occupancy model = occupancyOf(*limits, *demandOf(m));
    if (model.residentBlocks == static_cast<std::uint32_t>(residentBlocks)) return;
    m.notes.push_back("occupancy: the CUDA driver has " + std::to_string(residentBlocks) +
                      " blocks resident on an SM, the model " +
                      std::to_string(model.residentBlocks));
}

/// Repeats of a counting: as many as cost little, so that disagreement shows.
int countingRepeats(double kernelSeconds) {
    if (kernelSeconds < 2e-3) return 3;
    return kernelSeconds < 20e-3 ? 2 : 1;
}

/// Why the algorithm's bytes do not say what was moved; empty when they do.
std::string uncovered(const Kernel& kernel, const Experiment& experiment) {
    if (kernel.work.empty()) return {};
    const Coverage coverage = coverageOf(experiment.launch, kernel.work(experiment.arguments));
    if (coverage.missed == 0) return {};
    return "the grid misses " + groupedDigits(coverage.missed) + " elements";
}

void appendTimed(Measurement& m, const Kernel& kernel,
                 std::variant<double, Unavailable> launchOverhead) {
    const auto add = [&](Metric metric, Variant variant, std::variant<double, Unavailable> value) {
        m.values.push_back({metric, "kernel", Source::timed, variant, std::move(value)});
    };
    add(Metric::time, Variant::none, m.timing.medianSeconds);
    add(Metric::launchOverhead, Variant::none, std::move(launchOverhead));
    if (const std::string why = uncovered(kernel, m.experiment); !why.empty()) {
        add(Metric::effectiveBandwidth, Variant::none, Unavailable{why});
        add(Metric::bandwidthUtilization, Variant::copyRate, Unavailable{why});
        add(Metric::bandwidthUtilization, Variant::theoreticalPeak, Unavailable{why});
        return;
    }
    const auto bytes =
        static_cast<double>(kernel.algorithmBytes(m.experiment.arguments, m.experiment.launch));
    const double effective = bytes / m.timing.medianSeconds;
    add(Metric::effectiveBandwidth, Variant::none, effective);
    add(Metric::bandwidthUtilization, Variant::copyRate, 100 * effective / *m.device.copyRate);
    if (m.device.theoreticalPeak) {
        add(Metric::bandwidthUtilization, Variant::theoreticalPeak,
            100 * effective / *m.device.theoreticalPeak);
    } else {
        add(Metric::bandwidthUtilization, Variant::theoreticalPeak,
            Unavailable{"the driver does not tell the memory clock"});
    }
}

/// What became of the kernel in the code that runs here. Without an answer a note says why.
CompiledKernel compiledHere(const BoundKernel& bound, std::vector<std::string>& notes) {
    const LoadedKernel& loaded = bound.loaded();
    try {
        return compiledKernel(loaded.compiled().cubin, loaded.symbol(), bound.kernel());
    } catch (const std::runtime_error& error) {
        notes.push_back(std::string("the compiled code could not be read: ") + error.what());
        return {};
    }
}

/// What was probed. A branch that the compiler left nothing of has no number, and nothing has one
/// where the probe does not see whole warps.
void appendProbed(Measurement& m, const Kernel& kernel, const ProbedKernel& probed) {
    for (Value& value : valuesOf(probed.lines, &kernel, Source::probed)) {
        const auto branch = std::ranges::find(kernel.branches, value.subject, &KernelBranch::name);
        if (branch != kernel.branches.end() &&
            !probed.hasBranch[static_cast<std::size_t>(branch - kernel.branches.begin())]) {
            value.content = Unavailable{"the compiled code (PTX) has no branch there"};
        }
        if (probed.splitsWarps) {
            value.content = Unavailable{
                "the assembler lets lanes of a warp come apart (YIELD) in the code with the probe"};
        }
        m.values.push_back(std::move(value));
    }
}

}  // namespace

Measuring::Measuring(int device)
    : device_(queryDevice(device)), gate_(std::make_unique<StreamGate>()) {}
Measuring::~Measuring() = default;

void Measuring::withCounters(const CounterPatience& patience, const Report& report,
                             const std::stop_token& stop,
                             const std::function<void(RangeProfiler&)>& act) {
    const auto attempt = [&] {
        if (!profiler_) profiler_ = std::make_unique<RangeProfiler>();
        device_.chip = profiler_->chip();
        profiler_->take();
        try {
            act(*profiler_);
        } catch (const CountersBusy&) {
            profiler_->letGo();
            throw;
        }
    };
    askAgain(patience, attempt, [&](std::chrono::milliseconds wait) {
        if (stop.stop_requested()) throw Cancelled();
        report({"waiting for the counters, which another program holds", 0.75});
        std::this_thread::sleep_for(wait);
    });
}

RangeProfiler& Measuring::takeCounters(const CounterPatience& patience, const Report& report,
                                       const std::stop_token& stop) {
    withCounters(patience, report, stop, [](RangeProfiler&) {});
    return *profiler_;
}

void Measuring::letGoOfCounters() {
    if (profiler_) profiler_->letGo();
}

bool Measuring::hasCounters() const {
    return profiler_ && profiler_->isTaken();
}

Description Measuring::describe() {
    return describe(CounterPatience{});
}

Description Measuring::describe(const CounterPatience& patience) {
    Description description{.device = {},
                            .deviceReason = {},
                            .countersAvailable = false,
                            .countersReason = {},
                            .version = version()};
    try {
        withCounters(
            patience, [](const Progress&) {}, {}, [](RangeProfiler&) {});
        description.countersAvailable = true;
    } catch (const CountersUnavailable& error) {
        description.countersReason = error.what();
    }
    description.device = device_;
    return description;
}

Measurement Measuring::measure(const MeasureRequest& request, const Report& report,
                               std::stop_token stop) {
    return measure(request, report, std::move(stop), CounterPatience{});
}

Measurement Measuring::measure(const MeasureRequest& request, const Report& report,
                               std::stop_token stop, const CounterPatience& patience) {
    const auto begin = std::chrono::steady_clock::now();
    const auto enter = [&](const char* stage, double fraction) {
        if (stop.stop_requested()) throw Cancelled();
        report({stage, fraction});
    };
    enter("checking the request", 0);
    if (auto violations = validateRun(request.experiment); !violations.empty()) {
        throw InvalidRequest(std::move(violations));
    }
    if (!device_.copyRate) {
        enter("measuring the device's own rates", 0.02);
        measureCopyRate(device_);
        measureFp32Rate(device_);
    }
    enter("compiling and filling the arrays", 0.05);
    BoundKernel bound(request.experiment, device_);
    const Kernel& kernel = bound.kernel();
    Measurement m{.experiment = request.experiment,
                  .device = {},
                  .takenAt = nowUtc(),
                  .version = version(),
                  .kernelDigest = kernelDigest(kernel),
                  .check = {},
                  .timing = {},
                  .compiledBranches = {},
                  .resources = bound.resources(),
                  .schedule = {},
                  .counting = {},
                  .notes = {},
                  .values = {}};

    const CompiledKernel compiled = compiledHere(bound, m.notes);
    m.compiledBranches = compiled.branches;
    if (compiled.mergedSharedLoads) {
        m.notes.emplace_back(
            "the compiler merged neighbouring loads from shared memory into wider ones: the "
            "counters see fewer shared requests and wavefronts than the source has");
    }
    if (compiled.incrementsShared) {
        m.notes.emplace_back(
            "the compiler made adding 1 in shared memory an instruction of its own "
            "(ATOMS.POPC.INC), which serves lanes at one word together: the counters see fewer "
            "shared wavefronts than are predicted and compiled");
    }

    enter("checking the result", 0.1);
    bound.launchPlain();
    m.check = checkResult(bound);

    enter("reading the mapping back", 0.2);
    const MappingReadback mapping = readMappingBack(request.experiment.launch);
    m.values.push_back({Metric::mappingMismatches, "kernel", Source::counted, Variant::none,
                        static_cast<double>(mapping.mismatches)});
    if (mapping.threads != request.experiment.launch.threadCount() ||
        (mapping.mismatchesOnHost != 0 && mapping.mismatches == 0)) {
        m.notes.push_back("mapping read-back is inconsistent: " + groupedDigits(mapping.threads) +
                          " threads reported, host found " +
                          groupedDigits(mapping.mismatchesOnHost) + " mismatches");
    }

    enter("probing", 0.3);
    const ProbedKernel probed = bound.probe();
    appendProbed(m, kernel, probed);

    if (request.schedule) {
        enter("recording when each block runs", 0.45);
        m.schedule = bound.schedule(static_cast<std::uint32_t>(device_.multiprocessors), m.notes);
    }

    enter("timing", 0.5);
    const std::function<void()> launch = [&] { bound.launchPlain(); };
    DriverTimedDevice timed(launch, device_.l2Bytes, *gate_);
    TimedLaunches times = timeLaunches(timed, request.timing, pciBusId().c_str(), stop);
    m.timing = std::move(times.timing);
    m.timing.workingSetBytes =
        arrayBytes(kernel, request.experiment.arguments, request.experiment.launch);
    m.timing.cacheState = cacheState(m.timing.cache, m.timing.workingSetBytes, device_.l2Bytes);
    m.device = device_;
    appendTimed(m, kernel, std::move(times.launchOverhead));

    appendOccupancy(m, bound.residentBlocks());

    std::vector<Value> counted;
    if (!request.counters) {
        counted = countedValuesMissing("counters were not asked for");
    } else {
        enter("opening the counters", 0.7);
        try {
            auto countingBegin = std::chrono::steady_clock::now();
            // Counted as they were timed: bytes over a time say nothing of another state.
            std::function<void()> before;
            if (m.timing.cache == CacheBefore::cold) before = [&] { timed.spoilCache(); };
            CounterReadings readings;
            withCounters(patience, report, stop, [&](RangeProfiler& hardware) {
                enter("counting", 0.75);
                countingBegin = std::chrono::steady_clock::now();
                readings = hardware.read(launch, countingRepeats(m.timing.medianSeconds), before);
            });
            m.device.chip = device_.chip;
            synchronize();
            m.counting = Counting{readings.passes, readings.repeats, secondsSince(countingBegin)};
            counted = countedValues(readings, m.timing.medianSeconds, probed.lines,
                                    compiled.mergedSharedLoads, m.notes);
        } catch (const CountersUnavailable& error) {
            counted = countedValuesMissing(error.what());
        }
    }
    for (Value& value : counted) m.values.push_back(std::move(value));
    m.totalSeconds = secondsSince(begin);
    return m;
}

}  // namespace warplens
