#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/cli/options.h"
#include "app/cli/page_options.h"
#include "app/window/screenshot.h"

namespace warplens {

/// Reads `1920x1080`. Throws InvalidRequest for anything else and for sizes out of bounds.
[[nodiscard]] ScreenshotSize screenshotSizeFrom(const std::string& text);

/// `from 640x360 to 7680x4320`.
[[nodiscard]] std::string screenshotSizes();

/// What the window and pictures of it are asked to show.
struct ShowOptions final {
    ExperimentOptions experiment;
    WorkerOptions worker;
    ViewOptions view;
    std::optional<std::string> recordings;
    std::string program;   ///< a .cu file, once it is told apart from a scenario
    std::string measured;  ///< a file that `measure FILE.cu --save` wrote
    std::string scene;     ///< its path, or its text from shownExperiment on
    bool askFirst = false;
    bool answer = false;
    std::optional<std::uint32_t> page;
    std::string guess;
    bool present = false;  ///< which the view has, once it is read
};

/// Declares all of them; returns SCENARIO.
CLI::Option* addShowOptions(CLI::App& parser, ShowOptions& options);

/// The launch that is asked for; nothing where none is. A lesson's id stands for the launch that it
/// opens with, and becomes that of the view; the path of a .cu file becomes `program`. Throws
/// InvalidRequest.
[[nodiscard]] std::optional<Experiment> shownExperiment(ShowOptions& options);

/// Without a settings file: the same request always gives the same picture. Throws InvalidRequest.
[[nodiscard]] WindowOptions windowOptionsFrom(const ShowOptions& options,
                                              std::optional<Experiment> experiment);

}  // namespace warplens
