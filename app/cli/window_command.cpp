#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/measuring.h"
#include "app/cli/output.h"
#include "app/cli/picture.h"
#include "app/cli/program_options.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/cli/subcommand.h"
#include "app/lessons/library.h"
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

ExitCode run(ShowOptions& options) {
    const std::string& name = options.experiment.scenario;
    if (!name.empty() && !isProgramPath(name) && findScenario(name) == nullptr &&
        findLesson(name) == nullptr) {
        complain("`warplens --help` lists the commands");
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

}  // namespace

Subcommand addWindowCommand(CLI::App& program) {
    const auto options = std::make_shared<ShowOptions>();
    addShowOptions(program, *options);
    program.add_flag("--ask", options->askFirst,
                     "ask before a .cu file is compiled and run, as when the desktop opens it");
    return {&program, [options] { return run(*options); }};
}

}  // namespace warplens
