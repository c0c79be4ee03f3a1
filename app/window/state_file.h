#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "app/window/frame_meter.h"
#include "app/window/panels/widgets.h"
#include "app/window/state/app_state.h"

namespace warplens::window {

/// Keeps a description of the window in a file, for tests that drive the window and for
/// accessibility tools: JSON with the experiment, what is wrong with it, the selection, the
/// measurement's progress, the messages, under `focus` the widget that the keyboard is at, under
/// `frames` how long they took, and under `widgets` the place of each main widget as
/// `name: [x, y, width, height]` in window coordinates. WARPLENS_STATE_FILE in the environment
/// names it; without it nothing is written. The file always holds one whole description.
class StateFile final {
  public:
    StateFile();
    /// Whether there is a file to write.
    [[nodiscard]] bool wanted() const { return !path_.empty(); }
    /// `settled`: no input waits to be drawn and nothing is under way. Where nothing but the frames
    /// went on, the file follows a little later.
    void update(const AppState& state, const WidgetRects& rects, std::string_view focus,
                const FrameTimes& frames, bool settled);

  private:
    std::filesystem::path path_;
    std::string written_;  ///< but for the frames
    std::chrono::steady_clock::time_point when_;
};

}  // namespace warplens::window
