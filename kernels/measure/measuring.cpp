#include "kernels/measure/measuring.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <future>
#include <thread>

#include "core/launch/mapping.h"
#include "core/library/kernel_file.h"
#include "core/occupancy/occupancy.h"
#include "core/text/format.h"
#include "kernels/device/code_lines.h"
#include "kernels/device/cubin.h"
#include "kernels/device/differences.h"
#include "kernels/library/predict.h"
#include "kernels/measure/counters/chip_counters.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/scenario_launch.h"
#include "kernels/measure/timing/timed_runs.h"

namespace warplens {
namespace {

/// `2026-11-22T11:37:00Z`
std::string nowUtc() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text.data();
}

double secondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// What the L2 held, and how the arrays lie to it, which decides what a bandwidth means.
std::string cacheState(CacheBefore cache, const DeviceLaunch& launch, std::uint64_t l2) {
    const std::string sizes =
        formatBytes(launch.bytes()) + " working set, " + formatBytes(l2) + " L2";
    std::string state =
        cache == CacheBefore::cold
            ? "cold: " + formatBytes(L2Spoiler::bytesFor(l2)) +
                  " of other data are read before each run, outside of its time; " + sizes
        : launch.bytes() <= l2 ? "warm: " + sizes + ", all of it fits, so the runs read the L2"
                               : "warm: " + sizes + ", it does not fit";
    if (launch.needsRestoring()) {
        state +=
            "; before each run the arrays that it changes are copied back, outside of its time";
    }
    return state;
}

/// Repeats of a counting: as many as cost little, so that disagreement shows.
int countingRepeats(double kernelSeconds) {
    if (kernelSeconds < 2e-3) return 3;
    return kernelSeconds < 20e-3 ? 2 : 1;
}

/// Runs on a thread of its own, and ends with its owner.
template <class Result>
class Beside final {
  public:
    explicit Beside(std::function<Result(std::stop_token)> work)
        : result_(std::async(std::launch::async, std::move(work), stop_.get_token())) {}
    Beside(Beside&&) = delete;
    ~Beside() { stop_.request_stop(); }
    [[nodiscard]] Result take() { return result_.get(); }

