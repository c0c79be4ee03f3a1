#pragma once

#include <vector>

#include "app/window/theme/look.h"

namespace warplens::window {

/// What lies below everything: the panels, in one colour, on a background in another. Cleared
/// rather than drawn: Dear ImGui would blend each of their pixels, which took half of a frame's
/// time on a software rasteriser. Each pixel is cleared about once.
class Backgrounds final {
  public:
    Backgrounds(Rgb background, Rgb panel) : background_(background), panel_(panel) {}

    /// A panel on whole pixels, which overlaps no other. Draws the background beside its rounded
    /// corners into the current window's list.
    void add(ImVec2 from, ImVec2 to, float rounding);

    /// One colour everywhere, instead of panels.
    void fill(Rgb color);

    /// Clears the bound framebuffer.
    void clear() const;

  private:
    struct Area final {
        ImVec2 from;
        ImVec2 to;
    };
    Rgb background_;
    Rgb panel_;
    std::vector<Area> panels_;
};

}  // namespace warplens::window
