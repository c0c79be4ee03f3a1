#pragma once

#include <array>
#include <imgui.h>

#include "app/drawing/palette.h"
#include "app/window/state/app_state.h"
#include "core/launch/mapping.h"

namespace warplens::window {

/// Every colour of the window but those of the warps.
struct Colors final {
    Rgb background, panel, raised, border, text, muted, faint, accent, onAccent, good, warning, bad;
    Rgb block;                              ///< a block of the grid wholly inside the problem
    std::array<Rgb, blockCaseCount> cases;  ///< blocks by how they lie on the problem
};

[[nodiscard]] const Colors& colorsOf(Theme theme);

struct Fonts final {
    ImFont* body = nullptr;
    ImFont* small = nullptr;
    ImFont* strong = nullptr;  ///< semi-bold, body size
    ImFont* title = nullptr;   ///< semi-bold, large
    ImFont* number = nullptr;  ///< monospaced, body size
    ImFont* smallNumber = nullptr;
    ImFont* largeNumber = nullptr;
    /// Of slides, small and large; null where none is presented.
    std::array<ImFont*, 2> slideWords{};
    std::array<ImFont*, 2> slideStrong{};
    std::array<ImFont*, 2> slideNumbers{};
};

/// How everything is drawn: handed to every panel.
struct Look final {
    Colors colors{};
    Fonts fonts;
    float scale = 1;    ///< pixels for one design pixel, the text scale included
    float display = 1;  ///< the same without the text scale

    [[nodiscard]] float px(float designPixels) const { return designPixels * scale; }
    /// Rounded, for lines and corners that must fall on pixels.
    [[nodiscard]] float snap(float designPixels) const;
};

[[nodiscard]] ImU32 packed(Rgb color, float alpha = 1);
[[nodiscard]] ImVec4 vector(Rgb color, float alpha = 1);

/// Builds the fonts for `scale` into the current ImGui context, the small ones `small` times as
/// large as usual, and those of slides in which a unit of a figure is `slideUnit` pixels; none of
/// these where it is 0. The caller renews the texture.
[[nodiscard]] Fonts loadFonts(float scale, float small = 1, float slideUnit = 0);

/// Spacing, roundings and colours of the current ImGui context: the one place that sets them.
void applyTheme(const Look& look);

}  // namespace warplens::window
