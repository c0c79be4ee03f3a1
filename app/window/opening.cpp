#include "app/window/opening.h"

#include "app/lessons/library.h"
#include "app/window/settings.h"
#include "app/window/state/apply.h"
#include "app/window/state/editing.h"
#include "app/window/state/measuring_status.h"
#include "app/window/state/scene.h"
#include "core/course/course.h"
#include "core/view/view_parts.h"

namespace warplens::window {
namespace {

/// A place that the command line names goes before the one chosen last time.
void restorePlaces(AppState& state, const WindowOptions& options, const Settings& settings) {
    Places& places = state.places;
    places.here = options.workerCommand;
    places.hereIsNamed = options.placeNamed;
    for (const std::string& place : settings.places) perform(state, ChoosePlace{place});
    perform(state, ChoosePlace{options.placeNamed ? std::string() : settings.place});
    const DeviceChoice& last = options.placeNamed ? places.device : settings.device;
    perform(state, ChooseDevice{options.device.empty() ? last : options.device});
    state.canMeasure = !placeInUse(places).empty();
}

/// What of the last session's view stays where the command line asks for something else.
ViewChange goingOn(const Settings& last, const ViewChange& asked) {
    ViewChange view = namedParts(last.view, &ViewPart::settings);
    if (asked.experiment || asked.lesson || !last.hasLaunch) {
        view.block.reset();
        view.warp.reset();
        view.array.reset();
        view.step.reset();
        // Where one was in the lessons is where one goes on, otherwise.
        view.mode.reset();
        view.lesson.reset();
    }
    if (asked.experiment) view.over = std::string();
    if (asked.lesson) {
        view.picture.reset();
        view.numbers.reset();
        view.below.reset();
    }
    return view;
}

}  // namespace

Opening openState(const WindowOptions& options) {
    Opening opening;
    const SettingsReading reading = readSettings(options.settingsFile);
    opening.settings = reading.settings;
    const Settings& last = reading.settings;
    const ViewChange& asked = options.view;
    Edit edit = asked.experiment ? editOf(*asked.experiment)
                : last.hasLaunch ? Edit{last.view.experiment, last.gridCovers}
                                 : editOf(initialExperiment(allScenarios().front()));
    opening.state =
        initialState(std::move(edit), std::make_shared<const RecordingLibrary>(options.library),
                     !options.workerCommand.empty());
    AppState& state = opening.state;
    state.timing = options.timing;
    restorePlaces(state, options, last);
    // A scenario's lesson stands ready at it; one that is asked for sets its scene, and what else
    // is asked for comes on top.
    haveLessonReady(state, state.view.experiment.scenario);
    state.lesson.progress = last.progress;
    state.motion = last.motion;
    state.recent = last.recent;
    state.figure.choice.paper.theme = last.figureTheme;
    state.welcome = last.welcome && options.settingsFile != std::filesystem::path() &&
                    !asked.experiment && !asked.lesson && options.program.empty();
    if (asked.lesson) {
        if (options.lessonAnswered && options.lessonGuess.empty()) {
            openLessonAt(state, *asked.lesson, options.lessonPage);
        } else {
            openLesson(state, *asked.lesson);
        }
        if (!options.lessonGuess.empty() && !questionIsOpen(state)) {
            apply(state, Report{MessageKind::warning,
                                "The lesson's question is answered already, so --guess is not "
                                "used. Try again asks it anew."});
        }
        apply(state, GuessAnswer{options.lessonGuess});
        state.undo.clear();
    }
    apply(state, SetPlaySpeed{last.stepsPerSecond});
    ViewChange shown = goingOn(last, asked);
    take(shown, asked);
    shown.experiment.reset();
    if (asked.lesson) shown.lesson.reset();
    // What a lesson's question keeps from being shown does not keep the colours.
    apply(state, ViewChange{.theme = shown.theme, .textScale = shown.textScale});
    apply(state, shown);
    if (asked.lesson && asked.mode == Mode::present) {
        setMode(state, Mode::present);
        if (!options.lessonAnswered) askAnew(state);
    }
    if (asked.textScale)
        state.textOnce = TextOnce{.asked = state.view.textScale, .kept = last.view.textScale};
    if (!options.program.empty() && options.askFirst) {
        state.program.proposed = options.program;
        state.program.asking = true;
    } else if (!options.program.empty()) {
        apply(state, OpenProgram{options.program});
        state.program.pictured = asked.picture.has_value();
        // It goes back to what was explored, which the command line says nothing of.
        if (state.program.explored && last.hasLaunch) state.program.explored = last.view;
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
    if (openedCourse() != nullptr) apply(state, LessonsRead{builtInLessons().problems});
    if (!reading.problem.empty()) apply(state, Report{MessageKind::warning, reading.problem});
    for (const std::string& problem : options.library.problems) {
        apply(state, Report{MessageKind::warning, "Recording not read. " + problem});
    }
    return opening;
}

}  // namespace warplens::window
