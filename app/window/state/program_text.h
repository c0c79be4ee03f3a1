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
    bool isNewer = false;
};
[[nodiscard]] ShownText shownText(const ProgramState& program);

/// `10.27`: units of a request on average.
[[nodiscard]] std::string perRequest(std::uint64_t units, std::uint64_t requests);

/// What a line's requests come to, in a sentence or two: each kind of access that it makes, those
/// that cost most first.
[[nodiscard]] std::string meaningOfLine(const ProgramLaunch& launch, const std::string& file,
                                        std::uint32_t line);

}  // namespace warplens::window
