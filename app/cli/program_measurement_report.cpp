#include "app/cli/program_measurement_report.h"

#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "app/cli/text_table.h"
#include "core/measurement/value_text.h"
#include "core/text/format.h"

namespace warplens {
namespace {

using ProgramTable = std::vector<std::vector<std::string>>;

struct LineJudges final {
    const char* unit = "";
    /// Requests, and sectors, wavefronts or divergent ones, by source.
    std::map<Source, std::pair<std::uint64_t, std::uint64_t>> counts;
};

const char* unitOf(LineKind kind) {
    switch (kind) {
        case LineKind::sharedLoad:
        case LineKind::sharedStore:
            return "wavefronts";
        case LineKind::branch:
            return "divergent";
        case LineKind::load:
        case LineKind::store:
        case LineKind::atomic:
            break;
    }
    return "sectors";
}

std::uint64_t unitsOf(const ProgramLine& line) {
    if (line.kind == LineKind::branch) return line.divergent;
    return std::string_view(unitOf(line.kind)) == "wavefronts" ? line.wavefronts : line.sectors;
}

std::string judged(const LineJudges& judges, Source source) {
    const auto found = judges.counts.find(source);
    if (found == judges.counts.end()) return "-";
    return groupedDigits(found->second.first) + " / " + groupedDigits(found->second.second);
}

std::string tableOfLines(const ProgramLaunch& predicted, const ProgramMeasurement& measured) {
    std::map<std::tuple<std::string, std::uint32_t, LineKind>, LineJudges> lines;
    for (const auto* list : {&predicted.lines, &measured.lines}) {
        for (const ProgramLine& line : *list) {
            LineJudges& judges = lines[{line.place.file, line.place.line, line.kind}];
            judges.unit = unitOf(line.kind);
            auto& [requests, units] = judges.counts[line.source];
            requests += line.requests;
            units += unitsOf(line);
        }
    }
    ProgramTable rows{{"line", "kind", "requests /", "predicted", "probed", "counted"}};
    for (const auto& [key, judges] : lines) {
        const auto& [file, line, kind] = key;
        rows.push_back({(file.empty() ? "?" : file) + ':' + std::to_string(line),
                        std::string(toString(kind)), judges.unit, judged(judges, Source::predicted),
                        judged(judges, Source::probed), judged(judges, Source::counted)});
    }
    return toTable(rows, "  ");
}

std::string wordsOf(const ArrayCheck& check) {
    const std::uint64_t all = check.equal + check.within + check.different;
    std::string words = "  " + check.array + ": " + groupedDigits(check.equal) + " of " +
                        groupedDigits(all) + " elements equal the host's";
    if (check.within != 0) {
        words += ", " + groupedDigits(check.within) + " within " +
                 formatNumber(check.tolerance, Unit::one) + " of the largest";
    }
    if (check.different != 0) {
        words += ", " + groupedDigits(check.different) + " differ, first at " +
                 groupedDigits(check.firstDifferent);
        if (check.reordered) words += " (the same values in another order)";
    }
    return words + '\n';
}

std::string wordsOf(const LineDifference& difference) {
    std::string words = "  " + difference.file + ':' + std::to_string(difference.line) + ' ' +
                        std::string(toString(difference.kind)) + ", " +
                        std::string(toString(difference.cause)) + ": " + difference.words + '\n';
    if (!difference.intervention.empty()) words += "      " + difference.intervention + '\n';
    return words;
}

}  // namespace

std::string reportOf(const ProgramLaunch& predicted, const ProgramMeasurement& measured) {
    std::string text = "launch " + std::to_string(predicted.index) + ": " + predicted.kernel +
                       toLaunchSyntax(measured.launch) + " on " + measured.device.name + ", " +
                       measured.compiler + '\n';
    for (const ArrayCheck& check : measured.checks) text += wordsOf(check);
    text += "  time " + formatNumber(measured.timing.medianSeconds, Unit::seconds) + " (" +
            std::string(inWords(measured.timing.from)) + ", " +
            std::to_string(measured.timing.runs) + " runs, " + measured.timing.cacheState + ")\n";
    text += "  " + std::to_string(measured.resources.registersPerThread) + " registers a thread, " +
            formatBytes(measured.resources.staticSharedBytes) + " of shared memory a block, " +
            formatBytes(measured.resources.localBytesPerThread) + " of local memory a thread\n";
    text += tableOfLines(predicted, measured);
    if (!measured.linesReason.empty())
        text += "  not counted by line: " + measured.linesReason + '\n';
    if (measured.comparedLines != 0) {
        text += "  " + groupedDigits(measured.comparedLines) + " numbers compared, " +
                groupedDigits(measured.differences.size()) + " differ\n";
    }
    for (const LineDifference& difference : measured.differences) text += wordsOf(difference);
    for (const std::string& note : measured.notes) text += "  note: " + note + '\n';
    return text;
}

std::string launchJson(const ProgramLaunch& predicted, const ProgramMeasurement& measured) {
    using Json = nlohmann::ordered_json;
    ProgramTrace one;
    one.launches = {predicted};
    Json launch = Json::parse(toJson(one, -1)).at("launches").at(0);
    const Json taken = Json::parse(toJson(measured, -1));
    for (const char* list : {"values", "lines"}) {
        for (const Json& entry : taken.at(list)) launch[list].push_back(entry);
    }
    for (const auto& [name, value] : taken.items()) {
        if (!launch.contains(name)) launch[name] = value;
    }
    return launch.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace warplens
