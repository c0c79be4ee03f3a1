#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/program_launch.h"
#include "app/cli/program_options.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/subcommand.h"
#include "core/json/archive.h"
#include "core/program/line_costs.h"
#include "core/program/reasons.h"
#include "core/program/remedies.h"
#include "core/program/remedy_edits.h"
#include "core/program/source_edit.h"
#include "core/program/warnings.h"
#include "core/text/encoding.h"
#include "core/text/files.h"
#include "core/text/format.h"
#include "kernels/device/difference_trial.h"
#include "kernels/device/measure_request.h"
#include "kernels/programs/remedy_trial.h"

namespace warplens {
namespace {

constexpr std::array<std::string_view, 2> annotateFormats{"text", "html"};

struct AnnotateCommandOptions final {
    ExperimentOptions launch;  ///< of the file that is its scenario
    ProgramOptions program;
    std::string format = "text";
    std::string measured;
};

/// Whether a file is compiled by itself, not included.
bool isUnit(const std::string& file) {
    return file.ends_with(".cu") || file.ends_with(".cpp") || file.ends_with(".cc") ||
           file.ends_with(".cxx");
}

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
            if (!isUnit(shown) && !files.empty()) {
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
            return exitCodeFor(options->program, traced.trace.findings);
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

/// A line of one kernel, in the launch in which it wastes most, the first of such.
struct ExplainedLine final {
    std::string kernel;
    Launch launch;
    ProgramLine line;
    std::string code;            ///< as it is written
    std::string lesson;          ///< that teaches it; empty where none does
    std::string how;             ///< its numbers were found, where that is a sample
    ProgramLine compiled{};      ///< the same access as compiled, where it is on this line
    std::uint32_t last;          ///< launch of these, by its index
    bool isMeant;                ///< it is told of in one of them, and so of all
    std::uint64_t launches = 1;  ///< in which it is run
    bool isAlike = true;         ///< and costs as much
    bool isOneReason = true;     ///< for the same reason
};

void describe(Archive& v, ExplainedLine& explained) {
    v("kernel", explained.kernel, "In which kernel.");
    v("launch", explained.launch, "The launch in which it wastes most.");
    v("code", explained.code, "The line as it is written.");
    v.optional("lesson", explained.lesson, "The lesson on what it costs.");
    v.added("launches", explained.launches, "In how many launches of the kernel it is told of.");
    describe(v, explained.line);
    // Behind the line, whose type it would be else.
    v.type("explained_line", "A line in the launch in which it wastes most.");
}

struct Explanation final {
    std::string program;
    std::vector<ExplainedLine> lines;
    std::vector<TriedDifference> differences;
    std::vector<Finding> findings;
    std::vector<TriedRemedy> remedies;
};

void describe(Archive& v, Explanation& explanation) {
    v("program", explanation.program, "The file.");
    describeVersion(v);
    v("lines", explanation.lines, "Those that cost more than need be, or those of the line named.");
    v.optional("differences", explanation.differences,
               "Where the compiled code asks for something else, and why: tried without a GPU.");
    v("findings", explanation.findings, "What is wrong there.");
    v("remedies", explanation.remedies, "What to do about it; tried, where it has a diff.");
}

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

/// Those that are asked for; none: all.
using AskedLines = std::vector<SourcePlace>;
bool isAsked(const AskedLines& lines, const std::string& file, std::uint32_t line) {
    return lines.empty() || std::ranges::any_of(lines, [&](const SourcePlace& each) {
               return each.line == line && each.file == file;
           });
}

/// Names of the function around a place, and of those around it; none in a kernel.
std::vector<std::string> functionsAround(const ProgramSources& sources, const SourcePlace& place) {
    const source::SourceEdit text(textOf(sources, place.file), place.file);
    std::vector<std::string> names;
    if (kernelAt(sources.units, place) || kernelAt(sources.headers, place)) return names;
    std::size_t at = text.line(place.line).begin + std::max(1u, place.column) - 1;
    // Where all of a function stands on one line, its place is before its braces.
    const std::size_t brace = text.textOf({at, text.line(place.line).end}).find('{');
    if (brace != std::string_view::npos) at += brace + 1;
    for (const source::Statement& each : text.statementsAround(at)) {
        if (each.condition.size() != 0 || !each.inside.holds(at)) continue;
        // `void Particle::step(float dt) const`: the name before the first of its brackets.
        std::string_view name;
        for (const CudaToken& token : text.tokensIn({each.whole.begin, each.inside.begin})) {
            if (token.is("(") && !name.starts_with("__")) break;
            if (token.kind == CudaTokenKind::identifier) name = token.text;
            if (token.is("struct") || token.is("class") || token.is("namespace")) break;
        }
        names.emplace_back(name);
    }
    return names;
}

/// Whether a line that is asked for calls the function that a place is in.
bool isCalledThere(const ProgramSources& sources, const AskedLines& lines,
                   const SourcePlace& place) {
    const std::vector<std::string> names = functionsAround(sources, place);
    return std::ranges::any_of(lines, [&](const SourcePlace& line) {
        const std::string masked =
            source::maskedText(lineOf(textOf(sources, line.file), line.line));
        return std::ranges::any_of(names, [&](const std::string& name) {
            const std::size_t at = source::findWord(masked, name);
            return at != source::nowhere &&
                   masked.find_first_of("(<", at) == source::skipBlanks(masked, at + name.size());
        });
    });
}

/// The lesson on what a line costs; none where data decides, or what is put in a place cannot be
/// added up before.
std::string lessonOf(const ProgramLine& line, std::string_view code) {
    const bool isPut = isAtomic(line.kind) && (code.find("atomicExch") != code.npos ||
                                               code.find("atomicCAS") != code.npos);
    const bool isOfData = line.reason.find("depends on data") != std::string::npos;
    return isCostly(line) && !line.isGuard && !isLocal(line.kind) && !isPut && !isOfData
               ? std::string(costRule(line.kind).lesson)
               : std::string();
}

/// All that the compiled code does to the line's array there, if it is not split over others.
ProgramLine asCompiled(const ProgramLine& line, const LaunchReport& launch) {
    ProgramLine compiled;
    for (const ProgramLine& other : launch.lines) {
        if (other.source == Source::compiled && other.kind == line.kind &&
            other.array == line.array && other.place.line == line.place.line &&
            other.place.file == line.place.file)
            compiled.add(other);
    }
    compiled.kind = line.kind;
    return compiled;
}

/// A kernel's name without its template arguments.
std::string_view templateOf(std::string_view kernel) {
    return kernel.substr(0, kernel.find('<'));
}

Explanation explanationOf(const ProgramTrace& trace, const ProgramSources& sources,
                          const AskedLines& lines) {
    Explanation explanation{trace.program, {}, {}, {}, {}};
    for (const LaunchReport& launch : trace.launches) {
        for (const ProgramLine& each : launch.lines) {
            const bool isMeant =
                lines.empty() ? isCostly(each) &&
                                    ((each.kind != AccessKind::branch && !isAtomic(each.kind)) ||
                                     breaksCostRule(each, launch))
                              : isAsked(lines, each.place.file, each.place.line) ||
                                    (isCostly(each) && isCalledThere(sources, lines, each.place));
            const std::string code(
                trimmed(lineOf(textOf(sources, each.place.file), each.place.line)));
            if ((each.source != Source::predicted && !isLocal(each.kind)) || code.empty()) continue;
            if (each.nth != 0 && each.divergent == 0) continue;  // what diverges there is told
            const std::string how = launch.exact ? std::string() : howPredicted(launch);
            const auto isSame = [&](const ExplainedLine& other) {
                return templateOf(other.kernel) == templateOf(launch.kernel) &&
                       other.line.place.line == each.place.line &&
                       other.line.place.file == each.place.file && other.line.kind == each.kind &&
                       other.line.array == each.array;
            };
            if (const auto known = std::ranges::find_if(explanation.lines, isSame);
                known != explanation.lines.end()) {
                // Once in a launch, whatever else the line does to that array.
                if (std::exchange(known->last, launch.index) == launch.index) continue;
                ++known->launches;
                known->isAlike &= static_cast<const LineCost&>(known->line) == each;
                known->isOneReason &= known->line.reason == each.reason;
                const auto rank = [](bool isTold, const ProgramLine& line) {
                    return std::pair(isTold, wasteOf(line.kind, line));
                };
                if (rank(isMeant, each) > rank(known->isMeant, known->line)) {
                    known->kernel = launch.kernel;
                    known->launch = launch.launch;
                    known->line = each;
                    known->compiled = asCompiled(each, launch);
                    known->lesson = lessonOf(each, code);
                    known->how = how;
                }
                known->isMeant |= isMeant;
                continue;
            }
            explanation.lines.push_back({launch.kernel, launch.launch, each, code,
                                         lessonOf(each, code), how, asCompiled(each, launch),
                                         launch.index, isMeant});
        }
    }
    std::erase_if(explanation.lines, [](const ExplainedLine& each) { return !each.isMeant; });
    // Of one line the costliest first.
    std::map<std::tuple<std::string, std::string, std::uint32_t>, std::size_t> places;
    const auto order = [&](const ExplainedLine& each) {
        const auto& [file, number, column] = each.line.place;
        const auto place =
            places.try_emplace(std::tuple(each.kernel, file, number), places.size()).first;
        return std::pair(place->second, ~wasteOf(each.line.kind, each.line));
    };
    for (const ExplainedLine& each : explanation.lines) (void)order(each);
    std::ranges::stable_sort(explanation.lines, {}, order);
    for (const Finding& finding : trace.findings) {
        if (isAsked(lines, finding.place.file, finding.place.line))
            explanation.findings.push_back(finding);
    }
    return explanation;
}

/// `2,048 threadIdx.x + 262,144 blockIdx.x + 4 a pass`
std::string formulaText(const AddressFormula& formula) {
    std::string text;
    const auto add = [&](std::int64_t bytes, std::string_view what) {
        if (bytes == 0) return;
        text += text.empty() ? (bytes < 0 ? "-" : "") : (bytes < 0 ? " - " : " + ");
        text += groupedDigits(static_cast<std::uint64_t>(std::abs(bytes))) +
                (what.empty() ? "" : " ") + std::string(what);
    };
    constexpr std::array<std::string_view, 3> threads{"threadIdx.x", "threadIdx.y", "threadIdx.z"};
    constexpr std::array<std::string_view, 3> lanes{"lane", "warp", ""};
    constexpr std::array<std::string_view, 3> blocks{"blockIdx.x", "blockIdx.y", "blockIdx.z"};
    for (std::size_t at = 0; at < 3; ++at)
        add(formula.thread.at(at), (formula.ofLanes ? lanes : threads).at(at));
    for (std::size_t at = 0; at < 3; ++at) add(formula.block.at(at), blocks.at(at));
    for (std::size_t at = 0; at < formula.loops.size(); ++at)
        add(formula.loops[at].bytes, at == 0 ? "a pass" : "a pass of the loop around it");
    add(formula.start, "");
    if (text.empty()) text = "0";
    if (formula.isOfRequest) return text + " from where its request begins";
    return formula.isClamped ? text + ", clamped at the edge" : text;
}

/// What the work finds, unless somebody interrupts it.
template <class Work>
auto found(const std::string& what, const Work& work) {
    const InterruptNoted noted;
    ProgressLine progress(what);
    auto all = work(progress);
    progress.clear();
    endIfInterrupted();
    return all;
}

std::vector<TriedRemedy> remediesOf(const TraceRequest& request, const AskedLines& lines) {
    return found("looking for remedies", [&](ProgressLine& progress) {
        const auto show = [&](const RemedyCause& cause, std::size_t done, std::size_t of) {
            progress.show(static_cast<double>(done) / static_cast<double>(of),
                          "trying remedies for " + cause.rule);
        };
        return tryRemedies(
            request, {.lines = lines, .progress = show, .cancelled = InterruptNoted::happened});
    });
}

std::vector<TriedDifference> differencesOf(const TraceRequest& request, const ProgramTrace& trace,
                                           const ProgramSources& sources, const AskedLines& lines) {
    auto all = found("looking for causes of differences", [&](ProgressLine& progress) {
        progress.show(0, "compiling with one thing changed at a time");
        return tryDifferences(request, trace, sources, InterruptNoted::happened);
    });
    std::erase_if(all, [&](const TriedDifference& each) {
        return !isAsked(lines, each.difference.file, each.difference.line);
    });
    return all;
}

/// `shared load`
std::string inWords(AccessKind kind) {
    std::string words(nameOf(kind));
    std::ranges::replace(words, '_', ' ');
    return words;
}

/// `157 requests, `, where what it costs does not say so.
std::string requestsOf(const ProgramLine& line) {
    const bool isSaid =
        line.kind == AccessKind::branch || costInWords(line).find(" request") != std::string::npos;
    return isSaid ? std::string() : counted(line.requests, "request") + ", ";
}

/// `, in each of 3 launches`; empty where there is one.
std::string launchesOf(const ExplainedLine& line) {
    if (line.launches == 1) return {};
    const std::string launches = groupedDigits(line.launches) + " launches";
    return !line.isAlike       ? ", in the costliest of " + launches
           : !line.isOneReason ? ", in the first of " + launches + ", each for its own reason"
                               : ", in each of " + launches;
}

/// What it says behind its numbers: `: the loop is unrolled`.
std::string whyOf(const LineDifference& difference) {
    const std::size_t colon = difference.words.find(": ");
    return colon == std::string::npos ? std::string() : difference.words.substr(colon);
}

/// Whether the one that was told last said the same, of another line or kind.
bool isSaidAbove(const LineDifference& now, const LineDifference* said) {
    return said != nullptr && said->file == now.file && said->cause == now.cause &&
           !whyOf(now).empty() && whyOf(*said) == whyOf(now);
}

/// `B[0]` of a line that has it more than once; empty where it has none.
std::string saidAgain(std::string_view line) {
    const source::SourceEdit text(line);
    for (const CudaToken& token : text.tokens()) {
        if (token.kind != CudaTokenKind::identifier) continue;
        std::set<std::string_view> known;
        for (const source::NamedBrackets& each :
             text.bracketsOf(token.text, '[', {0, line.size()})) {
            if (!known.insert(text.textOf(each.whole)).second) return text.copyOf(each.whole);
        }
    }
    return {};
}

std::string differenceText(const TriedDifference& explained, const LineDifference* said,
                           const ProgramSources& sources) {
    const LineDifference& difference = explained.difference;
    const std::string place = difference.file + ':' + std::to_string(difference.line) + ": " +
                              inWords(difference.kind) + " in " +
                              shortKernelName(explained.kernel) + " as compiled\n  ";
    if (isSaidAbove(difference, said))
        return place +
               difference.words.substr(0, difference.words.size() - whyOf(difference).size()) +
               ": as above\n";
    std::string text = place + difference.words + '\n';
    if (!difference.intervention.empty()) text += "  tried: " + difference.intervention + '\n';
    if (difference.cause == DifferenceCause::unexplained) {
        const std::string again =
            saidAgain(lineOf(textOf(sources, difference.file), difference.line));
        if (!again.empty() && difference.compiled < difference.predicted)
            text += "  not tried: `" + again +
                    "` stands there more than once, and compiled code may ask for it once\n";
        else if (!explained.ptx.empty())
            text += "  none of this is why; what the compiled code has there:\n";
    }
    constexpr std::size_t mostShown = 4;
    for (std::size_t at = 0; at < std::min(mostShown, explained.ptx.size()); ++at)
        text += "    " + explained.ptx[at] + '\n';
    if (explained.ptx.size() > mostShown)
        text +=
            "    and " + std::to_string(explained.ptx.size() - mostShown) + " more like these\n";
    return text;
}

/// `x.cu:12`
std::string lineName(const SourcePlace& place) {
    return place.file + ':' + std::to_string(place.line);
}

std::string remedyText(const TriedRemedy& tried, std::size_t number) {
    const RemedyKind remedy = remedyNamed(tried.remedy);
    std::string text = "remedy " + std::to_string(number) + " for";
    std::string before;
    for (const SourcePlace& place : tried.places) {
        const std::string at = ' ' + (place.line == 0 ? "the program" : lineName(place));
        if (before.find(at + ',') == std::string::npos) before += at + ',';
    }
    text += before + ' ' + tried.rule + ":\n  " + wordsOf(tried) + '\n';
    text += "  " + gainInWords(tried) + '\n';
    for (const std::string_view line : splitLines(tried.diff))
        text += line.empty() ? "" : "    " + std::string(line) + '\n';
    if (!remedy.lesson.empty())
        text += "  lesson: warplens lesson " + std::string(remedy.lesson) + '\n';
    return text;
}

/// What it costs once it is compiled, where that is less.
std::string compiledText(const ExplainedLine& each) {
    const ProgramLine& now = each.compiled;
    if (now.requests == 0 || excessOf(now) >= excessOf(each.line)) return {};
    return "  as compiled: " + requestsOf(now) + costInWords(now) +
           (isCostly(now) ? "\n" : ": the compiler has put it right\n");
}

std::string lineText(const ExplainedLine& each) {
    const ProgramLine& line = each.line;
    std::string text = lineName(line.place) + ": " + inWords(line.kind) +
                       (line.array.empty() ? "" : " of " + line.array) + " in " +
                       shortKernelName(each.kernel) + ' ' + toLaunchSyntax(each.launch) +
                       launchesOf(each) + "\n    " + each.code + "\n  " + requestsOf(line) +
                       costInWords(line) + '\n';
    if (!each.how.empty()) text += "  of " + each.how + '\n';
    const std::string compiled = compiledText(each);
    text += compiled;
    if (!line.reason.empty() && !line.isJoined) text += "  why: " + line.reason + '\n';
    if (line.address)
        text += "  address in bytes: " + formulaText(*line.address) +
                (line.address->eachPass.empty() ? ""
                 : line.address->isOfRequest    ? ", in the first request"
                                                : ", in the first pass") +
                '\n';
    if (!each.lesson.empty() && (compiled.empty() || isCostly(each.compiled)))
        text += "  lesson: warplens lesson " + each.lesson + '\n';
    return text;
}

/// All lines; those that cost next to nothing beside the others of their kind by their places
/// alone.
std::string linesText(const std::vector<ExplainedLine>& lines, bool isEach) {
    constexpr std::size_t few = 4;
    constexpr std::uint64_t parts = 100;  // of which one is next to nothing
    std::map<CostMetric, std::uint64_t> whole;
    for (const ExplainedLine& each : lines) whole[metricOf(each.line)] += excessOf(each.line);
    std::string text;
    std::map<std::string, std::set<std::uint32_t>> rest;
    for (const ExplainedLine& each : lines) {
        const ProgramLine& line = each.line;
        if (isEach || isLocal(line.kind) || isAtomic(line.kind) || lines.size() <= few ||
            parts * excessOf(line) >= whole[metricOf(line)])
            text += lineText(each);
        else
            rest[line.place.file].insert(line.place.line);
    }
    for (const auto& [file, numbers] : rest) {
        text += counted(numbers.size(), "more line") + " of " + file +
                (numbers.size() == 1 ? "" : ", each") + " with less than 1 % of what is too much:";
        for (const std::uint32_t number : numbers)
            text += (number == *numbers.begin() ? " " : ", ") + std::to_string(number);
        text += "\n  why: warplens explain " + file + ":LINE\n";
    }
    return text;
}

std::string asText(const Explanation& explanation, const ProgramSources& sources, bool isOneLine) {
    std::string text;
    for (const Finding& finding : explanation.findings)
        text += (finding.place.line == 0 ? "" : lineName(finding.place) + ": ") + finding.words +
                " [" + ruleOf(finding.kind).id + "]\n";
    text += linesText(explanation.lines, isOneLine);
    const LineDifference* before = nullptr;
    const LineDifference* said = nullptr;
    std::set<std::tuple<std::string, std::uint32_t, AccessKind, std::string>> known;
    for (const TriedDifference& each : explanation.differences) {
        const LineDifference& now = each.difference;
        // Sectors differ as requests do.
        const bool isTold =
            (before != nullptr && before->line == now.line && before->kind == now.kind &&
             before->cause == now.cause) ||
            !known.emplace(now.file, now.line, now.kind, now.words).second;  // of another instance
        before = &now;
        if (isTold) continue;
        text += differenceText(each, said, sources);
        said = &now;
    }
    for (std::size_t at = 0; at < explanation.remedies.size(); ++at)
        text += remedyText(explanation.remedies[at], at + 1);
    if (!text.empty()) return text;
    return isOneLine ? "nothing is accessed there, and no branch taken\n"
                     : "no line takes twice what would do, and no branch diverges\n";
}

/// All that are named, the subject first.
std::vector<std::string*> namedFiles(ExplainOptions& options) {
    std::vector<std::string*> all{&options.subject};
    for (std::string& file : options.program.files) all.push_back(&file);
    return all;
}

ExitCode explain(ExplainOptions& options) {
    AskedLines lines;
    // FILE.cu:LINE again names a line more, and its file where that was not named yet.
    std::vector<std::string> files;
    for (std::string* const file : namedFiles(options)) {
        const std::optional<std::uint32_t> line = takeLine(*file);
        if (line) lines.push_back({*file, *line, 0});
        const bool isHeader = line && !isUnit(*file);
        if (!isHeader && std::ranges::find(files, *file) == files.end()) files.push_back(*file);
    }
    if (files.empty())
        throw InvalidRequest({{"FILE.cu", placeText(lines.front()),
                               "the .cu files of the program that includes it, too"}});
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
    if (!options.isQuick) {
        explanation.differences = differencesOf(request, traced.trace, sources, lines);
        explanation.remedies = remediesOf(request, lines);
    }
    if (options.apply) {
        const std::size_t at = *options.apply - 1;
        if (at >= explanation.remedies.size() || explanation.remedies[at].diff.empty())
            throw InvalidRequest({{"--apply", std::to_string(*options.apply),
                                   "the number of a remedy that is listed with a diff"}});
        writeFileAtomically(explanation.remedies[at].file, explanation.remedies[at].text);
    }
    if (options.json)
        printDocument(Document::explanation, explanation);
    else
        print(asText(explanation, sources, !lines.empty()));
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
