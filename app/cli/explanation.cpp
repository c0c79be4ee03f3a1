#include "app/cli/explanation.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "app/cli/report.h"
#include "core/program/line_costs.h"
#include "core/program/named_elements.h"
#include "core/program/reasons.h"
#include "core/program/remedy_edits.h"
#include "core/program/source_edit.h"
#include "core/program/warnings.h"
#include "core/text/encoding.h"
#include "core/text/format.h"

namespace warplens {

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

void describe(Archive& v, Explanation& explanation) {
    v("program", explanation.program, "The file.");
    describeVersion(v);
    v("lines", explanation.lines, "Those that cost more than need be, or those of the line named.");
    v.optional("differences", explanation.differences,
               "Where the compiled code asks for something else, and why: tried without a GPU.");
    v("findings", explanation.findings, "What is wrong there.");
    v("remedies", explanation.remedies, "What to do about it; tried, where it has a diff.");
}

bool isAsked(const AskedLines& lines, const std::string& file, std::uint32_t line) {
    return lines.empty() || std::ranges::any_of(lines, [&](const SourcePlace& each) {
               return each.line == line && each.file == file;
           });
}

namespace {

/// Names of the function around a place, and of those around it; none in a kernel.
std::vector<std::string> functionsAround(const ProgramSources& sources, const SourcePlace& place) {
    const source::SourceEdit text(textOf(sources, place.file), place.file);
    std::vector<std::string> names;
    if (kernelAt(sources.units, place) || kernelAt(sources.headers, place)) return names;
    std::size_t at = text.line(place.line).begin + std::max(1u, place.column) - 1;
    if (at > text.line(place.line).end) return names;  // of a library's file
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
    const bool isOfBanks = line.kind == AccessKind::sharedAtomic && line.mostSameAddress <= 1;
    const AccessKind kind = isOfBanks ? AccessKind::sharedLoad : line.kind;
    const bool isOfData =
        !isAtomic(kind) && line.reason.find("depends on data") != std::string::npos;
    return isCostly(line) && !line.isGuard && !isPut && !isOfData
               ? std::string(costRule(kind).lesson)
               : std::string();
}

/// The line before that loads what this one does, where compiled code loads it there alone; 0 where
/// none is known.
std::uint32_t loadedBefore(const ProgramLine& line, const LaunchReport& launch) {
    if (!line.address || line.addresses > 1 || isStore(line.kind) || isAtomic(line.kind) ||
        !hasCompiled(launch) || asCompiled(line, launch).requests != 0)
        return 0;
    for (const ProgramLine& other : launch.lines) {
        if (other.source == line.source && other.kind == line.kind && other.array == line.array &&
            other.place.file == line.place.file && other.place.line < line.place.line &&
            other.address == line.address && other.requests >= line.requests &&
            asCompiled(other, launch).requests >= line.requests)
            return other.place.line;
    }
    return 0;
}

/// A kernel's name without its template arguments.
std::string_view templateOf(std::string_view kernel) {
    return kernel.substr(0, kernel.find('<'));
}

}  // namespace

Explanation explanationOf(const ProgramTrace& trace, const ProgramSources& sources,
                          const AskedLines& lines) {
    Explanation explanation{trace.program, {}, {}, {}, {}};
    for (const LaunchReport& launch : trace.launches) {
        const bool isOnlyCompiled = linesBy(launch, Source::predicted).empty();
        for (const ProgramLine& each : launch.lines) {
            const bool isMeant =
                lines.empty()
                    ? isCostly(each) &&
                          ((each.kind != AccessKind::branch && each.kind != AccessKind::atomic) ||
                           breaksCostRule(each, launch))
                    : isAsked(lines, each.place.file, each.place.line) ||
                          (isCostly(each) && isCalledThere(sources, lines, each.place));
            const std::string code(
                trimmed(lineOf(textOf(sources, each.place.file), each.place.line)));
            if ((each.source != Source::predicted && !isLocal(each.kind) && !isOnlyCompiled) ||
                code.empty())
                continue;
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
                    return std::tuple(isTold, wasteOf(line.kind, line), line.requests);
                };
                if (rank(isMeant, each) > rank(known->isMeant, known->line)) {
                    known->kernel = launch.kernel;
                    known->launch = launch.launch;
                    known->line = each;
                    known->compiled = asCompiled(each, launch);
                    known->lesson = lessonOf(each, code);
                    known->addressed = addressedIn(each, launch, sources);
                    known->from = loadedBefore(each, launch);
                    known->how = how;
                }
                known->isMeant |= isMeant;
                continue;
            }
            explanation.lines.push_back({launch.kernel, launch.launch, each, code,
                                         lessonOf(each, code), how, asCompiled(each, launch),
                                         launch.index, isMeant});
            explanation.lines.back().addressed = addressedIn(each, launch, sources);
            explanation.lines.back().from = loadedBefore(each, launch);
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

AskedLines linesBelowRules(const ProgramTrace& trace) {
    AskedLines lines;
    for (const LaunchReport& launch : trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            const bool isMore = line.source == Source::predicted && line.place.line != 0 &&
                                line.kind != AccessKind::branch && !isAtomic(line.kind) &&
                                20 * excessOf(line) > idealOf(line.kind, line);
            if (isMore && std::ranges::find(lines, line.place) == lines.end())
                lines.push_back(line.place);
        }
    }
    return lines;
}

}  // namespace warplens
