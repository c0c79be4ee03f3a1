#include "kernels/device/run/program_measuring.h"

#include <array>
#include <chrono>
#include <filesystem>
#include <set>

#include "core/launch/mapping.h"
#include "core/text/format.h"
#include "kernels/device/explain/differences.h"
#include "kernels/device/explain/loops.h"
#include "kernels/device/explain/site_lines.h"
#include "kernels/device/explain/volatile_parameters.h"
#include "kernels/device/explain/without_calls.h"
#include "kernels/device/instrument/instrument.h"
#include "kernels/device/run/code_text.h"
#include "kernels/device/run/line_counters.h"
#include "kernels/device/run/probe_run.h"
#include "kernels/device/run/program_kernel.h"
#include "kernels/measure/counters/counted_values.h"
#include "kernels/measure/counters/range_profiler.h"
#include "kernels/measure/device/device_choice.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/device/driver_timed_device.h"
#include "kernels/measure/measuring.h"
#include "kernels/measure/timing/moment.h"
#include "kernels/measure/timing/time_launches.h"

namespace warplens {
namespace {

std::set<std::string> filesOfProgram(const ProgramSources& sources) {
    std::set<std::string> files;
    for (const ProgramFile& file : sources.units) files.insert(file.path);
    for (const ProgramFile& file : sources.headers) files.insert(file.path);
    return files;
}

/// A launch that the device refuses without harm to the context.
bool isRefusal(const CudaError& error) {
    return error.code() == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES ||
           error.code() == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE ||
           error.code() == CUDA_ERROR_OUT_OF_MEMORY || error.code() == CUDA_ERROR_INVALID_VALUE;
}

/// One measurement on its way.
class ProgramRun final {
  public:
    ProgramRun(const Device& device, const ProgramMeasuring::Counters& counters,
               const MeasureProgramRequest& request, const ProgramMeasuring::Report& report,
               std::stop_token stop)
        : device_(device),
          counters_(counters),
          request_(request),
          report_(report),
          stop_(std::move(stop)),
          capability_(computeCapabilityNumber()),
          files_(filesOfProgram(request.sources)),
          code_(compileFor(request.sources, options())),
          memory_(request.inputs),
          loaded_(code_.compiled->cubin) {}

    ProgramMeasurement run() {
        const auto begin = std::chrono::steady_clock::now();
        m_.kernel = request_.inputs.kernel;
        m_.launch = request_.inputs.launch;
        m_.takenAt = nowUtc();
        m_.version = version();
        m_.compiler = code_.compiled->compiler();
        bindPlain();
        m_.resources = kernel_->resources();
        checkResult();
        appendOccupancyValue();
        // Before lines are counted: CUPTI gives no time stamps in a process that has patched code.
        time();
        readCounters();
        countLines();
        probe();
        appendCounted();
        m_.code = std::move(launch_.code);
        m_.totalSeconds = secondsSince(begin);
        return std::move(m_);
    }

  private:
    [[nodiscard]] CompileOptions options() const {
        return {.computeCapability = capability_,
                .defines = request_.defines,
                .standard = request_.standard,
                .more = {}};
    }
    [[nodiscard]] ProgramCode compileFor(const ProgramSources& sources,
                                         const CompileOptions& options) {
        enter("compiling", 0);
        return compileProgram(sources, request_.inputs, options);
    }

    void enter(const char* stage, double fraction) {
        if (stop_.stop_requested()) throw Cancelled();
        report_({stage, fraction});
    }

    /// The arrays and the kernel as they are measured, without a probe.
    void bindPlain() {
        memory_.bind(loaded_, code_.symbols);
        kernel_.emplace(loaded_, code_.kernel, request_.inputs, memory_);
    }

    void launchAfresh() {
        memory_.restore();
        kernel_->launch();
    }

    void checkResult() {
        enter("checking the result", 0.15);
        kernel_->launch();
        m_.checks = memory_.compare();
        for (const ArrayCheck& check : m_.checks) {
            if (check.different == 0) continue;
            m_.notes.push_back("the device's " + check.array + " differs from the host's in " +
                               groupedDigits(check.different) + " of " +
                               groupedDigits(check.equal + check.within + check.different) +
                               " elements, first at " + groupedDigits(check.firstDifferent));
        }
    }

