#pragma once

#include <string>
#include <string_view>

#include "core/measurement/measurement.h"
#include "core/program/launch_report.h"
#include "core/program/program_measurement.h"
#include "core/text/format.h"

/// Results as text for people.
namespace warplens {

/// Launch, values, what the compiler made of the branches, notes, and how and on what it all was
/// measured. A row for each quantity (groupsOf), a column for each source that says anything, a
/// dash where a source has no number; below, where the sources differ, and why numbers are missing.
[[nodiscard]] std::string reportOf(const Measurement& measurement);

/// Launch, values in the same table, and how much of the grid was traced.
[[nodiscard]] std::string reportOf(const LaunchReport& prediction);

/// `matadd-swapped <<<dim3(32, 32), dim3(16, 16)>>> n=512`.
[[nodiscard]] std::string titleOf(const Experiment& experiment);

/// How the program ended, one line; empty where it ended well.
[[nodiscard]] std::string exitText(const ProgramTrace& trace, bool withLine = true);
/// The program's launches with their totals and lines, then what is wrong with it.
[[nodiscard]] std::string reportOf(const ProgramTrace& trace);

/// A row for each line of each launch, of each source; numbers as a script reads them.
[[nodiscard]] TextRows rowsOf(const ProgramTrace& trace);

/// `my.cu:11:9`, as far as it is known.
[[nodiscard]] std::string placeText(const SourcePlace& place);
/// For text and attributes of XML and HTML.
[[nodiscard]] std::string escapedXml(std::string_view text);

/// One thing that is wrong, on a line: where, what, which block and thread, how often.
[[nodiscard]] std::string findingText(const Finding& finding);

/// The source with each line's numbers below it, of all traced launches together; of those that
/// were `measured`, where that is not null, what source, compiled code and hardware say, and why
/// they differ.
[[nodiscard]] std::string annotatedText(const ProgramTrace& trace, const std::string& source,
                                        const MeasuredProgram* measured = nullptr);
/// The same as one HTML page.
[[nodiscard]] std::string annotatedHtml(const ProgramTrace& trace, const std::string& source,
                                        const MeasuredProgram* measured = nullptr);

}  // namespace warplens
