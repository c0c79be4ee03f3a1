#pragma once

#include <filesystem>
#include <string>

#include "app/window/panels/widgets.h"
#include "app/window/state/app_state.h"

namespace warplens::window {

/// What the window shows, as JSON: the experiment, what is wrong with it, the selection, the
/// measurement's progress, the messages, and under `widgets` the place of each main widget as
/// `name: [x, y, width, height]` in window coordinates.
[[nodiscard]] std::string describeState(const AppState& state, const WidgetRects& rects,
                                        bool settled);

/// Keeps a description of the window in a file, for tests that drive the window and for
/// accessibility tools. WARPLENS_STATE_FILE in the environment names it; without it nothing is
/// written. The file always holds one whole description.
class StateFile final {
  public:
    StateFile();
    /// `settled`: no input waits to be drawn and nothing is under way.
    void update(const AppState& state, const WidgetRects& rects, bool settled);

  private:
    std::filesystem::path path_;
    std::string written_;
};

}  // namespace warplens::window
