#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <string_view>

#include "app/cli/explanation.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/program_launch.h"
#include "app/cli/program_options.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/subcommand.h"
#include "core/program/launch_shape.h"
#include "core/program/line_costs.h"
#include "core/program/warnings.h"
#include "core/text/encoding.h"
#include "core/text/files.h"
#include "core/text/format.h"
#include "kernels/device/measure_request.h"
#include "kernels/programs/remedy_trial.h"
#include "kernels/programs/trace_program.h"

namespace warplens {
namespace {

constexpr std::array<std::string_view, 2> annotateFormats{"text", "html"};

struct AnnotateCommandOptions final {
    ExperimentOptions launch;  ///< of the file that is its scenario
    ProgramOptions program;
    std::string format = "text";
    std::string measured;
};

/// What the program calls that file, wherever it was named from.
std::string nameIn(const ProgramSources& sources, const SourcePlace& place) {
    for (const auto* files : {&sources.units, &sources.headers}) {
        for (const ProgramFile& file : *files) {
            std::error_code none;
            if (sameFile(file.path, place.file) ||
                std::filesystem::equivalent(file.path, place.file, none))
                return file.path;
        }
    }
    throw InvalidRequest(
        {{"FILE", '\'' + placeText(place) + '\'', "a file that the program includes"}});
}

}  // namespace

Subcommand addAnnotateCommand(CLI::App& program) {
    const auto options = std::make_shared<AnnotateCommandOptions>();
    CLI::App* parser = program.add_subcommand("annotate",
                                              "a .cu file's source with what each line asks of "
                                              "memory and branches, and why it costs more "
                                              "than need be");
    addText(*parser, "FILE.cu", options->launch.scenario, value::file,
            "the program; a header where the program's files follow")
        ->required();
    addProgramOnlyOptions(*parser, options->launch, options->program);
    addMeasuredOption(*parser, options->measured);
    addText(*parser, "-o,--output", options->format, choiceOf(annotateFormats),
            "how it is written; text where left out");
    return {
        parser,
        [options] {
            if (options->format != "text" && options->format != "html") {
                throw InvalidRequest({{"--output", "'" + options->format + "'", "text or html"}});
            }
            // A header is shown of the program that includes it.
            std::vector<std::string>& files = options->program.files;
            const std::string shown = options->launch.scenario;
            if (!isSourceFile(shown) && !files.empty()) {
                options->launch.scenario = files.front();
                files.erase(files.begin());
            }
            const TraceRequest request = traceRequestFrom(options->launch, options->program);
            const auto measured = measuredFrom(options->measured, request);
            TracedProgram traced = tracedShowing(request);
            if (shown != options->launch.scenario)
                traced.trace.program = nameIn(traced.sources, {shown, 0, 0});
            const std::string text = readFile(shown);
            const std::string source(withoutByteOrderMark(text));
            print(options->format == "html" ? annotatedHtml(traced.trace, source, measured.get())
                                            : annotatedText(traced.trace, source, measured.get()));
            return exitCodeFor(options->program, traced.trace);
        },
        &options->program.arguments};
}

namespace {

struct ExplainOptions final {
    std::string subject;  ///< FILE.cu or FILE.cu:LINE
    ExperimentOptions launch;
    ProgramOptions program;
    bool isQuick = false;                  ///< no remedies, no causes of differences
    std::optional<std::uint32_t> apply{};  ///< the remedy of that number, from 1
    bool json = false;
};

/// `x.cu:12` is line 12 of x.cu, `x.cuh:12` of a header.
std::optional<std::uint32_t> takeLine(std::string& subject) {
    const std::size_t colon = subject.rfind(':');
    if (colon == std::string::npos || subject.rfind('.', colon) == std::string::npos ||
        subject.find_first_of("/\\", colon) != std::string::npos)
        return std::nullopt;
    const auto line = wholeNumber<std::uint32_t>(std::string_view(subject).substr(colon + 1));
    if (line.value_or(0) == 0)
        throw InvalidRequest({{"FILE.cu:LINE", '\'' + subject + '\'', "a line's number from 1"}});
    subject.resize(colon);
    return line;
}

/// How far what is tried has come, on the terminal; text that is printed takes its place.
class Trying final {
  public:
    explicit Trying(bool isText) : isText_(isText) {}

    void tell(std::string_view text) {
        if (!isText_ || text.empty()) return;
        progress_.clear();
        print(text);
        hasTold_ = true;
    }
    [[nodiscard]] bool hasTold() const { return hasTold_; }

    [[nodiscard]] std::vector<TriedDifference> differencesOf(const TraceRequest& request,
                                                             const ProgramTrace& trace,
                                                             const ProgramSources& sources,
                                                             const AskedLines& lines) {
        progress_.show(0, "looking for causes of differences");
        std::vector<TriedDifference> all;
        try {
            all = tryDifferences(request, trace, sources, InterruptNoted::happened);
        } catch (const Cancelled&) {
            progress_.clear();
            endIfInterrupted("stopped: neither causes of differences nor remedies were tried");
            throw;
        }
        std::erase_if(all, [&](const TriedDifference& each) {
            return !isAsked(lines, each.difference.file, each.difference.line);
        });
        return all;
    }

