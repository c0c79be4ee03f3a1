#pragma once

#include <array>
#include <string_view>

namespace warplens {

/// Along which axes (x, y, z) the kernel's file reads the block's index. All of them where it is
/// not certain: where it includes or defines something, or takes the index as a whole.
[[nodiscard]] std::array<bool, 3> blockAxesRead(std::string_view text);

}  // namespace warplens
