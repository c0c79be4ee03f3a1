#pragma once

#include <string_view>
#include <vector>

namespace warplens {

/// The text's lines without their ends; a last one need not have one.
[[nodiscard]] std::vector<std::string_view> splitLines(std::string_view text);

}  // namespace warplens
