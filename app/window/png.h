#pragma once

#include <span>
#include <string>

namespace warplens::window {

/// A PNG file of `width` x `height` pixels of 3 bytes, rows from the top.
[[nodiscard]] std::string toPng(std::span<const unsigned char> pixels, int width, int height);

}  // namespace warplens::window