  private:
    std::stop_source stop_;
    std::future<Result> result_;
};

/// Why the algorithm's bytes do not say what was moved; empty when they do.
std::string uncovered(const Kernel& kernel, const Experiment& experiment) {
    if (kernel.work.empty()) return {};
    const Coverage coverage = coverageOf(experiment.launch, kernel.work(experiment.arguments));
    if (coverage.missed == 0) return {};
    return "the grid misses " + groupedDigits(coverage.missed) + " elements";
}

std::vector<Value> bandwidthsOf(const Measurement& m, const Kernel& kernel) {
    using NumberOrReason = std::variant<double, Unavailable>;
    NumberOrReason effective = 0.0;
    NumberOrReason ofCopy = 0.0;
    NumberOrReason ofPeak = Unavailable{"the driver does not tell the memory clock"};
    if (const std::string why = uncovered(kernel, m.experiment); !why.empty()) {
        effective = ofCopy = ofPeak = Unavailable{why};
    } else {
        const double rate = static_cast<double>(kernel.algorithmBytes(m.experiment.arguments,
                                                                      m.experiment.launch)) /
                            m.timing.medianSeconds;
        effective = rate;
        ofCopy = 100 * rate / *m.device.copyRate;
        if (m.device.theoreticalPeak) ofPeak = 100 * rate / *m.device.theoreticalPeak;
    }
    return {
        {Metric::effectiveBandwidth, "kernel", Source::timed, Variant::none, effective},
        {Metric::bandwidthUtilization, "kernel", Source::timed, Variant::copyRate, ofCopy},
        {Metric::bandwidthUtilization, "kernel", Source::timed, Variant::theoreticalPeak, ofPeak}};
}

/// What became of the kernel in the code that runs here. Without an answer a note says why.
CompiledKernel compiledHere(const ScenarioLaunch& launch, std::vector<std::string>& notes) {
    const LoadedKernel& loaded = launch.loaded();
    CompiledKernel compiled;
    try {
        compiled = compiledKernel(loaded.compiled().cubin, loaded.symbol(), launch.kernel());
    } catch (const std::runtime_error& error) {
        notes.push_back(std::string("the compiled code could not be read: ") + error.what());
    }
    if (compiled.mergedSharedLoads) {
        notes.emplace_back(
            "the compiler merged neighbouring loads from shared memory into wider ones: the "
            "counters see fewer shared requests and wavefronts than the source has");
    }
    if (compiled.incrementsShared) {
        notes.emplace_back(
            "the compiler made adding 1 in shared memory an instruction of its own "
            "(ATOMS.POPC.INC), which serves lanes at one word together: the counters see fewer "
            "shared wavefronts than are predicted and compiled");
    }
    return compiled;
}

/// What the compiled code of a scenario asks for, or why nobody can tell.
using CompiledCounts = std::variant<LaunchReport, Unavailable>;

CompiledCounts countedOnMachine(const Experiment& experiment, std::string_view ptx,
                                std::stop_token stop) {
    PredictOptions options;
    options.threads = std::max(2U, std::thread::hardware_concurrency()) - 1;
    options.stop = std::move(stop);
    try {
        return predictCompiled(experiment, options, ptx);
    } catch (const std::exception& error) {
        return Unavailable{std::string("the compiled code does not run without the GPU: ") +
                           error.what()};
    }
}

/// The last one, as a launch is often measured several times in turn.
struct LastCounts final {
    Experiment experiment;
    const char* ptx = nullptr;
    CompiledCounts counts;
};
std::optional<LastCounts>& lastCounts() {
    static std::optional<LastCounts> last;
    return last;
}

/// Places as CUPTI has them, by the names that the user's files have.
void namePlaces(std::vector<ProgramLine>& lines, const MeasureProgramRequest& request) {
    const std::set<std::string> files = filesOf(request.sources);
    InlinedLines inlined;
    for (const std::string& ptx : request.inputs.ptx)
        inlined.merge(inlinedLines(ptx, request.inputs.symbol, files));
    for (ProgramLine& line : lines) {
        const auto caller = inlined.find({{line.place.file, line.place.line}, line.kind});
        if (caller != inlined.end()) {
            std::tie(line.place.file, line.place.line) = caller->second;
        } else if (std::string own = ownFile(line.place.file, files); !own.empty()) {
            line.place.file = std::move(own);
        }
    }
}

void noteDifferingArrays(const std::vector<ArrayCheck>& checks, std::vector<std::string>& notes) {
    for (const ArrayCheck& check : checks) {
        if (check.different == 0) continue;
        notes.push_back("the device's " + check.array + " differs from the host's in " +
                        groupedDigits(check.different) + " of " +
                        groupedDigits(check.equal + check.within + check.different) +
                        " elements, first at " + groupedDigits(check.firstDifferent));
    }
}

}  // namespace

/// One measurement on its way: the parts that every launch has.
class Measuring::Run final {
  public:
    /// `results` is where they go.
    Run(Measuring& measuring, DeviceLaunch& launch, LaunchMeasurement& results,
        const Report& report, const std::stop_token& stop)
        : here_(measuring), launch_(launch), m_(results), report_(report), stop_(stop) {
        m_.takenAt = nowUtc();
        m_.version = version();
    }

    static void enter(const Report& report, const std::stop_token& stop, const char* stage,
                      double fraction) {
        if (stop.stop_requested()) throw Cancelled();
        report({stage, fraction});
    }
    void enter(const char* stage, double fraction) const { enter(report_, stop_, stage, fraction); }