    [[nodiscard]] std::vector<TriedRemedy> remediesOf(const TraceRequest& request,
                                                      const AskedLines& lines) {
        std::vector<TriedRemedy> told;
        std::string stopped = "stopped: no remedy was tried";
        const auto show = [&](const RemedyCause& cause, std::size_t done, std::size_t of) {
            progress_.show(static_cast<double>(done) / static_cast<double>(of),
                           "trying remedies for " + cause.rule + ", " +
                               std::to_string(std::min(done + 1, of)) + " of " +
                               std::to_string(of));
        };
        std::vector<TriedRemedy> all;
        try {
            all = tryRemedies(request, {.lines = lines,
                                        .progress = show,
                                        .cancelled = InterruptNoted::happened,
                                        .found =
                                            [&](const TriedRemedy& each) {
                                                tell(remedyText(each, told));
                                                told.push_back(each);
                                            },
                                        .stopped =
                                            [&](std::size_t left, std::size_t of) {
                                                stopped = "stopped: " + std::to_string(left) +
                                                          " of " + std::to_string(of) +
                                                          (of == 1 ? " remedy" : " remedies") +
                                                          " not tried";
                                            }});
        } catch (const Cancelled&) {
            progress_.clear();
            endIfInterrupted(stopped);
            throw;
        }
        progress_.clear();
        endIfInterrupted(stopped);
        return all;
    }