    void appendOccupancyValue() {
        const int threads =
            attributeOf(currentDevice(), CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
        const double warps = static_cast<double>(kernel_->residentBlocks()) *
                             warpCountPerBlock(request_.inputs.launch.block);
        m_.values.push_back({Metric::theoreticalOccupancy, "kernel", Source::predicted,
                             Variant::none, 100 * warps / (threads / lanesPerWarp)});
    }

    void countLines() {
        if (!request_.lines) {
            m_.linesReason = "counts for each line were not asked for";
            return;
        }
        enter("counting lines", 0.45);
        try {
            launch_.counted = countedLines(code_, *kernel_);
        } catch (const CountersUnavailable& error) {
            m_.linesReason = error.what();
        }
    }

    /// Of one launch of `kernel`, which is of `code`.
    std::vector<ProgramLine> countedLines(const ProgramCode& code, const ProgramKernel& kernel) {
        memory_.restore();
        LineCounters& counters = LineCounters::open(CuptiLibrary::open());
        std::vector<ProgramLine> lines =
            counters.read(code.compiled->cubin, [&] { kernel.launch(); });
        const InlinedLines inlined = inlinedLines(code.compiled->ptx, {code.kernel}, files_);
        for (ProgramLine& line : lines) {
            const auto caller = inlined.find({line.place.file, line.place.line});
            if (caller != inlined.end()) {
                std::tie(line.place.file, line.place.line) = caller->second;
                continue;
            }
            // CUPTI knows a relative path by the folder that the compiler ran in.
            for (const std::string& file : files_) {
                const auto whole = std::filesystem::absolute(file).lexically_normal();
                if (whole == std::filesystem::path(line.place.file).lexically_normal()) {
                    line.place.file = file;
                }
            }
        }
        return lines;
    }

    void probe() {
        enter("probing", 0.5);
        try {
            const ProbedSites probed = probeProgram(code_, request_.inputs, memory_, files_);
            launch_.probed = probedLines(probed.sites, probed.tallies);
            launch_.sites = probed.sites;
            m_.notes.insert(m_.notes.end(), probed.notes.begin(), probed.notes.end());
        } catch (const CudaError& error) {
            if (!isRefusal(error)) throw;
            m_.notes.push_back(std::string("the probe could not run: ") + error.what());
        }
        launch_.predicted = request_.predicted;
        if (request_.code) launch_.code = codeText(code_, files_, m_.notes);
        m_.lines = launch_.probed;
        if (launch_.counted) {
            m_.lines.insert(m_.lines.end(), launch_.counted->begin(), launch_.counted->end());
        }
        std::vector<Value> values = valuesOf(launch_.probed);
        for (Value& value : values) {
            value.source = Source::probed;
            m_.values.push_back(std::move(value));
        }
        if (!request_.predicted.empty()) compare();
    }

    void compare() {
        const LineComparison comparison(request_.sources, launch_);
        m_.comparedLines = comparison.compared();
        Interventions interventions;
        const auto lines = comparison.differingLines();
        if (!lines.empty()) {
            enter("looking for the causes of differences", 0.6);
            interventions.again = changed("nothing changed", request_.sources, options());
            interventions.notUnrolled = rewritten(
                "with #pragma unroll 1 on the loops around the line", [&](const ProgramFile& file) {
                    const auto found = lines.find(file.path);
                    return found == lines.end() ? file.text
                                                : withoutUnrolling(file.text, found->second);
                });
            CompileOptions plain = options();
            plain.lineInformation = false;
            plain.more.emplace_back("-G");
            interventions.notOptimized =
                changed("compiled without optimisation (-G)", request_.sources, plain);
            interventions.isVolatile = rewritten(
                "with volatile parameters",
                [](const ProgramFile& file) { return withVolatileParameters(file.text); });
            const auto unasked = comparison.unaskedLines();
            interventions.notCalled =
                rewritten("with the call taken out", [&](const ProgramFile& file) {
                    const auto found = unasked.find(file.path);
                    return found == unasked.end() ? file.text
                                                  : withoutCalls(file.text, found->second);
                });
        }
        m_.differences = comparison.differences(interventions);
    }

    /// Nothing where `rewrite` leaves all files as they are.
    std::optional<ChangedProbe> rewritten(
        const char* change, const std::function<std::string(const ProgramFile&)>& rewrite) {
        ProgramSources sources = request_.sources;
        for (auto* files : {&sources.units, &sources.headers}) {
            for (ProgramFile& file : *files) file.text = rewrite(file);
        }
        if (sources == request_.sources) return std::nullopt;
        return changed(change, sources, options());
    }

    std::optional<ChangedProbe> changed(const char* change, const ProgramSources& sources,
                                        const CompileOptions& options) {
        try {
            const ProgramCode code = compileProgram(sources, request_.inputs, options);
            const ProbedSites probed = probeProgram(code, request_.inputs, memory_, files_);
            ChangedProbe found{change, probedLines(probed.sites, probed.tallies)};
            if (launch_.counted) found.counted = countedOf(code);
            return found;
        } catch (const CompileError& error) {
            m_.notes.push_back(std::string(change) + ": not compiled, " + error.what());
        } catch (const CudaError& error) {
            if (!isRefusal(error)) throw;
            m_.notes.push_back(std::string(change) + ": not run, " + error.what());
        }
        return std::nullopt;
    }

    /// What the hardware does in changed code without the probe; nothing where it cannot tell.
    std::optional<std::vector<ProgramLine>> countedOf(const ProgramCode& code) {
        try {
            const LoadedCode loaded(code.compiled->cubin);
            memory_.bind(loaded, code.symbols);
            return countedLines(code, {loaded, code.kernel, request_.inputs, memory_});
        } catch (const CountersUnavailable&) {
            return std::nullopt;
        }
    }

    void time() {
        enter("timing", 0.2);
        const std::function<void()> launch = [&] { launchAfresh(); };
        StreamGate gate;
        DriverTimedDevice timed(launch, device_.l2Bytes, gate);
        TimedLaunches times = timeLaunches(timed, request_.timing, pciBusId().c_str(), stop_);
        m_.timing = std::move(times.timing);
        m_.timing.workingSetBytes = memory_.bytes();
        m_.timing.cacheState =
            (m_.timing.cache == CacheBefore::cold ? "cold: other data are written before each run; "
                                                  : "warm: ") +
            formatBytes(memory_.bytes()) + " in arrays, " + formatBytes(device_.l2Bytes) + " L2";
        if (memory_.changedArrays() != 0) {
            m_.timing.cacheState +=
                "; before each run the arrays that it changes are copied back, outside of its time";
            if (m_.timing.from == TimeFrom::events) {
                m_.notes.emplace_back(
                    "the times are taken between events: copying the arrays back is in them");
            }
        }
        m_.device = device_;
        m_.values.push_back(
            {Metric::time, "kernel", Source::timed, Variant::none, m_.timing.medianSeconds});
        if (memory_.changedArrays() != 0) {
            times.launchOverhead = Unavailable{
                "the arrays that the kernel changes are copied back before each launch"};
        }
        m_.values.push_back({Metric::launchOverhead, "kernel", Source::timed, Variant::none,
                             std::move(times.launchOverhead)});
    }

    /// Before lines are counted, too: no kernel is patched yet.
    void readCounters() {
        if (!request_.counters) {
            countersReason_ = "counters were not asked for";
            return;
        }
        enter("counting", 0.4);
        const auto begin = std::chrono::steady_clock::now();
        try {
            RangeProfiler& profiler = counters_();
            // CUPTI keeps what was launched meanwhile, and faults at a later launch where its
            // module is gone: the counters are let go of before anything is unloaded.
            const LetGo letGo{profiler};
            readings_ =
                profiler.read([&] { kernel_->launch(); }, m_.timing.medianSeconds < 2e-3 ? 3 : 1,
                              [&] {
                                  memory_.restore();
                                  check(Driver::open().ctxSynchronize(), "cuCtxSynchronize");
                              });
            check(Driver::open().ctxSynchronize(), "cuCtxSynchronize");
            m_.counting = Counting{readings_->passes, readings_->repeats, secondsSince(begin)};
        } catch (const CountersUnavailable& error) {
            countersReason_ = error.what();
        }
    }

    struct LetGo final {
        RangeProfiler& profiler;
        ~LetGo() { profiler.letGo(); }
    };

    void appendCounted() {
        // What merged accesses do to bank conflicts stands at their lines.
        std::vector<Value> counted = readings_ ? countedValues(*readings_, m_.timing.medianSeconds,
                                                               launch_.probed, false, m_.notes)
                                               : countedValuesMissing(countersReason_);
        for (Value& value : counted) m_.values.push_back(std::move(value));
    }

    const Device& device_;
    const ProgramMeasuring::Counters& counters_;
    const MeasureProgramRequest& request_;
    const ProgramMeasuring::Report& report_;
    std::stop_token stop_;
    int capability_;
    std::set<std::string> files_;
    ProgramCode code_;
    ProgramMemory memory_;
    LoadedCode loaded_;
    std::optional<ProgramKernel> kernel_;
    JudgedLaunch launch_;
    std::optional<CounterReadings> readings_;
    std::string countersReason_;
    ProgramMeasurement m_;
};

}  // namespace

ProgramMeasurement ProgramMeasuring::measure(const MeasureProgramRequest& request,
                                             const Report& report, std::stop_token stop) {
    return ProgramRun(device_, counters_, request, report, std::move(stop)).run();
}

}  // namespace warplens
