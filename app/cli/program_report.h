#pragma once

#include <string>

#include "core/program/program_trace.h"

namespace warplens {

/// The program's launches with their totals and lines, then what is wrong with it.
[[nodiscard]] std::string reportOf(const ProgramTrace& trace);

/// The source with each line's numbers beside it, of all traced launches together.
[[nodiscard]] std::string annotatedText(const ProgramTrace& trace, const std::string& source);
/// The same as one HTML page.
[[nodiscard]] std::string annotatedHtml(const ProgramTrace& trace, const std::string& source);

}  // namespace warplens
