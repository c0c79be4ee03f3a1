#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "app/cli/output.h"
#include "app/cli/program_launch.h"
#include "app/cli/report.h"
#include "app/drawing/elements.h"
#include "app/drawing/line_meaning.h"
#include "core/measurement/measurement.h"
#include "core/program/cuda_tokens.h"
#include "core/program/launch_shape.h"
#include "core/program/line_costs.h"
#include "core/program/reasons.h"
#include "core/program/warnings.h"
#include "core/text/encoding.h"
#include "core/text/format.h"

namespace warplens {
namespace {

std::string ratioText(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return "-";
    return formatNumber(static_cast<double>(part) / static_cast<double>(whole), Unit::one);
}

/// What a line's requests cost, and what they might at best.
std::vector<std::string> costCells(const ProgramLine& line) {
    if (line.kind == AccessKind::branch) {
        return {groupedDigits(line.divergent) + " divergent", "", ""};
    }
    const std::uint64_t units = unitsOf(line.kind, line);
    const std::string_view unit = unitOf(line.kind);
    std::vector<std::string> cells{counted(units, unit.substr(0, unit.size() - 1)),
                                   ratioText(units, line.requests),
                                   ratioText(idealOf(line.kind, line), line.requests)};
    if (!isAtomic(line.kind)) return cells;
    cells[0] += ", " + counted(line.sameAddress, "turn");
    cells[1] += ", " + ratioText(line.sameAddress, line.requests);
    cells[2] += ", " + ratioText(line.requests, line.requests);
    return cells;
}

bool isOf(const LaunchReport& launch, Source source) {
    return std::ranges::any_of(launch.lines,
                               [&](const ProgramLine& line) { return line.source == source; });
}

/// Of lines that another order of threads takes to other numbers, and of which the assembler may
/// make fewer requests.
std::string besideCounts(const LaunchReport& launch) {
    std::string text;
    for (const ProgramLine& line : launch.lines) {
        if (line.atOnce != 0 &&
            (line.source == Source::compiled || !isOf(launch, Source::compiled)))
            text += "  " + placeText(line.place) + ' ' + std::string(nameOf(line.kind)) + " of " +
                    line.array + ": " + atOnceInWords(line) +
                    ", in one request, which is not counted here\n";
        if (!line.inOtherOrder) continue;
        text += "  " + placeText(line.place) + ' ' + std::string(nameOf(line.kind)) +
                ": depends on the order in which threads run; where they take turns, the last one "
                "first: " +
                groupedDigits(line.inOtherOrder->requests) + " requests, " +
                groupedDigits(line.inOtherOrder->units) + ' ' + std::string(unitOf(line.kind)) +
                '\n';
    }
    return text;
}

std::string linesText(const LaunchReport& launch) {
    std::vector<std::vector<std::string>> rows{
        {"place", "kind", "array", "requests", "cost", "each", "at best"}};
    const bool hasCompiled = isOf(launch, Source::compiled);
    if (hasCompiled) rows.front().insert(rows.front().begin() + 3, "source");
    for (const ProgramLine& line : launch.lines) {
        std::vector<std::string> row{placeText(line.place), std::string(nameOf(line.kind)),
                                     line.array, groupedDigits(line.requests)};
        if (hasCompiled) row.insert(row.begin() + 3, std::string(toString(line.source)));
        for (std::string& cell : costCells(line)) row.push_back(std::move(cell));
        rows.push_back(std::move(row));
    }
    return toTable(rows, "  ") + besideCounts(launch);
}

std::string boundsText(const LaunchReport& launch) {
    double worst = 0;
    for (const SampleBound& bound : launch.bounds) worst = std::max(worst, bound.percent);
    return "  sampled: " + groupedDigits(launch.blocksTraced) + " of " +
           groupedDigits(launch.blocks) + " blocks traced; totals within " +
           formatNumber(worst, Unit::percent) +
           " with 95 % confidence, where no other block does much more than these\n";
}

/// The numbers of one line of the source, all launches together.
struct LineNotes final {
    LineCosts costs{};                      ///< predicted; where that was left out, compiled
    std::optional<LineCosts> compiled{};    ///< beside them, where there is a compiler
    std::optional<std::string> compared{};  ///< in their place, where it was measured
    std::vector<std::string> findings{};    ///< and why the sources differ
    std::set<std::string> reasons{};        ///< why it costs what it costs

