#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/platform/surface.h"
#include "app/recordings/library.h"
#include "core/launch/mapping.h"
#include "core/measurement/measurement.h"
#include "core/program/program_measurement.h"
#include "core/view/view.h"

namespace warplens {

/// What the command line may say about the window and about screenshots of it.
struct WindowOptions final {
    ViewChange view{};          ///< what it opens with; parts left open: as last time
    std::string workerCommand;  ///< empty: measuring is not possible here
    bool placeNamed = false;    ///< by the command line; else the last session's counts
    std::string device{};       ///< which of the GPUs; empty: as last time, or the first
    bool counters = true;
    std::chrono::milliseconds deadline{120'000};  ///< when a measurement is given up
    TimingRequest timing{};                       ///< of the first measurement
    double zoom = 1;                              ///< of the map, in a screenshot
    std::string program{};                        ///< open with this .cu file
    /// And beside it what was measured of it.
    std::shared_ptr<const MeasuredProgram> measured{};
    std::optional<std::uint32_t> programLaunch{};  ///< of it, in a screenshot: the first if absent
    std::optional<std::uint32_t> programLine{};    ///< from 1; the worst if absent
    std::string scene{};                           ///< show it (state/scene.h)
    bool askFirst = false;                         ///< whether it may be run
    bool lessonAnswered = false;                   ///< of the view's lesson, with its answer
    std::uint32_t lessonPage = 0;                  ///< and at this page of it, from 0
    std::string lessonGuess{};                     ///< with this handed in as an answer
    RecordingLibrary library;
    /// Where settings are kept; empty: nowhere.
    std::filesystem::path settingsFile;
    /// Whether the window is to be closed, by a signal say; asked before every frame. May be null.
    bool (*asksToEnd)() = nullptr;
};

/// Shows the window until it is closed. Returns 0, or throws WindowUnavailable when there is no
/// display to open it on.
int runWindow(const WindowOptions& options);

/// The settings file of this user: $XDG_CONFIG_HOME/warplens/settings.json or ~/.config/….
[[nodiscard]] std::filesystem::path defaultSettingsFile();

struct ScreenshotSize final {
    int width = 1920;
    int height = 1080;
};

/// Draws the whole window offscreen, without a display, exactly as `runWindow` would show it, and
/// writes it to `path` as PNG. At sizes above 1920x1080 text and panels grow in proportion, so the
/// same picture comes out sharper. `fresh` is a measurement to show instead of a recording.
/// The file appears whole or not at all. Throws std::system_error when it cannot be written and
/// WindowUnavailable when there is no OpenGL 3.3 to draw with.
void writeScreenshot(const WindowOptions& options, ScreenshotSize size,
                     const std::optional<Measurement>& fresh, const std::filesystem::path& path);

}  // namespace warplens
