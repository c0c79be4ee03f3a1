#pragma once

#include <array>
#include <cstdint>

#include "core/launch/mapping.h"

namespace warplens {

/// An opaque colour, 0xRRGGBB in sRGB.
using Rgb = std::uint32_t;

/// One colour for each warp a block can hold, so none repeats inside a block.
///
/// Chosen by a search over sRGB for the 32 colours whose smallest OKLab distance is largest under
/// normal, protanopic, deuteranopic and tritanopic sight (Machado et al. 2009), within a lightness
/// that stands out on the dark and on the light background; ordered so that warps that follow one
/// another differ most. docs/palette.md says what is reached; tests/drawing/palette_test.cpp holds
/// it.
inline constexpr std::array<Rgb, 32> warpColors{
    0x4c84fc, 0xccf43c, 0x2c5c0c, 0xec7ca4, 0x740c94, 0x7cfcdc, 0x647c4c, 0xe4a4fc,
    0xa42c94, 0x8cdc6c, 0xa48474, 0x744cd4, 0xb40c1c, 0xfcdcac, 0x24ac24, 0xbc5cdc,
    0x54446c, 0xacc49c, 0xb45c0c, 0x143cbc, 0x9c94fc, 0x8c0c4c, 0xf4bc0c, 0x647cb4,
    0x0cdccc, 0xfc6c0c, 0x7c544c, 0x0cb4cc, 0x1464a4, 0xd49c6c, 0xb4dcfc, 0x9c648c};

[[nodiscard]] constexpr Rgb colorOf(WarpRank warp) {
    return warpColors[warp.value % warpColors.size()];
}

/// From `a` (share 0) to `b` (share 1), channel by channel.
[[nodiscard]] constexpr Rgb mixed(Rgb a, Rgb b, float share) {
    const auto channel = [&](unsigned shift) {
        const auto from = static_cast<float>(a >> shift & 255);
        const auto to = static_cast<float>(b >> shift & 255);
        return static_cast<Rgb>(from + (to - from) * share + 0.5F) << shift;
    };
    return channel(16) | channel(8) | channel(0);
}

/// One lane's shade of its warp's colour: from dark, lane 0, to light, lane 31.
[[nodiscard]] constexpr Rgb laneShade(WarpRank warp, LaneIndex lane) {
    const float share = static_cast<float>(lane.value) / 31;
    return share < 0.4F ? mixed(colorOf(warp), 0x000000, (0.4F - share) * 0.8F)
                        : mixed(colorOf(warp), 0xffffff, (share - 0.4F) * 0.95F);
}

/// Of a branch: the arm of the lanes that go into it, and that of those that go past.
inline constexpr Rgb armYes = 0x4a8fe8;
inline constexpr Rgb armNo = 0xf2c14e;

/// Of text on `color`: white as long as its contrast is at least 3 (WCAG 2, bold text), else black.
/// The square stands in for sRGB's curve, which is not constexpr.
[[nodiscard]] constexpr Rgb inkOn(Rgb color) {
    const auto squared = [](Rgb channel) { return channel * channel; };
    const Rgb luminance = (2126 * squared(color >> 16) + 7152 * squared(color >> 8 & 255) +
                           722 * squared(color & 255)) /
                          (255 * 255);  // 0 .. 10000
    return luminance > 3000 ? 0x000000 : 0xffffff;
}

}  // namespace warplens
