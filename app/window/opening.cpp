#include "app/window/opening.h"

#include <algorithm>

#include "app/lessons/library.h"
#include "app/window/settings.h"
#include "app/window/state/apply.h"
#include "app/window/state/scene.h"

namespace warplens::window {
namespace {

Edit editOf(const Experiment& experiment) {
    Edit edit{experiment, true};
    if (isDrawable(edit)) edit.gridCovers = coveringGrid(experiment) == experiment.launch.grid;
    return edit;
}

/// Shows what was chosen as far as the launch has it.
void restore(AppState& state, const Selection& chosen) {
    const Launch& launch = state.shown.launch;
    apply(state, ChooseBlock{chosen.block});
    if (chosen.warp && chosen.warp->value < warpCountPerBlock(launch.block)) {
        state.selection.warp = chosen.warp;
    }
    apply(state, ChooseArray{chosen.shown.array});
    state.selection.shown.step = chosen.shown.step;
}

/// A place that the command line names goes before the one chosen last time.
void restorePlaces(AppState& state, const WindowOptions& options, const Settings& settings) {
    Places& places = state.places;
    places.here = options.workerCommand;
    places.hereIsNamed = options.placeNamed;
    for (const std::string& place : settings.places) choosePlace(state, place);
    choosePlace(state, options.placeNamed ? std::string() : settings.place);
    const DeviceChoice& last = options.placeNamed ? places.device : settings.device;
    chooseDevice(state, options.device.empty() ? last : options.device);
    state.canMeasure = !placeInUse(places).empty();
}

}  // namespace

Opening openState(const WindowOptions& options) {
    Opening opening;
    const SettingsReading reading = readSettings(options.settingsFile);
    opening.settings = reading.settings;
    Edit edit = options.experiment      ? editOf(*options.experiment)
                : reading.settings.last ? *reading.settings.last
                                        : editOf(initialExperiment(allScenarios().front()));
    opening.state =
        initialState(std::move(edit), std::make_shared<const RecordingLibrary>(options.library),
                     !options.workerCommand.empty());
    AppState& state = opening.state;
    state.timing = options.timing;
    restorePlaces(state, options, reading.settings);
    // A scenario's lesson stands ready at it; one that is asked for sets its scene, and what else
    // is asked for comes on top.
    haveLessonReady(state, state.shown.scenario);
    state.lesson.progress = reading.settings.progress;
    state.motion = reading.settings.motion;
    state.welcome = reading.settings.welcome && options.settingsFile != std::filesystem::path() &&
                    !options.experiment && options.lesson.empty();
    if (!options.lesson.empty()) {
        openLesson(state, options.lesson);
        state.undo.clear();
    }
    const bool goesOn = !options.experiment && options.lesson.empty() && reading.settings.last;
    if (goesOn) restore(state, reading.settings.selection);
    if (options.warp || options.step) {
        Selection chosen = state.selection;
        if (options.warp) chosen.warp = options.warp;
        if (options.step) chosen.shown = {{}, *options.step - 1};
        restore(state, chosen);
    }
    apply(state, SetPlaySpeed{reading.settings.stepsPerSecond});
    state.theme = reading.settings.theme;
    if (options.theme == "light") state.theme = ThemeName::light;
    if (options.theme == "dark") state.theme = ThemeName::dark;
    if (!options.view.empty()) {
        state.view = blockViewFrom(options.view);
    } else if (options.lesson.empty()) {
        state.view = reading.settings.view;
    }
    if (!options.below.empty()) {
        apply(state, SetLowerTab{lowerTabFrom(options.below)});
    } else if (options.lesson.empty()) {
        apply(state, SetLowerTab{reading.settings.lowerTab});
    }
    apply(state,
          SetRightTab{options.tab.empty() ? reading.settings.rightTab : rightTabFrom(options.tab)});
    apply(state, SetSweepOver{!options.over.empty() ? options.over
                              : options.experiment  ? std::string()
                                                    : reading.settings.sweepOver});
    apply(state,
          SetTextScale{options.textScale > 0 ? options.textScale : reading.settings.textScale});
    // Where one was in the lessons is where one goes on.
    if (goesOn && reading.settings.mode == Mode::learn) openLesson(state, reading.settings.lesson);
    if (!options.program.empty() && options.askFirst) {
        state.program.proposed = options.program;
        state.program.asking = true;
    } else if (!options.program.empty()) {
        apply(state, OpenProgram{options.program});
    }
    if (options.measured) {
        for (const MeasuredLaunch& launch : options.measured->launches) {
            keep(state.program, resultOf(launch, options.measured->digest));
        }
    }
    if (!options.scene.empty()) {
        openScene(state, options.scene);
        state.undo.clear();
        state.welcome = false;
    }
    for (const std::string& problem : builtInLessons().problems) {
        apply(state, Report{MessageKind::warning, "Lesson not read. " + problem});
    }
    if (!reading.problem.empty()) apply(state, Report{MessageKind::warning, reading.problem});
    for (const std::string& problem : options.library.problems) {
        apply(state, Report{MessageKind::warning, "Recording not read. " + problem});
    }
    return opening;
}

}  // namespace warplens::window
