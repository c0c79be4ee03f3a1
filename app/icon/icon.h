#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/drawing/palette.h"
#include "core/launch/extents.h"

/// The program's icon: the threads of one block in the colours of their warps.
namespace warplens::icon {

/// Its rows are no whole warps, so that each warp begins in the middle of one.
inline constexpr Extents block{10, 10, 1};
/// What the threads lie on.
inline constexpr Rgb background = 0x0e1116;

/// A square picture, rows from the top.
struct Pixels final {
    int side = 0;                       ///< pixels
    std::vector<std::uint8_t> bytes{};  ///< red, green, blue, opacity; colours not multiplied by it
};

/// The icon with `side` x `side` pixels, 16 to 1024; every cell begins and ends on a whole pixel,
/// and from 48 on there is room between them.
[[nodiscard]] Pixels pixels(int side);

/// The same as a scalable vector graphic.
[[nodiscard]] std::string toSvg();

}  // namespace warplens::icon
