#include "app/cli/program_measurement_report.h"

#include "app/cli/text_table.h"
#include "core/measurement/value_text.h"
#include "core/program/line_judges.h"
#include "core/text/format.h"

namespace warplens {
namespace {

using ProgramTable = std::vector<std::vector<std::string>>;

std::string judged(const std::optional<JudgedCounts>& counts) {
    if (!counts) return "-";
    return groupedDigits(counts->requests) + " / " + groupedDigits(counts->units);
}

std::string tableOfLines(const ProgramLaunch& predicted, const ProgramMeasurement& measured) {
    ProgramTable rows{{"line", "kind", "requests /", "predicted", "probed", "counted"}};
    for (const LineJudges& line : judgesOf(predicted.lines, measured.lines)) {
        rows.push_back({(line.file.empty() ? "?" : line.file) + ':' + std::to_string(line.line),
                        std::string(toString(line.kind)), std::string(unitOf(line.kind)),
                        judged(line.counts[0]), judged(line.counts[1]), judged(line.counts[2])});
    }
    return toTable(rows, "  ");
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
    for (const ArrayCheck& check : measured.checks) text += "  " + inWords(check) + '\n';
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

}  // namespace warplens
