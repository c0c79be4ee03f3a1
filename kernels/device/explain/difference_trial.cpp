#include "kernels/device/explain/difference_trial.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "core/text/encoding.h"
#include "core/text/files.h"
#include "kernels/device/explain/differences.h"
#include "kernels/programs/compiler.h"
#include "kernels/programs/cuda_compiler.h"
#include "kernels/programs/program_build.h"
#include "kernels/programs/program_cache.h"
#include "kernels/programs/trace_program.h"
#include "kernels/ptx/read/module.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

std::vector<ProgramLine> linesBy(const LaunchReport& launch, Source source) {
    std::vector<ProgramLine> lines;
    std::ranges::copy_if(launch.lines, std::back_inserter(lines),
                         [&](const ProgramLine& line) { return line.source == source; });
    return lines;
}

/// Accesses of the optimised PTX that lies in the program, by file and line.
std::map<SourceLine, std::vector<std::string>> accessesIn(const fs::path& program) {
    std::ifstream file(program, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    std::map<SourceLine, std::vector<std::string>> found;
    constexpr std::string_view begin = "\n.version ";
    for (std::size_t at = 0; (at = bytes.find(begin, at)) != bytes.npos; ++at) {
        const auto read = ptx::readModule(bytes.substr(at, bytes.find('\0', at) - at));
        const auto* module = std::get_if<ptx::Module>(&read);
        if (module == nullptr || module->isDebug) continue;
        const std::vector<std::string_view> rows = splitLines(*module->text);
        for (const auto& [name, function] : module->functions) {
            for (const ptx::Instruction& each : function->instructions) {
                const std::string_view word = each.words.front();
                const bool isAccess =
                    word == "ld" || word == "st" || word == "atom" || word == "red";
                const auto place = module->files.find(each.place.file);
                if (!isAccess || each.has("param") || each.row == 0 || each.row > rows.size() ||
                    place == module->files.end())
                    continue;
                std::string text(trimmed(rows[each.row - 1]));
                text.resize(std::min(text.find(';'), text.size()));
                std::ranges::replace(text, '\t', ' ');
                found[{place->second, each.place.line}].push_back(std::move(text));
            }
        }
    }
    return found;
}

bool isOf(const std::string& ptx, AccessKind kind) {
    const bool isLoad = kind == AccessKind::load || kind == AccessKind::sharedLoad;
    const bool isStore = kind == AccessKind::store || kind == AccessKind::sharedStore;
    const std::string words = ptx.substr(ptx.find("@") == 0 ? ptx.find(' ') + 1 : 0);
    return words.starts_with(isLoad    ? "ld"
                             : isStore ? "st"
                                       : "atom") ||
           (isAtomic(kind) && words.starts_with("red"));
}

class DifferenceTrials final {
  public:
    DifferenceTrials(const TraceRequest& request, const ProgramSources& sources,
                     const std::function<bool()>& cancelled)
        : request_(request), sources_(sources), cancelled_(cancelled) {
        request_.shown.reset();
        request_.launch.reset();
    }

    [[nodiscard]] std::vector<TriedDifference> of(const ProgramTrace& trace) const {
        std::map<std::string, const LaunchReport*> launches;
        std::map<std::string, std::set<std::uint32_t>> lines;
        std::map<std::string, std::set<std::uint32_t>> unasked;
        for (const LaunchReport& launch : trace.launches) {
            if (!launch.exact || !launch.compiled || !launch.compiled->exact ||
                !hasPredicted(launch) || !launches.emplace(launch.instance, &launch).second)
                continue;
            const CountedLaunch counted = countedOf(launch);
            const LineComparison comparison(sources_, counted);
            for (auto& [file, numbers] : comparison.differingLines()) lines[file].merge(numbers);
            for (auto& [file, numbers] : comparison.differingLines(true))
                unasked[file].merge(numbers);
        }
        if (lines.empty()) return {};
        const auto notUnrolled = traceWith(
            [&](const ProgramFile& file) { return withoutUnrolling(file.text, lines[file.path]); });
        TraceRequest plain = request_;
        plain.source.deviceOption = fewOptimisations;
        const auto lessOptimized = traceOf(plain);
        const auto isVolatile =
            traceWith([](const ProgramFile& file) { return withVolatileParameters(file.text); });
        const auto notCalled = traceWith(
            [&](const ProgramFile& file) { return withoutCalls(file.text, unasked[file.path]); });
        std::vector<TriedDifference> found;
        const auto accesses = accessesIn(
            programs::buildProgram(request_.source, *programs::findCudaCompiler(request_.compiler),
                                   request_.computeCapability, cancelled_)
                .binary);
        for (const auto& [instance, launch] : launches) {
            const CountedLaunch counted = countedOf(*launch);
            const auto changed = [&](const std::optional<ProgramTrace>& other, const char* change) {
                std::optional<ChangedLaunch> same;
                for (const LaunchReport& each :
                     other ? other->launches : std::vector<LaunchReport>()) {
                    if (each.index == launch->index && each.instance == launch->instance)
                        same = ChangedLaunch{change, linesBy(each, Source::compiled)};
                }
                return same;
            };
            const Interventions interventions{
                .notCalled = changed(notCalled, "with the call taken out"),
                .notUnrolled =
                    changed(notUnrolled, "with #pragma unroll 1 on the loops around the line"),
                .lessOptimized = changed(lessOptimized, withFewOptimisations),
                .isVolatile = changed(isVolatile, "with volatile parameters")};
            for (LineDifference& each :
                 LineComparison(sources_, counted).differences(interventions)) {
                TriedDifference& tried = found.emplace_back(launch->kernel, std::move(each));
                const LineDifference& of = tried.difference;
                for (const auto& [place, ptx] : accesses) {
                    if (place.second != of.line || ownFile(place.first, {of.file}).empty())
                        continue;
                    std::ranges::copy_if(
                        ptx, std::back_inserter(tried.ptx),
                        [&](const std::string& access) { return isOf(access, of.kind); });
                }
            }
        }
        return found;
    }

  private:
    /// Code that the program compiles as it runs, or brings along as PTX, has no prediction.
    static bool hasPredicted(const LaunchReport& launch) {
        return std::ranges::find(launch.lines, Source::predicted, &ProgramLine::source) !=
               launch.lines.end();
    }
    static CountedLaunch countedOf(const LaunchReport& launch) {
        return {.predicted = linesBy(launch, Source::predicted),
                .compiled = {.lines = linesBy(launch, Source::compiled)}};
    }

    /// The program with each file's text rewritten; nothing where that changes none, or it does not
    /// compile so.
    [[nodiscard]] std::optional<ProgramTrace> traceWith(
        const std::function<std::string(const ProgramFile&)>& rewrite) const {
        const TemporaryFolder folder(programCache() / "tried");
        TraceRequest request = request_;
        std::map<std::string, std::string> names;
        for (std::size_t at = 0; at < request.source.files.size(); ++at) {
            fs::path& file = request.source.files[at];
            const auto unit = std::ranges::find(sources_.units, file.string(), &ProgramFile::path);
            if (unit == sources_.units.end()) continue;
            const std::string text = rewrite(*unit);
            if (text == unit->text) continue;
            const fs::path own = folder.path() / std::to_string(at);
            fs::create_directory(own);
            const fs::path copy = own / file.filename();
            writeFileAtomically(copy, text);
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
};

}  // namespace

std::vector<TriedDifference> tryDifferences(const TraceRequest& request, const ProgramTrace& trace,
                                            const ProgramSources& sources,
                                            const std::function<bool()>& cancelled) {
    return DifferenceTrials(request, sources, cancelled).of(trace);
}

}  // namespace warplens
