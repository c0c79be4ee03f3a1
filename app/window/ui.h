#pragma once

#include <memory>

#include "app/window/gl/surface.h"
#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// The drawn window: Dear ImGui, its fonts and the mapping renderer. Needs a current OpenGL
/// context; one at a time in a process.
class Ui final {
  public:
    Ui();
    Ui(const Ui&) = delete;
    Ui& operator=(const Ui&) = delete;
    ~Ui();

    /// Draws one frame of the state into the bound framebuffer and returns what the person did.
    /// `displayScale` is pixels for each design pixel before the state's text scale. The caller has
    /// fed ImGui's input, and its display size, for this frame.
    [[nodiscard]] Commands draw(const AppState& state, float displayScale);

    /// Whether a field or an open list has the keyboard, so that plain letters are not shortcuts.
    [[nodiscard]] bool typing() const;
    [[nodiscard]] const WidgetRects& rects() const { return rects_; }

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
    WidgetRects rects_;
};

}  // namespace warplens::window
