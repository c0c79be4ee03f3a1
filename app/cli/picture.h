#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/program_options.h"
#include "app/figure/output/render.h"
#include "app/figure/page.h"
#include "app/window/window.h"
#include "core/launch/launch.h"
#include "core/view/view.h"

namespace CLI {

class App;
class Option;

}  // namespace CLI

namespace warplens {

/// A figure's file and how it looks, as typed.
struct PageOptions final {
    std::optional<std::string> path{};
    std::string size = "1280x720";
    std::string theme = "light";
    std::optional<float> textSize{};
    std::string title{};
    std::string caption{};
};

/// -o, --size, --theme, --text-size, --title and --caption; returns the first.
CLI::Option* addPageOptions(CLI::App& parser, PageOptions& options);

/// For a command that draws only when asked to: how a figure looks is of use only with one.
void refusePageWithoutFile(const CLI::App& parser, std::vector<LimitViolation>& violations);

/// The same, read.
struct FigurePage final {
    std::string path;
    figure::Page page{};
    std::optional<figure::Format> format{};  ///< none where no file was named

    /// Throws std::runtime_error when the file, which must be named, cannot be written.
    void write(const figure::Picture& picture) const;
};
/// Adds everything that is wrong to `violations`.
[[nodiscard]] FigurePage figurePageFrom(const PageOptions& options,
                                        std::vector<LimitViolation>& violations);

/// Parts of a view, as typed.
struct ViewOptions final {
    ViewChange view;
    std::vector<LimitViolation> violations{};  ///< words that are none
};

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
    ProgramOptions build;  ///< how it is made and run
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