    [[nodiscard]] std::string text() const {
        if (compared) return *compared;
        const std::string written = textOf(costs);
        if (!compiled) return written;
        const std::string made = textOf(*compiled);
        if (made == written) return written;
        return written + (written.empty() ? "" : "; ") +
               "compiled: " + (made.empty() ? "nothing" : made);
    }

  private:
    [[nodiscard]] static std::string textOf(const LineCosts& costs) {
        std::string all = joined(
            memoryCosts(costs, [](const std::string& least) { return " (" + least + " at best)"; }),
            ", ");
        if (costs.branch.requests != 0) addWords(all, ", ", branchesInWords(costs));
        if (costs.dependsOnOrder) addWords(all, ", ", "depends on the order in which threads run");
        return all;
    }
};

/// Puts what was measured in place of what is predicted.
void compare(std::map<std::uint32_t, LineNotes>& notes, const ProgramTrace& trace,
             const std::string& source, const MeasuredProgram& measured) {
    const std::vector<std::uint32_t> statements = statementLines(source);
    std::vector<LineComparison> comparisons;
    std::vector<LineDifference> differences;
    for (const LaunchReport& launch : trace.launches) {
        const ProgramMeasurement* const found = measurementIn(&measured, launch);
        if (found == nullptr) continue;
        add(comparisons, compareStatements(launch, *found, trace.program, statements));
        differences.insert(differences.end(), found->differences.begin(), found->differences.end());
    }
    for (auto& [line, note] : notes) note.compared = "";
    for (const auto& [line, compared] : comparedLines(comparisons, differences, trace.program)) {
        notes[line].compared = inWords(compared);
    }
    for (const LineDifference& difference : differences) {
        if (!sameFile(difference.file, trace.program)) continue;
        notes[difference.line].findings.push_back(difference.words);
    }
}

std::map<std::uint32_t, LineNotes> notesOf(const ProgramTrace& trace, const std::string& source,
                                           const MeasuredProgram* measured) {
    std::map<std::uint32_t, LineNotes> notes;
    const auto has = [&](Source which) {
        return std::ranges::any_of(trace.launches,
                                   [&](const LaunchReport& launch) { return isOf(launch, which); });
    };
    const bool hasPredicted = has(Source::predicted);
    // Samples differ by chance.
    const bool isSampled = std::ranges::any_of(trace.launches, [](const LaunchReport& launch) {
        return !launch.exact || (launch.compiled && !launch.compiled->exact);
    });
    std::map<std::uint32_t, std::map<std::string, std::set<std::string>>> reasons;  // in kernels
    for (const LaunchReport& launch : trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            if (line.place.file != trace.program) continue;
            LineNotes& note = notes[line.place.line];
            if (line.source == Source::predicted || !hasPredicted) {
                const bool isNamed = line.reason.starts_with('`') || line.array.empty() ||
                                     line.kind == AccessKind::branch;
                if (!line.reason.empty())
                    reasons[line.place.line]
                           [(isNamed ? "" : '`' + line.array + "`: ") + line.reason]
                               .insert(launch.kernel);
                if (line.atOnce != 0)
                    note.reasons.insert("of " + line.array + ' ' + atOnceInWords(line));
                note.costs.add(line);
            } else {
                if (!note.compiled) note.compiled.emplace();
                note.compiled->add(line);
            }
        }
    }
    for (const auto& [line, all] : reasons) {
        // One reason is told once, with what it is of.
        std::map<std::pair<std::set<std::string>, std::string>, std::vector<std::string>> accesses;
        for (const auto& [reason, kernels] : all) {
            // `a[i]`: of each access that has it.
            const std::size_t end = reason.front() == '`' ? reason.find("`: ") : reason.npos;
            const std::size_t name = end == reason.npos ? 0 : end + 1;
            const bool isAlone = all.size() == 1 && reason.find('[') >= name;
            accesses[{kernels, reason.substr(isAlone && name != 0 ? name + 1 : name)}].push_back(
                isAlone ? "" : reason.substr(0, name));
        }
        const bool isOfAll = std::ranges::all_of(
            all, [&](const auto& other) { return other.second == all.begin()->second; });
        for (const auto& [each, names] : accesses) {
            constexpr std::size_t mostNamed = 3;
            const std::size_t named = names.size() > mostNamed ? mostNamed - 1 : names.size();
            notes[line].reasons.insert(
                (isOfAll ? "" : joined(each.first, ", ") + ": ") +
                joined(std::span(names).first(named), ", ") +
                (named == names.size()
                     ? names.size() == 1 ? "" : " (" + std::to_string(names.size()) + " accesses)"
                     : " and " + std::to_string(names.size() - named) + " more accesses") +
                each.second);
        }
    }
    for (auto& [line, note] : notes) {
        if (hasPredicted && has(Source::compiled) && !note.compiled) note.compiled.emplace();
        const bool differs =
            note.compiled && (note.compiled->global.sectors != note.costs.global.sectors ||
                              note.compiled->shared.wavefronts != note.costs.shared.wavefronts);
        if (differs && measured == nullptr && !isSampled)
            note.reasons.insert("why compiled code asks for something else: warplens explain " +
                                trace.program + ':' + std::to_string(line));
    }
    if (measured != nullptr) compare(notes, trace, source, *measured);
    for (const Finding& finding : trace.findings) {
        if (finding.place.file == trace.program) {
            notes[finding.place.line].findings.push_back(findingText(finding));
        }
    }
    return notes;
}

/// What is found at no line of the file, and how the program ended.
std::vector<std::string> besideLinesOf(const ProgramTrace& trace) {
    std::vector<std::string> words;
    for (const Finding& finding : trace.findings) {
        if (finding.place.file != trace.program || finding.place.line == 0)
            words.push_back(findingText(finding));
    }
    std::ranges::move(askedShapes(trace.launches), std::back_inserter(words));
    if (trace.launches.empty()) words.emplace_back("no kernel was launched");
    for (const LaunchReport& launch : trace.launches) {
        if (launch.traced && !launch.exact)
            words.push_back("launch " + std::to_string(launch.index) + ", " + launch.kernel + ": " +
                            std::string(trimmed(boundsText(launch))));
    }
    const std::string ended = exitText(trace);
    if (!ended.empty()) words.emplace_back(trimmed(ended));
    return words;
}

/// Broken at blanks.
std::vector<std::string> inLinesOf(std::string text, std::size_t longest) {
    std::vector<std::string> lines;
    while (text.size() > longest && text.rfind(' ', longest) != std::string::npos) {
        const std::size_t blank = text.rfind(' ', longest);
        lines.push_back(text.substr(0, blank));
        text.erase(0, blank + 1);
    }
    lines.push_back(std::move(text));
    return lines;
}

/// What the numbers are of, and what lines of other files come to, which an annotated one cannot
/// show.
std::vector<std::string> otherFilesOf(const ProgramTrace& trace) {
    std::map<std::string, LineCosts> costs;
    for (const LaunchReport& launch : trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            if (line.source == Source::predicted && line.place.line != 0 &&
                !sameFile(line.place.file, trace.program))
                costs[line.place.file].add(line);
        }
    }
    std::vector<std::string> rows;
    for (const auto& [file, sum] : costs) {
        const std::vector<std::string> words =
            memoryCosts(sum, [](const std::string& least) { return " (" + least + " at best)"; });
        if (!words.empty())
            rows.push_back("in " + file + ": " + words.front() + "; explain tells it line by line");
    }
    const auto traced = std::ranges::count_if(trace.launches, &LaunchReport::traced);
    const std::string all = groupedDigits(trace.launches.size()) + " launches";
    if (trace.launches.size() > 1)
        rows.push_back("each line's numbers are of " +
                       (traced == std::ssize(trace.launches)
                            ? "all " + all + " together"
                            : groupedDigits(static_cast<std::uint64_t>(traced)) + " of " + all));
    return rows;
}

}  // namespace

