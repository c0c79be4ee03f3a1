#pragma once

#include <limits>
#include <memory>

#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// The drawn window: Dear ImGui, its fonts and the mapping renderer. Needs a current OpenGL
/// context; one at a time in a process.
class Ui final {
  public:
    Ui();
    ~Ui();

    /// Draws one frame of the state into the bound framebuffer and returns what the person did.
    /// `displayScale` is pixels for each design pixel before the state's text scale. The caller has
    /// fed ImGui's input, and its display size, for this frame.
    [[nodiscard]] Commands draw(const AppState& state, float displayScale);

    /// From now on a frame leaves out pictures that need more than `programs` compiled: a driver
    /// for which a processor draws takes 0.1 to 0.2 s for each. Without limit at first.
    void compileAtMost(int programs) { programsAFrame_ = programs; }
    /// Whether the last frame left out none.
    [[nodiscard]] bool complete() const;

    /// Compiles, into whatever the driver keeps of it, what one kind of picture needs that has not
    /// been drawn yet; false when there is none left. For moments when nothing happens, between
    /// frames. Leaves the bound framebuffer, and no viewport.
    bool prepareNext();

    /// Whether a field or an open list has the keyboard, so that plain letters are not shortcuts.
    [[nodiscard]] bool typing() const;
    [[nodiscard]] const WidgetRects& rects() const { return rects_; }

    /// What the keys Tab and Enter act on, by the names of `rects`.
    [[nodiscard]] TabOrder& order();

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
    WidgetRects rects_;
    int programsAFrame_ = std::numeric_limits<int>::max();
};

}  // namespace warplens::window
