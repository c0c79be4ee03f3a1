#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>

#include "app/cli/measuring.h"
#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "app/cli/program_options.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/subcommand.h"
#include "app/lessons/library.h"
#include "core/json/archive.h"
#include "core/measurement/measurement.h"
#include "core/text/files.h"

namespace warplens {
namespace {

constexpr const char* shownWhenNoneIsNamed = "matadd-swapped";

/// Prints the best numbers there are for the experiment: measured now, recorded, or predicted.
/// Returns the fresh measurement, if it came to one.
std::optional<Measurement> printNumbers(const Experiment& experiment, const ShowOptions& options,
                                        const RecordingLibrary& library) {
    if (!workerCommand(options.worker).empty()) {
        try {
            Measurement fresh = measureNow(experiment, options.worker);
            endIfInterrupted();
            addPredictions(fresh);
            print(reportOf(fresh));
            return fresh;
        } catch (const CommandFailed& failure) {
            endIfInterrupted(failure.what());
            complain(std::string("not measured: ") + failure.what());
        }
    }
    if (const Recording* recording = findRecording(library.recordings, experiment)) {
        const Measurement& measurement = recording->measurement;
        print("Recorded on " + takenOn(measurement) + "\n" + reportOf(measurement));
    } else {
        print("Neither measured here nor recorded; this is predicted.\n" +
              reportOf(predictShowing(experiment)));
    }
    return std::nullopt;
}

/// The main job without a display: the numbers as text, the window as a picture.
ExitCode showOffscreen(const ShowOptions& options, WindowOptions window) {
    if (!window.view.experiment) {
        window.view.experiment = initialExperiment(scenarioNamed(shownWhenNoneIsNamed));
    }
    const Experiment& experiment = *window.view.experiment;
    if (const auto violations = validateRun(experiment); !violations.empty()) {
        throw InvalidRequest(violations);
    }
    const std::optional<Measurement> fresh = printNumbers(experiment, options, window.library);
    const std::filesystem::path path =
        newStem(std::filesystem::current_path(), "warplens-" + experiment.scenario, {".png"})
            .string() +
        ".png";
    window.settingsFile.clear();
    try {
        const ProgressLine line("drawing");
        writeScreenshot(window, {}, fresh, path);
    } catch (const WindowUnavailable& reason) {
        throw CommandFailed(ExitCode::impossible, std::string("no picture: ") + reason.what());
    }
    print("\nThe picture is in " + path.string() + '\n');
    return ExitCode::done;
}

ExitCode run(const CLI::App& program, ShowOptions& options) {
    const std::string& name = options.experiment.scenario;
    if (!name.empty() && !isProgramPath(name) && findScenario(name) == nullptr &&
        findLesson(name) == nullptr) {
        complain(nearCommands(program, name));
    }
    std::optional<Experiment> experiment = shownExperiment(options);
    WindowOptions window = windowOptionsFrom(options, std::move(experiment));
    window.settingsFile = defaultSettingsFile();
    const InterruptNoted noted;
    window.asksToEnd = &InterruptNoted::happened;
    try {
        const int code = runWindow(window);
        if (InterruptNoted::happened()) return exitCodeForSignal(InterruptNoted::signal());
        return code == 0 ? ExitCode::done : ExitCode::failed;
    } catch (const WindowUnavailable& reason) {
        complain(std::string(reason.what()) + "; doing the main job without a window");
    }
    if (!window.program.empty()) {
        throw CommandFailed(ExitCode::impossible, "without a window: `warplens predict " +
                                                      window.program + "` tells the same as text");
    }
    return showOffscreen(options, std::move(window));
}

constexpr NumberLimits zooms{.least = 0, .most = 1e12, .whole = false, .aboveLeast = true};

struct ScreenshotOptions final {
    ShowOptions show;
    std::string path;
    std::string size = "1920x1080";
    std::optional<double> zoom;
    std::optional<std::uint32_t> launch;
    std::optional<std::uint32_t> line;
    bool measure = false;
    bool force = false;
    bool json = false;
};

struct ScreenshotReport final {
    Experiment experiment;
    std::string path;
    ScreenshotSize size;
    bool measured = false;
};

void describe(Archive& v, ScreenshotReport& report) {
    describeVersion(v);
    describe(v, report.experiment);
    v("path", report.path, "The file that was written.");
    v("width", report.size.width, "Of the picture, in pixels or points.", {.least = 1});
    v("height", report.size.height, "Of the picture, in pixels or points.", {.least = 1});
    v("measured", report.measured, "Whether it shows a measurement taken for it.");
}

/// Options that change nothing of the picture.
std::vector<LimitViolation> idleIn(const CLI::App& parser, const ScreenshotOptions& options) {
    std::vector<LimitViolation> idle;
    if (!options.measure) {
        refuseMeasuringOptions(parser, "with --measure", idle);
    }
    if (!isProgramPath(options.show.experiment.scenario)) {
        refuseIdle(parser, {"--launch", "--line"}, "with a .cu file", idle);
    }
    const ViewChange& view = options.show.view.view;
    if (view.tab != RightTab::sweep) refuseIdle(parser, {"--over"}, "with --tab sweep", idle);
    if (view.picture && view.picture != PictureKind::threads) {
        refuseIdle(parser, {"--map", "--zoom"}, "with --view 2d", idle);
    }
    return idle;
}

/// Reads what is to be drawn. Throws InvalidRequest with all that is wrong.
WindowOptions windowFrom(ScreenshotOptions& options, std::vector<LimitViolation> violations) {
    const std::string ending = std::filesystem::path(options.path).extension();
    if (ending != ".png" && ending != ".PNG") {
        violations.push_back(
            {"--output", "'" + options.path + "'",
             "a file whose name ends in .png; `warplens figure` draws PDF and SVG"});
    }
    std::optional<Experiment> experiment;
    collect(violations, [&] { experiment = shownExperiment(options.show); });
    if (!experiment && violations.empty()) {
        violations.push_back({"SCENARIO", "none", "a scenario or a lesson"});
    }
    WindowOptions window;
    if (experiment) {
        if (options.measure)
            std::ranges::move(validateRun(*experiment), std::back_inserter(violations));
        collect(violations, [&] { window = windowOptionsFrom(options.show, experiment); });
    }
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    return window;
}

ExitCode run(ScreenshotOptions& options, std::vector<LimitViolation> idle) {
    ScreenshotSize size;
    collect(idle, [&] { size = screenshotSizeFrom(options.size); });
    WindowOptions window = windowFrom(options, std::move(idle));
    const Experiment experiment = window.view.experiment.value();
    window.zoom = options.zoom.value_or(1);
    window.programLaunch = options.launch;
    window.programLine = options.line;
    requireNoneButPictureLost("--output", options.path, options.force);
    const InterruptNoted noted;
    std::optional<Measurement> fresh;
    if (options.measure) {
        fresh = measureNow(experiment, options.show.worker);
        endIfInterrupted();
        addPredictions(*fresh);
    }
    try {
        const ProgressLine line("drawing");
        writeScreenshot(window, size, fresh, options.path);
    } catch (const WindowUnavailable& reason) {
        throw CommandFailed(ExitCode::impossible, reason.what());
    } catch (const CompileFailed& reason) {
        throw CommandFailed(ExitCode::invalid, reason.what());
    }
    if (options.json) {
        printDocument(Document::screenshot,
                      ScreenshotReport{experiment, std::filesystem::absolute(options.path).string(),
                                       size, options.measure});
    }
    return ExitCode::done;
}

}  // namespace

Subcommand addWindowCommand(CLI::App& program) {
    const auto options = std::make_shared<ShowOptions>();
    addShowOptions(program, *options);
    program.add_flag("--ask", options->askFirst,
                     "ask before a .cu file is compiled and run, as when the desktop opens it");
    return {.parser = &program,
            .run = [&program, options] { return run(program, *options); },
            .programArguments = &options->build.arguments};
}

Subcommand addScreenshotCommand(CLI::App& program) {
    const auto options = std::make_shared<ScreenshotOptions>();
    CLI::App* parser =
        program.add_subcommand("screenshot", "draw the whole window into a PNG, without a display");
    addShowOptions(*parser, options->show);
    addScheduleOption(*parser, options->show.worker);
    addText(*parser, "-o,--output", options->path, value::file,
            "picture to write: its name ends in .png")
        ->required();
    addForceFlag(*parser, options->force);
    addText(*parser, "--size", options->size, value::size,
            "of the picture, in pixels, as in 1920x1080; " + screenshotSizes());
    addNumber(*parser, "--zoom", options->zoom, zooms, "so many times as large as that")
        ->default_str("1");
    addNumber(*parser, "--launch", options->launch, {.least = 0, .most = 999999},
              "of a .cu file: show this launch, in order of launching");
    addNumber(*parser, "--line", options->line, {.least = 1, .most = 9999999},
              "of a .cu file: choose this line; left out, what is wrong or wastes most");
    parser->add_flag("--measure", options->measure, "measure first and show the fresh numbers");
    addJsonFlag(*parser, options->json);
    return {.parser = parser,
            .run = [options, parser] { return run(*options, idleIn(*parser, *options)); },
            .programArguments = &options->show.build.arguments,
            .schemas = {{Document::screenshot, schemaFor<ScreenshotReport>}}};
}

}  // namespace warplens