  private:
    InterruptNoted noted_;
    ProgressLine progress_{"looking for remedies", true};
    bool isText_;
    bool hasTold_ = false;
};

/// All that are named, the subject first.
std::vector<std::string*> namedFiles(ExplainOptions& options) {
    std::vector<std::string*> all{&options.subject};
    for (std::string& file : options.program.files) all.push_back(&file);
    return all;
}

/// Where nothing else is to be told.
std::string textOfNothing(const TracedProgram& traced, const AskedLines& lines) {
    if (!lines.empty()) return "nothing is accessed there, and no branch taken\n";
    const std::string none =
        "no line breaks a rule of check on what it costs, and no branch diverges";
    const AskedLines below = linesBelowRules(traced.trace);
    if (below.empty()) return none + '\n';
    Explanation explanation = explanationOf(traced.trace, traced.sources, below);
    std::erase_if(explanation.lines, [](const ExplainedLine& each) {
        return each.line.kind == AccessKind::branch || excessOf(each.line) == 0;
    });
    explanation.findings.clear();
    return none + "; below what a rule tells, more than would do is taken here:\n" +
           findingsText(explanation, true);
}

/// Of each launch a line that takes a quarter more than would do, and less than a rule tells, as a
/// warp has threads of several rows: what blocks whose rows are warps give. Empty where they leave
/// more than nine tenths.
std::string otherShapes(const TraceRequest& request, const ProgramTrace& trace) {
    std::string text;
    std::set<std::string> done;
    for (const LaunchReport& launch : trace.launches) {
        const Extents block = launch.launch.block;
        const auto threads = static_cast<std::uint32_t>(block.count());
        const auto isOfShape = [&](const ProgramLine& line) {
            return line.source == Source::predicted && isGlobal(line.kind) && line.address &&
                   std::abs(line.address->thread[0]) == line.address->elementBytes &&
                   4 * line.sectors >= 5 * line.idealSectors && !breaksCostRule(line, launch);
        };
        const auto line = std::ranges::find_if(launch.lines, isOfShape);
        if (block.x >= lanesPerWarp || threads % lanesPerWarp != 0 || line == launch.lines.end() ||
            !done.insert(launch.kernel).second)
            continue;
        TraceRequest other = request;
        other.kernel = launch.kernel;
        other.launch = launch.index;
        other.block = Extents{lanesPerWarp, threads / lanesPerWarp, 1};
        try {
            const ProgramTrace tried =
                traceProgram(other, {.cancelled = InterruptNoted::happened}).trace;
            const std::uint64_t before = costOf(launch, CostMetric::sectors);
            const std::uint64_t after = costOf(tried, CostMetric::sectors);
            if (tried.launches.size() != 1 || 10 * after > 9 * before ||
                costOf(tried, CostMetric::stored) != costOf(launch, CostMetric::stored))
                continue;
            text += placeText({line->place.file, line->place.line, 0}) + ": " + line->array +
                    " takes " + counted(line->sectors, "sector") + " where " +
                    groupedDigits(line->idealSectors) +
                    " would do, less than a rule tells: blockDim.x is " + std::to_string(block.x) +
                    ", so that a warp has threads of " + std::to_string(lanesPerWarp / block.x) +
                    " rows. With blocks of " + toString(*other.block) +
                    ", and a grid that covers as many threads, the launch's " +
                    groupedDigits(before) + " sectors are " + groupedDigits(after) + ".\n";
        } catch (const CommandFailed&) {
            continue;  // a shape that the kernel is not made for
        }
    }
    return text;
}

ExitCode explain(ExplainOptions& options) {
    AskedLines lines;
    // FILE.cu:LINE again names a line more, and its file where that was not named yet.
    std::vector<std::string> files;
    for (std::string* const file : namedFiles(options)) {
        const std::optional<std::uint32_t> line = takeLine(*file);
        if (line) lines.push_back({*file, *line, 0});
        const bool isHeader = line && !isSourceFile(*file);
        if (!isHeader && std::ranges::find(files, *file) == files.end()) files.push_back(*file);
    }
    if (files.empty())
        throw InvalidRequest({{"FILE.cu", placeText(lines.front()),
                               "the .cu file that includes it before it: explain FILE.cu " +
                                   placeText(lines.front())}});
    options.launch.scenario = files.front();
    options.program.files.assign(files.begin() + 1, files.end());
    const TraceRequest request = traceRequestFrom(options.launch, options.program);
    const TracedProgram traced = tracedShowing(request);
    const ProgramSources& sources = traced.sources;
    for (SourcePlace& place : lines) {
        place.file = nameIn(sources, place);
        const std::size_t last = splitLines(textOf(sources, place.file)).size();
        if (place.line > last && last != 0)
            throw InvalidRequest({{"FILE.cu:LINE", '\'' + placeText(place) + '\'',
                                   "the file has " + counted(last, "line")}});
    }
    Explanation explanation = explanationOf(traced.trace, sources, lines);
    explanation.idleLanes = askedShapes(traced.trace.launches);
    if (lines.empty())
        std::ranges::move(lanesWithoutThread(traced.trace.launches),
                          std::back_inserter(explanation.idleLanes));
    const bool isIdle = traced.trace.launches.empty() && explanation.findings.empty();
    if (!options.json && !traced.proposed.empty()) {
        for (const std::string& note : traced.trace.notes) print("note: " + note + '\n');
    }
    Trying trying(!options.json && !isIdle);
    trying.tell(findingsText(explanation, !lines.empty()));
    if (!options.isQuick) {
        explanation.differences = trying.differencesOf(request, traced.trace, sources, lines);
        trying.tell(differencesText(explanation, sources));
        explanation.remedies = trying.remediesOf(request, lines);
        trying.tell(withoutRemedyText(traced.trace, lines, explanation.remedies));
    }
    if (!trying.hasTold()) trying.tell(textOfNothing(traced, lines));
    if (!options.isQuick && !options.json && lines.empty())
        trying.tell(otherShapes(request, traced.trace));
    if (const std::string ended = verdictInWords(traced.trace); !ended.empty())
        trying.tell(files.front() + ": the program " + ended + '\n');
    if (options.apply) {
        const std::size_t at = *options.apply - 1;
        if (at >= explanation.remedies.size() || explanation.remedies[at].diff.empty())
            throw InvalidRequest({{"--apply", std::to_string(*options.apply),
                                   "the number of a remedy that is listed with a diff"}});
        writeFileAtomically(explanation.remedies[at].file, explanation.remedies[at].text);
    }
    if (isIdle) {
        const std::string ended = exitText(traced.trace);
        complain(files.front() + ": no kernel was launched, so that no line has a cost" +
                 (ended.empty() ? "; what it is to be called with goes after --"
                                : ": " + std::string(trimmed(ended))));
    }
    if (options.json)
        printDocument(Document::explanation, explanation);
    else if (options.apply)
        trying.tell(explanation.remedies[*options.apply - 1].file + " is changed by remedy " +
                    std::to_string(*options.apply) + "; the lines above are of the file before\n");
    return exitCodeFor(options.program, explanation.findings);
}

}  // namespace

Subcommand addExplainCommand(CLI::App& program) {
    const auto options = std::make_shared<ExplainOptions>();
    CLI::App* parser = program.add_subcommand(
        "explain",
        "why lines of a .cu file cost what they cost, and what to do: remedies that were tried, "
        "without a GPU");
    addText(*parser, "FILE.cu", options->subject, value::file,
            "the program, or lines of it: FILE.cu:LINE, again for each")
        ->required();
    parser->add_flag("--no-remedies", options->isQuick,
                     "tries nothing, and tells only why a line costs");
    addNumber(*parser, "--apply", options->apply, {.least = 1, .most = 999},
              "writes the file that the remedy of this number changes");
    addProgramOnlyOptions(*parser, options->launch, options->program);
    addJsonFlag(*parser, options->json);
    return {parser,
            [options] { return explain(*options); },
            &options->program.arguments,
            {{Document::explanation, schemaFor<Explanation>}}};
}

}  // namespace warplens