    void time(const TimingRequest& request) {
        enter("timing", 0.4);
        timed_.emplace(launchRestored_, here_.device_.l2Bytes, *here_.gate_);
        TimedLaunches times = timeLaunches(*timed_, request, pciBusId().c_str(), stop_);
        m_.timing = std::move(times.timing);
        m_.timing.workingSetBytes = launch_.bytes();
        m_.timing.cacheState = cacheState(m_.timing.cache, launch_, here_.device_.l2Bytes);
        m_.device = here_.device_;
        if (launch_.needsRestoring()) {
            times.launchOverhead = Unavailable{
                "the arrays that the kernel changes are copied back before each launch"};
            if (m_.timing.from == TimeFrom::events) {
                m_.notes.emplace_back(
                    "the times are taken between events: copying the arrays back is in them");
            }
        }
        add(Metric::time, Source::timed, m_.timing.medianSeconds);
        add(Metric::launchOverhead, Source::timed, std::move(times.launchOverhead));
    }

    /// The driver's occupancy, which knows this device; should the model of core/occupancy answer
    /// otherwise, a note says so, since the window draws the model's slots.
    void appendOccupancy() {
        const KernelResources resources = launch_.resources();
        const int resident = launch_.residentBlocks();
        const int most =
            attributeOf(currentDevice(), CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) /
            static_cast<int>(lanesPerWarp);
        const double warps =
            static_cast<double>(resident) * warpCountPerBlock(launch_.launch().block);
        add(Metric::theoreticalOccupancy, Source::predicted, 100 * warps / most);
        const SmLimits* const limits = smLimitsOf(here_.device_);
        if (limits == nullptr) return;
        const Occupancy model =
            occupancyOf(*limits, {.threads = launch_.launch().block.count(),
                                  .registersPerThread = resources.registersPerThread,
                                  .staticSharedBytes = resources.staticSharedBytes,
                                  .dynamicSharedBytes = launch_.launch().dynamicSharedBytes});
        if (model.residentBlocks == static_cast<std::uint32_t>(resident)) return;
        m_.notes.push_back("occupancy: the CUDA driver has " + std::to_string(resident) +
                           " blocks resident on an SM, the model " +
                           std::to_string(model.residentBlocks));
    }

    /// What the counters say, or why they say nothing, for `appendCounted`. After `time`, and
    /// before lines are counted: no kernel is patched yet.
    void count(bool wanted, const RetryPolicy& policy) {
        if (!wanted) {
            countersReason_ = "counters were not asked for";
            return;
        }
        enter("opening the counters", 0.6);
        try {
            auto begin = std::chrono::steady_clock::now();
            here_.withCounters(policy, report_, stop_, [&](RangeProfiler& hardware) {
                enter("counting", 0.65);
                begin = std::chrono::steady_clock::now();
                readings_ =
                    hardware.read([&] { launch_.run(); }, countingRepeats(m_.timing.medianSeconds),
                                  beforeCounted());
            });
            m_.device.chip = here_.device_.chip;
            synchronize();
            m_.counting = Counting{readings_->passes, readings_->repeats, secondsSince(begin)};
        } catch (const CountersUnavailable& error) {
            countersReason_ = error.what();
        }
    }
    void appendCounted(bool lanesShareBytes, bool mergedSharedLoads) {
        std::vector<Value> counted =
            readings_ ? countedValues(*readings_, m_.timing.medianSeconds, lanesShareBytes,
                                      mergedSharedLoads, m_.notes)
                      : countedValuesMissing(countersReason_);
        for (Value& value : counted) m_.values.push_back(std::move(value));
    }

    void add(Metric metric, Source source, std::variant<double, Unavailable> content,
             Variant variant = Variant::none) {
        m_.values.push_back({metric, "kernel", source, variant, std::move(content)});
    }

  private:
    /// Counted as it was timed: bytes over a time say nothing of another state.
    [[nodiscard]] std::function<void()> beforeCounted() {
        const bool cold = m_.timing.cache == CacheBefore::cold;
        if (!cold && !launch_.needsRestoring()) return {};
        return [this, cold] {
            launch_.restore();
            if (cold) timed_->spoilCache();
            synchronize();
        };
    }