std::string placeText(const SourcePlace& place) {
    if (place.line == 0) return place.file;
    std::string text = place.file + ':' + std::to_string(place.line);
    return place.column == 0 ? text : text + ':' + std::to_string(place.column);
}

std::string escapedXml(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        const std::size_t at = std::string_view("<>&\"").find(c);
        constexpr std::array<const char*, 4> names{"&lt;", "&gt;", "&amp;", "&quot;"};
        if (at != std::string_view::npos)
            safe += names.at(at);
        else
            safe += c == '\t' || static_cast<unsigned char>(c) >= 0x20 ? c : ' ';
    }
    return safe;
}

TextRows rowsOf(const ProgramTrace& trace) {
    TextRows rows{{"launch",        "kernel",      "grid",       "block",
                   "file",          "line",        "column",     "kind",
                   "array",         "source",      "requests",   "sectors",
                   "ideal_sectors", "cache_lines", "wavefronts", "ideal_wavefronts",
                   "active_lanes",  "divergent",   "turns",      "ideal_turns"}};
    for (const LaunchReport& launch : trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            std::vector<std::string> row{std::to_string(launch.index),
                                         launch.kernel,
                                         toString(launch.launch.grid),
                                         toString(launch.launch.block),
                                         line.place.file,
                                         std::to_string(line.place.line),
                                         std::to_string(line.place.column),
                                         std::string(toString(line.kind)),
                                         line.array,
                                         std::string(toString(line.source))};
            for (const std::uint64_t number :
                 {line.requests, line.sectors, line.idealSectors, line.cacheLines, line.wavefronts,
                  line.idealWavefronts, line.activeLanes, line.divergent, line.sameAddress,
                  isAtomic(line.kind) ? line.requests : 0}) {
                row.push_back(std::to_string(number));
            }
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

std::string findingText(const Finding& finding) {
    std::string text = placeText(finding.place);
    if (!text.empty()) text += ": ";
    text += finding.words;
    if (!finding.kernel.empty()) text += "; in " + finding.kernel;
    if (finding.block) text += ", block " + toText(*finding.block);
    if (finding.thread) text += ", thread " + toText(*finding.thread);
    if (finding.times > 1) text += ", " + groupedDigits(finding.times) + " times";
    return text;
}

std::string exitText(const ProgramTrace& trace, bool withLine) {
    const std::string ended = endInWords(trace.exit, withLine);
    if (ended.empty()) return {};
    const bool isIdle =
        trace.launches.empty() && trace.findings.empty() && trace.exit.stopped.empty();
    return ended + (isIdle ? "; what it is to be called with goes after --\n" : "\n");
}

std::string reportOf(const ProgramTrace& trace) {
    std::string text;
    for (const LaunchReport& launch : trace.launches) {
        text += "launch " + std::to_string(launch.index) + "  " + shortKernelName(launch.kernel) +
                ' ' + toLaunchSyntax(launch.launch) + "  " + placeText(launch.place) +
                (launch.overridden ? "  (" + askedShapeInWords(launch) + ")" : "") + "\n";
        if (!launch.traced) continue;
        if (!launch.exact && !launch.bounds.empty()) text += boundsText(launch);
        text += launch.lines.empty() ? "  no accesses and no branches\n" : linesText(launch);
    }
    if (trace.launches.empty()) text += "no kernel was launched\n";
    if (!trace.findings.empty()) text += "\nfindings\n";
    for (const Finding& finding : trace.findings) text += "  " + findingText(finding) + "\n";
    if (!trace.launches.empty()) {
        text += (trace.findings.empty() ? "\nNo fault was found. " : "  ") +
                std::string(notLookedFor) + '\n';
    }
    for (const auto& notes : {trace.notes, lanesWithoutThread(trace.launches)})
        for (const std::string& note : notes) text += "note: " + note + "\n";
    if (!trace.exit.output.empty()) {
        text += "\nthe program printed\n" + sanitized(trace.exit.output, 20000);
        if (!text.ends_with('\n')) text += '\n';
    }
    return text + exitText(trace, false);
}

std::string annotatedText(const ProgramTrace& trace, const std::string& source,
                          const MeasuredProgram* measured) {
    const std::map<std::uint32_t, LineNotes> notes = notesOf(trace, source, measured);
    std::vector<std::vector<std::string>> rows;
    std::uint32_t number = 0;
    for (const std::string_view line : splitLines(source)) {
        const auto found = notes.find(++number);
        rows.push_back({std::to_string(number), std::string(line)});
        if (found == notes.end()) continue;
        for (const std::string& finding : found->second.findings) {
            rows.push_back({"!", finding});
        }
        if (std::string costs = found->second.text(); !costs.empty()) {
            rows.push_back({"=", std::move(costs)});
        }
        for (const std::string& reason : found->second.reasons) {
            for (std::string& part : inLinesOf(reason, 108)) rows.push_back({"?", std::move(part)});
        }
    }
    for (std::string& words : otherFilesOf(trace)) rows.push_back({"=", std::move(words)});
    for (std::string& words : besideLinesOf(trace)) rows.push_back({"!", std::move(words)});
    return toTable(rows);
}

std::string annotatedHtml(const ProgramTrace& trace, const std::string& source,
                          const MeasuredProgram* measured) {
    const std::map<std::uint32_t, LineNotes> notes = notesOf(trace, source, measured);
    const auto foundRow = [](const std::string& words) {
        return "<tr class=\"f\"><td></td><td class=\"n\">!</td><td>" + escapedXml(words) +
               "</td></tr>\n";
    };
    std::string page = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" +
                       escapedXml(trace.program) +
                       "</title>\n<style>body{font-family:sans-serif;background:#fff;color:#111}"
                       "table{border-collapse:collapse}td{padding:0 .8em;white-space:pre;"
                       "font-family:monospace;vertical-align:top}td.n{color:#666;text-align:right}"
                       "td.c{color:#14507a;text-align:right}tr.f td{color:#a01515}tr.w "
                       "td{color:#14507a}</style></head><body>\n<h1>" +
                       escapedXml(trace.program) + "</h1>\n<table>\n";
    std::uint32_t number = 0;
    for (const std::string_view line : splitLines(source)) {
        const auto found = notes.find(++number);
        page += "<tr><td class=\"c\">" +
                (found == notes.end() ? std::string() : escapedXml(found->second.text())) +
                "</td><td class=\"n\">" + std::to_string(number) + "</td><td>" + escapedXml(line) +
                "</td></tr>\n";
        if (found == notes.end()) continue;
        for (const std::string& finding : found->second.findings) page += foundRow(finding);
        for (const std::string& reason : found->second.reasons) {
            page += "<tr class=\"w\"><td></td><td class=\"n\">?</td><td>" + escapedXml(reason) +
                    "</td></tr>\n";
        }
    }
    for (const std::string& words : otherFilesOf(trace))
        page += "<tr class=\"w\"><td></td><td></td><td>" + escapedXml(words) + "</td></tr>\n";
    for (const std::string& words : besideLinesOf(trace)) page += foundRow(words);
    return page + "</table>\n</body></html>\n";
}

}  // namespace warplens
