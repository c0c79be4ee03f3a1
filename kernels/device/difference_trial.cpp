#include "kernels/device/difference_trial.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "core/text/files.h"
#include "kernels/device/code_lines.h"
#include "kernels/device/differences.h"
#include "kernels/device/measure_request.h"
#include "kernels/programs/compiler.h"
#include "kernels/programs/cuda_compiler.h"
#include "kernels/programs/program_build.h"
#include "kernels/programs/program_cache.h"
#include "kernels/programs/trace_program.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

/// Another code than the -G that the prediction is of, by a compiler that knows the option.
constexpr const char* fewOptimisations = "--Ofast-compile=max";

/// Code that the program compiles as it runs, or brings along as PTX, has no prediction.
bool hasPredicted(const LaunchReport& launch) {
    return std::ranges::find(launch.lines, Source::predicted, &ProgramLine::source) !=
           launch.lines.end();
}

CountedLaunch countedOf(const LaunchReport& launch) {
    return {.predicted = linesBy(launch, Source::predicted),
            .compiled = linesBy(launch, Source::compiled)};
}

class DifferenceTrials final {
  public:
    DifferenceTrials(const TraceRequest& request, const ProgramSources& sources,
                     const std::function<bool()>& cancelled)
        : request_(request), sources_(sources), cancelled_(cancelled) {
        request_.shown.reset();
        request_.inputsOf.reset();
    }

    /// Runs the program with each of the changes that lines of these launches call for. Whether
    /// there are any.
    bool run(const std::vector<const LaunchReport*>& launches) {
        std::map<std::string, std::set<std::uint32_t>> lines;
        std::map<std::string, std::set<std::uint32_t>> unasked;
        for (const LaunchReport* launch : launches) {
            const CountedLaunch counted = countedOf(*launch);
            const LineComparison comparison(sources_, counted);
            for (auto& [file, numbers] : comparison.differingLines()) lines[file].merge(numbers);
            for (auto& [file, numbers] : comparison.differingLines(true))
                unasked[file].merge(numbers);
        }
        if (lines.empty()) return false;
        notUnrolled_ = traceWith(
            [&](const ProgramFile& file) { return withoutUnrolling(file.text, lines[file.path]); });
        TraceRequest plain = request_;
        plain.source.deviceOption = fewOptimisations;
        lessOptimized_ = traceOf(plain);
        isVolatile_ =
            traceWith([](const ProgramFile& file) { return withVolatileParameters(file.text); });
        notCalled_ = traceWith(
            [&](const ProgramFile& file) { return withoutCalls(file.text, unasked[file.path]); });
        return true;
    }

    [[nodiscard]] Interventions of(const LaunchReport& launch) const {
        const auto changed = [&](const std::optional<ProgramTrace>& other, std::string change) {
            std::optional<ChangedLaunch> same;
            for (const LaunchReport& each : other ? other->launches : std::vector<LaunchReport>()) {
                if (each.index == launch.index && each.instance == launch.instance)
                    same = {std::move(change), linesBy(each, Source::compiled)};
            }
            return same;
        };
        return {.notCalled = changed(notCalled_, "with the call taken out"),
                .notUnrolled =
                    changed(notUnrolled_, "with #pragma unroll 1 on the loops around the line"),
                .lessOptimized = changed(lessOptimized_, std::string("with few optimisations (") +
                                                             fewOptimisations + ")"),
                .isVolatile = changed(isVolatile_, "with volatile parameters")};
    }

  private:
    /// The program with each file's text rewritten; nothing where that changes none, or it does not
    /// compile so.
    [[nodiscard]] std::optional<ProgramTrace> traceWith(
        const std::function<std::string(const ProgramFile&)>& rewrite) const {
        TraceRequest request = request_;
        std::map<std::string, std::string> names;
        for (std::size_t at = 0; at < request.source.files.size(); ++at) {
            fs::path& file = request.source.files[at];
            const auto unit = std::ranges::find(sources_.units, file.string(), &ProgramFile::path);
            if (unit == sources_.units.end()) continue;
            const std::string text = rewrite(*unit);
            if (text == unit->text) continue;
            const fs::path copy = keptText(file, text);
            request.source.includes.insert(
                request.source.includes.begin(),
                file.has_parent_path() ? file.parent_path().string() : std::string("."));
            names[copy.string()] = file.string();
            file = copy;
        }
        if (names.empty()) return std::nullopt;
        std::optional<ProgramTrace> trace = traceOf(request);
        if (!trace) return trace;
        for (LaunchReport& launch : trace->launches) {
            for (ProgramLine& line : launch.lines) {
                const auto name = names.find(line.place.file);
                if (name != names.end()) line.place.file = name->second;
            }
        }
        return trace;
    }

    /// Nothing where it does not compile.
    [[nodiscard]] std::optional<ProgramTrace> traceOf(const TraceRequest& request) const {
        try {
            return traceProgram(request, {.cancelled = cancelled_}).trace;
        } catch (const CompileFailed&) {
            return std::nullopt;
        }
    }

    TraceRequest request_;
    const ProgramSources& sources_;
    const std::function<bool()>& cancelled_;
    std::optional<ProgramTrace> notUnrolled_;
    std::optional<ProgramTrace> lessOptimized_;
    std::optional<ProgramTrace> isVolatile_;
    std::optional<ProgramTrace> notCalled_;
};

}  // namespace

Interventions interventionsFor(const TraceRequest& request, const ProgramSources& sources,
                               const LaunchReport& launch, const std::function<bool()>& cancelled) {
    DifferenceTrials trials(request, sources, cancelled);
    return hasPredicted(launch) && trials.run({&launch}) ? trials.of(launch) : Interventions{};
}

std::vector<TriedDifference> tryDifferences(const TraceRequest& request, const ProgramTrace& trace,
                                            const ProgramSources& sources,
                                            const std::function<bool()>& cancelled) {
    TraceRequest all = request;
    all.launch.reset();
    std::map<std::string, const LaunchReport*> firsts;
    std::vector<const LaunchReport*> launches;
    for (const LaunchReport& launch : trace.launches) {
        if (launch.exact && launch.compiled && launch.compiled->exact && hasPredicted(launch) &&
            firsts.emplace(launch.instance, &launch).second)
            launches.push_back(&launch);
    }
    DifferenceTrials trials(all, sources, cancelled);
    if (!trials.run(launches)) return {};
    std::vector<std::string> ignored;
    const programs::BuiltProgram built =
        programs::buildProgram(sourceOf(request), *programs::findCudaCompiler(request.compiler),
                               request.computeCapability, cancelled);
    const std::vector<std::string> ptx = compiledPtx(built.binary);
    const std::set<std::string> files = filesOf(sources);
    std::vector<TriedDifference> found;
    for (const auto& [instance, launch] : firsts) {
        CountedLaunch counted = countedOf(*launch);
        counted.code = codeByLine(ptx, {}, instance, files, ignored);
        const LineComparison comparison(sources, counted);
        for (LineDifference& each : comparison.differences(trials.of(*launch))) {
            // Of what the toolkit's headers do nobody asks.
            if (!files.contains(each.file)) continue;
            std::vector<std::string> accesses = comparison.ptxOf(each);
            found.push_back({launch->kernel, std::move(each), std::move(accesses)});
        }
    }
    return found;
}

}  // namespace warplens