    Measuring& here_;
    DeviceLaunch& launch_;
    LaunchMeasurement& m_;
    const Report& report_;
    const std::stop_token& stop_;
    std::function<void()> launchRestored_ = [this] {
        launch_.restore();
        launch_.run();
    };
    std::optional<DriverTimedDevice> timed_;
    std::optional<CounterReadings> readings_;
    std::string countersReason_;
};

Measuring::Measuring(int device)
    : device_(queryDevice(device)), gate_(std::make_unique<StreamGate>()) {}
Measuring::~Measuring() = default;

void Measuring::withCounters(const RetryPolicy& policy, const Report& report,
                             const std::stop_token& stop,
                             const std::function<void(RangeProfiler&)>& act) {
    const auto attempt = [&] {
        if (!profiler_) profiler_ = std::make_unique<RangeProfiler>();
        device_.chip = profiler_->chip();
        profiler_->acquire();
        try {
            act(*profiler_);
        } catch (const CountersBusy&) {
            profiler_->release();
            throw;
        }
    };
    withRetry(policy, attempt, [&](std::chrono::milliseconds wait) {
        if (stop.stop_requested()) throw Cancelled();
        report({"waiting for the counters, which another program holds", 0.65});
        std::this_thread::sleep_for(wait);
    });
}

void Measuring::releaseCounters() {
    if (profiler_) profiler_->release();
}

bool Measuring::hasCounters() const {
    return profiler_ && profiler_->isAcquired();
}

Description Measuring::describe(const RetryPolicy& policy) {
    Description description{.device = {},
                            .deviceReason = {},
                            .countersAvailable = false,
                            .countersReason = {},
                            .version = version()};
    try {
        withCounters(
            policy, [](const Progress&) {}, {}, [](RangeProfiler&) {});
        description.countersAvailable = true;
    } catch (const CountersUnavailable& error) {
        description.countersReason = error.what();
    }
    description.device = device_;
    return description;
}

void Measuring::requireRates(const Report& report) {
    if (device_.copyRate) return;
    report({"measuring the device's own rates", 0.02});
    measureCopyRate(device_);
    measureFp32Rate(device_);
}

Measurement Measuring::measure(const MeasureRequest& request, const Report& report,
                               std::stop_token stop, const RetryPolicy& policy) {
    const auto begin = std::chrono::steady_clock::now();
    const Experiment& experiment = request.experiment;
    Run::enter(report, stop, "checking the request", 0);
    if (auto violations = validateRun(experiment); !violations.empty()) {
        throw InvalidRequest(std::move(violations));
    }
    requireRates(report);
    Run::enter(report, stop, "compiling and filling the arrays", 0.05);
    ScenarioLaunch launch(experiment, device_);
    const Kernel& kernel = launch.kernel();
    Measurement m;
    m.experiment = experiment;
    m.kernelDigest = kernelDigest(kernel);
    m.resources = launch.resources();
    Run run(*this, launch, m, report, stop);
    const std::string& ptx = launch.loaded().compiled().ptx;
    std::optional<LastCounts>& last = lastCounts();
    if (last && (last->experiment != experiment || last->ptx != ptx.data())) last.reset();
    std::optional<Beside<CompiledCounts>> machine;
    if (!last) {
        machine.emplace([&](std::stop_token ending) {
            return countedOnMachine(experiment, ptx, std::move(ending));
        });
    }
    const CompiledKernel compiled = compiledHere(launch, m.notes);
    m.compiledBranches = compiled.branches;

    run.enter("checking the result", 0.1);
    launch.run();
    m.check = checkResult(launch);

    run.enter("reading the mapping back", 0.2);
    const MappingReadback mapping = readMappingBack(experiment.launch);
    run.add(Metric::mappingMismatches, Source::counted, static_cast<double>(mapping.mismatches));
    if (mapping.threads != experiment.launch.threadCount() ||
        (mapping.mismatchesOnHost != 0 && mapping.mismatches == 0)) {
        m.notes.push_back("mapping read-back is inconsistent: " + groupedDigits(mapping.threads) +
                          " threads reported, host found " +
                          groupedDigits(mapping.mismatchesOnHost) + " mismatches");
    }
    if (request.schedule) {
        run.enter("recording when each block runs", 0.3);
        m.schedule = launch.schedule(static_cast<std::uint32_t>(device_.multiprocessors), m.notes);
    }
    run.time(request.timing);
    for (Value& value : bandwidthsOf(m, kernel)) m.values.push_back(std::move(value));
    run.appendOccupancy();
    run.count(request.counters, policy);

    run.enter("counting what the compiled code asks for", 0.9);
    if (machine) last = LastCounts{experiment, ptx.data(), machine->take()};
    bool lanesShareBytes = false;
    if (const auto* const counts = std::get_if<LaunchReport>(&last->counts)) {
        m.values.insert(m.values.end(), counts->values.begin(), counts->values.end());
        if (!counts->exact) m.notes.push_back("compiled: " + howPredicted(*counts));
        lanesShareBytes = haveSharedBytes(counts->lines);
    } else {
        m.notes.push_back("compiled: " + std::get<Unavailable>(last->counts).reason);
    }
    run.appendCounted(lanesShareBytes, compiled.mergedSharedLoads);
    m.totalSeconds = secondsSince(begin);
    return m;
}

