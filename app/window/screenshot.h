#pragma once

#include <filesystem>
#include <optional>

#include "app/window/window.h"
#include "core/measurement/measurement.h"

namespace warplens {

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
