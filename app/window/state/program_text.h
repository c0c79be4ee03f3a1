#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/window/state/program.h"

namespace warplens::window {

/// The text that stands in the window: the one that was traced, or while a newer one is, that one,
/// with the numbers of the other at the lines that are still the same.
struct ShownText final {
    const std::vector<std::string>& lines;
    std::vector<std::uint32_t> traced;  ///< by line: which line of the traced text it is; 0: none
};
/// Which of the traced lines, from 1, each line is: those before and behind what was edited; 0:
/// none.
[[nodiscard]] std::vector<std::uint32_t> matchedLines(const std::vector<std::string>& lines,
                                                      const std::vector<std::string>& traced);
[[nodiscard]] ShownText shownText(const ProgramState& program);

}  // namespace warplens::window