ProgramMeasurement Measuring::measure(const MeasureProgramRequest& request, const Report& report,
                                      std::stop_token stop, const RetryPolicy& policy) {
    const auto begin = std::chrono::steady_clock::now();
    releaseCounters();  // what is launched from here on does not stay loaded
    Run::enter(report, stop, "loading the code", 0);
    UserLaunch launch(request.inputs);
    ProgramMeasurement m;
    m.kernel = request.inputs.kernel;
    m.launch = request.inputs.launch;
    m.compiler = request.compiler;
    m.notes = request.notes;
    m.resources = launch.resources();
    Run run(*this, launch, m, report, stop);

    run.enter("checking the result", 0.15);
    launch.run();
    m.checks = launch.compare();
    noteDifferingArrays(m.checks, m.notes);
    run.appendOccupancy();
    // Before lines are counted: CUPTI gives no time stamps in a process that has patched code.
    run.time(request.timing);
    run.count(request.counters, policy);
    // CUPTI keeps what was launched meanwhile, and faults at a later launch where its module is
    // gone: the counters are released before anything is unloaded.
    releaseCounters();

    CountedLaunch all{
        .predicted = request.predicted, .compiled = request.compiled, .code = request.code};
    if (request.lines) {
        run.enter("counting lines", 0.7);
        try {
            launch.restore();
            all.counted = LineCounters::open(CuptiLibrary::open()).read(request.inputs.cubin, [&] {
                launch.run();
            });
            namePlaces(*all.counted, request);
        } catch (const CountersUnavailable& error) {
            m.linesReason = error.what();
        }
    } else {
        m.linesReason = "counts for each line were not asked for";
    }
    const auto reordered = std::ranges::find_if(m.checks, &ArrayCheck::reordered);
    if (reordered != m.checks.end()) all.reordered = reordered->array;
    m.lines = request.compiled;
    if (all.counted) m.lines.insert(m.lines.end(), all.counted->begin(), all.counted->end());
    if (!request.compiled.empty()) {
        for (Value& value : valuesOf(request.compiled)) m.values.push_back(std::move(value));
    }
    if (!request.predicted.empty()) {
        const LineComparison comparison(request.sources, all);
        m.comparedLines = comparison.compared();
        m.differences = comparison.differences(request.interventions);
    }
    // What merged accesses do to bank conflicts stands at their lines.
    run.appendCounted(haveSharedBytes(request.compiled), false);
    m.code = request.code;
    m.totalSeconds = secondsSince(begin);
    return m;
}

}  // namespace warplens
