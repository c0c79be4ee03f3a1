#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warplens {

/// For each line of a source (index 0 is line 1) the line on which its statement began: compilers
/// lay all of a statement to one line. A line without a statement maps to itself.
[[nodiscard]] std::vector<std::uint32_t> statementLines(std::string_view source);

}  // namespace warplens
