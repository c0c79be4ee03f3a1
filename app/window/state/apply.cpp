#include "app/window/state/apply.h"

#include <cmath>

#include "app/lessons/library.h"
#include "app/window/state/cameras.h"
#include "app/window/state/editing.h"
#include "app/window/state/learn_page.h"
#include "app/window/state/measuring_status.h"
#include "app/window/state/palette.h"
#include "app/window/state/program_changes.h"
#include "app/window/state/program_commands.h"
#include "app/window/state/program_editor.h"
#include "app/window/state/scene.h"
#include "app/window/state/timeline.h"
#include "core/course/course.h"
#include "core/text/encoding.h"
#include "kernels/library/predict.h"

namespace warplens::window {
namespace {

struct Applier final {
    AppState& state;

    /// Another scenario that the step brings, and that has a lesson, leaves the one that was begun.
    template <class Step>
    void withItsLesson(const Step& step) const {
        const std::string before = state.edit.experiment.scenario;
        step();
        const std::string& now = state.edit.experiment.scenario;
        if (now != before && state.view.mode == Mode::explore && findLesson(now) != nullptr)
            haveLessonReady(state, {});
    }

    /// What takes more than a line of the cameras, of places and the worker, of the open file and
    /// the text that is typed: in their own files.
    template <class Kind>
    void operator()(const Kind& command) const {
        perform(state, command);
    }

    void operator()(const BrowseForProgram&) const { ++state.browses; }
    void operator()(const BeginExercise& command) const {
        state.outbox.newProgram = command.lesson;
    }
    void operator()(const SaveMeasured&) const {
        state.outbox.savesMeasured = !measuredOf(state.program).launches.empty();
    }
    void operator()(const ShowMachineCode& command) const {
        state.program.machineCode = command.machineCode;
    }
    void operator()(const StopProgram&) const {
        if (!state.program.stage.empty()) state.program.stopping = true;
    }
    void operator()(const ProgramStage& command) const {
        if (command.path == state.program.path) state.program.stage = command.stage;
    }
    void operator()(const ResourcesCompiled& command) const { state.compiled = command.compiled; }
    void operator()(const ProgramStepsTraced& command) const { takeSteps(state, command.steps); }
    void operator()(const DifferencesFound& command) const {
        state.program.differences = command.differences;
    }
    void operator()(const TakeRemedyBack&) const {
        state.outbox.writesRemedy = std::exchange(state.program.takeBack, std::nullopt);
    }
    void operator()(const SetMapArea& command) const { state.map = viewOn(state, command.area); }
    void operator()(const EditOutside&) const {
        state.outbox.editsOutside = state.program.isOpen();
    }
    void operator()(const PictureProgram& command) const {
        state.program.pictured = command.pictured && state.program.isOpen();
    }
    void operator()(const WishForProgram& command) const {
        if (state.program.isOpen()) wish(state.program, command.wish);
    }

    void operator()(const ChooseScenario& command) const {
        const Scenario* scenario = findScenario(command.id);
        if (scenario == nullptr) return;
        if (state.program.isOpen()) (*this)(CloseProgram{});
        if (scenario->id == state.edit.experiment.scenario) return;
        state.present.part = PairPart::both;
        withItsLesson([&] { change(state, {initialExperiment(*scenario), true}, {}); });
    }
    void operator()(const SetBlock& command) const {
        Edit next = state.edit;
        next.experiment.launch.block = command.block;
        forgetTexts(next, "block ");
        change(state, std::move(next), "block");
    }
    void operator()(const SetLaunch& command) const {
        Edit next = state.edit;
        Launch& launch = next.experiment.launch;
        launch.block = command.block.value_or(launch.block);
        launch.grid = command.grid.value_or(launch.grid);
        next.gridCovers &= !command.grid;
        forgetTexts(next, "block ");
        forgetTexts(next, "grid ");
        change(state, std::move(next), {});
    }
    void operator()(const TypeLaunch&) const {
        if (!showsProgram(state) || !proposedForChosen(state.program).empty()) {
            ++state.launchTyped;
            return;
        }
        report(state, MessageKind::note, std::string(ownLaunches));
        const LaunchReport* const launch = chosenLaunch(state.program);
        if (launch != nullptr && launch->place.line != 0 &&
            sameFile(launch->place.file, state.program.path))
            (*this)(ChooseProgramLine{launch->place.line});
    }
    void operator()(const EnterNumber& command) const {
        Edit next = state.edit;
        if (!enterNumber(next, command.field, command.text)) return;
        if (command.field.starts_with("grid ") && next != state.edit) next.gridCovers = false;
        change(state, std::move(next), command.field);
    }
    void operator()(const SetGridCovers& command) const {
        Edit next = state.edit;
        next.gridCovers = command.covers;
        forgetTexts(next, "grid ");
        change(state, std::move(next), {});
    }
    void operator()(const Show& change) const {
        takeView(state, change);
        if (change.picture) (*this)(PictureProgram{});
    }
    void operator()(const SwapBlockAxes&) const {
        Edit next = state.edit;
        std::swap(next.experiment.launch.block.x, next.experiment.launch.block.y);
        forgetTexts(next, "block ");
        change(state, std::move(next), {});
    }
    void operator()(const FinishEdit&) const { state.openEdit.clear(); }
    void operator()(const Undo&) const {
        withItsLesson([&] { undo(state); });
    }
    void operator()(const Redo&) const {
        withItsLesson([&] { redo(state); });
    }

    void operator()(const PointAtThread& command) const {
        state.pointed = command.thread;
        keepSelectionInside(state, state.view.experiment);
    }
    void operator()(const HoldThread& command) const {
        state.held = command.thread;
        state.view.warp =
            warpRankInBlock(threadRankInBlock(command.thread, state.view.experiment.launch.block));
        keepSelectionInside(state, state.view.experiment);
        keepLine(state);
    }
    void operator()(const ToggleWarp& command) const {
        state.held.reset();
        if (state.view.warp == command.warp) {
            state.view.warp.reset();
        } else if (command.warp.value < warpCountPerBlock(state.view.experiment.launch.block)) {
            state.view.warp = command.warp;
        }
        keepLine(state);
    }

    void operator()(const ResetBlock3d&) const { state.block3d = {}; }
    void operator()(const SetSmView& command) const { setSmView(state, command.view); }
    void operator()(const SetTimeView& command) const { setTimeView(state.time, command.view); }
    void operator()(const SetModelView& command) const {
        setModelView(state.time, command.view, state.model ? &state.model->run : nullptr);
    }
    void operator()(const SmModelled& command) const { state.model = command.modelled; }
    void operator()(const SetCache& command) const { state.timing.cache = command.cache; }

    void operator()(const ChooseArray& command) const {
        if (command.array && *command.array >= shownSubjects(state).arrayNames().size()) return;
        takeView(state, {.array = command.array, .step = command.step});
    }
    void operator()(const ChooseStep& command) const { showPosition(state, command.position); }
    void operator()(const MoveStep& command) const { moveOn(state, command.steps); }
    void operator()(const TogglePlay&) const { togglePlay(state); }
    void operator()(const SetPlaySpeed& command) const {
        if (command.stepsPerSecond != 1 && command.stepsPerSecond != 4 &&
            command.stepsPerSecond != 16) {
            return;
        }
        state.playback.stepsPerSecond = command.stepsPerSecond;
    }
    void operator()(const Tick& command) const {
        if (command.seconds > 0) state.now += command.seconds;
        std::erase_if(state.messages,
                      [&](const Message& message) { return strengthOf(state, message) <= 0; });
        passTime(state, command.seconds);
        passModelTime(state.time, command.seconds, state.model ? &state.model->run : nullptr);
        passMotion(state, command.seconds);
    }
    void operator()(const WarpTraced& command) const { state.warpTrace = command.trace; }

    void operator()(const Measure&) const {
        if (!mayMeasure(state)) return;
        state.measuring =
            Running{++state.lastNumber,
                    state.edit.experiment,
                    "starting",
                    0,
                    false,
                    showsProgram(state) ? subjectOfChosen(state.program) : std::nullopt};
    }
    void operator()(const TypePlace& command) const { state.places.typed = command.text; }
    void operator()(const CancelMeasure&) const {
        if (auto* run = std::get_if<Running>(&state.measuring)) run->cancelled = true;
    }
    void operator()(const MeasureSweep&) const { startSweep(state); }
    void operator()(const ShowSweepPoint& command) const { showSweepPoint(state, command.point); }
    void operator()(const ChooseQuantity& command) const {
        chooseQuantity(state, command.place, command.id);
    }
    void operator()(const PointPredicted& command) const {
        takePrediction(state, command);
        takeRoofPrediction(state.roof, command);
    }
    void operator()(const SweepsRead& command) const {
        // Of a page, whose recordings come later than its window.
        if (command.recordings && !command.recordings->recordings.empty())
            state.library = command.recordings;
        takeSweeps(state, command.recordings, command.last);
        if (!command.problem.empty()) report(state, MessageKind::warning, command.problem);
    }
    void operator()(const Pin& command) const {
        if (showsProgram(state)) {
            if (command.slot == PinSlot::a) state.pinnedProgram = shownLaunch(state);
            return;
        }
        const std::optional<Result> result = shownResult(state);
        if (!result) {
            return report(state, MessageKind::note,
                          "Not pinned: A and B hold what was measured, and this launch was not. " +
                              std::string(state.canMeasure
                                              ? "Measure it first."
                                              : "Choose a launch with a recording, as a scenario "
                                                "begins with."));
        }
        (command.slot == PinSlot::a ? state.pinnedA : state.pinnedB) = result;
    }
    void operator()(const ClearPins&) const {
        state.pinnedA.reset();
        state.pinnedB.reset();
        state.pinnedProgram.reset();
    }

    void operator()(const PredictionReady& command) const {
        state.prediction = command.prediction;
        followGoal(state);
    }
    void operator()(const CompiledPredicted& command) const {
        auto* const shown = std::get_if<LaunchReport>(&state.prediction);
        if (shown == nullptr || !command.compiled || shown->compiled ||
            shown->experiment() != command.compiled->experiment()) {
            return;
        }
        addCompiled(*shown, *command.compiled);
    }
    void operator()(const PredictionFailed& command) const { state.prediction = command.failure; }

    void operator()(const BlockPredicted& command) const {
        state.blockPrediction = command.prediction;
    }
    void operator()(const SetMode& command) const {
        setMode(state, command.mode);
        if (progressOf(state).page == 0) askAnew(state);
    }
    void operator()(const ToggleLessons& command) const {
        if (command.keepsLaunch)
            leaveLessons(state, true);
        else
            toggleLessons(state);
        if (state.view.mode == Mode::explore && state.program.isOpen()) showProgramLaunch(state);
    }
    void operator()(const OpenLesson& command) const {
        std::optional<OwnStep> own = command.ofLine ? ownStepShown(state) : std::nullopt;
        // Of what a line does, what explains it comes first, unless it is being read.
        const auto known = state.lesson.progress.find(command.id);
        const Lesson* const lesson = findLesson(command.id);
        if (command.ofLine && lesson != nullptr && known != state.lesson.progress.end() &&
            known->second.furthest + 1 >= pageCount(*lesson))
            known->second.page = 0;
        openLesson(state, command.id);
        state.lesson.own = std::move(own);
    }
    void operator()(const TurnPage& command) const { turnPage(state, command.pages); }
    void operator()(const GuessAnswer& command) const { typeGuess(state, command.text); }
    void operator()(const HandIn&) const { handIn(state); }
    void operator()(const ChooseAnswer& command) const { chooseAnswer(state, command.choice); }
    void operator()(const TakeHint&) const { takeHint(state); }
    void operator()(const RevealAnswer&) const { revealAnswer(state); }
    void operator()(const RestartLesson& command) const { restartLesson(state, command.id); }
    void operator()(const SlideLesson& command) const { slideLesson(state, command.value); }
    void operator()(const SetMotionAt& command) const {
        if (!std::isfinite(command.at)) return;
        state.lesson.motion = {.at = std::clamp(command.at, 0.0, 1.0), .playing = false};
    }
    void operator()(const PlayMotion&) const {
        LessonMotion& motion = state.lesson.motion;
        motion.playing = !motion.playing;
        if (motion.playing && motion.at >= 1) motion.at = 0;
    }
    void operator()(const AllowMotion& command) const {
        state.motion = command.allowed;
        if (!command.allowed) state.lesson.motion.playing = false;
    }
    void operator()(const EndWelcome&) const { state.welcome = false; }
    void operator()(const Presented& command) const { state.present.slide = command.slide; }
    void operator()(const ToggleBlack&) const { state.present.black = !state.present.black; }
    void operator()(const ToggleSpotlight&) const {
        state.present.spotlight = !state.present.spotlight;
    }
    void operator()(const CompareLaunches& command) const { compareLaunches(state, command); }
    void operator()(const LessonsRead& command) const {
        const std::string begin = "Lesson not read. ";
        const std::string saved =
            " was saved: the course shows it as it was when it was opened. 'Start again' shows it "
            "as it is now.";
        // What was wrong with them when they were read before; a kernel may be as it was again.
        std::erase_if(state.messages, [&](const Message& message) {
            return message.text.starts_with(begin) || message.text.ends_with(saved);
        });
        for (const std::string& problem : command.problems) {
            report(state, MessageKind::warning, begin + problem);
        }
        state.kernelsSaved = !command.kernels.empty();
        for (const std::string& kernel : command.kernels) {
            report(state, MessageKind::warning, kernel + saved);
        }
        const Lesson* const shown = findLesson(state.view.lesson);
        if (shown == nullptr && state.view.mode == Mode::learn && !state.view.lesson.empty())
            report(state, MessageKind::warning,
                   "There is no lesson " + state.view.lesson + " any more: its file is gone.");
        // Of one that was never shown there is none.
        const auto begun = state.lesson.progress.find(state.view.lesson);
        if (shown != nullptr && begun != state.lesson.progress.end()) {
            LessonProgress& progress = begun->second;
            progress.page = std::min(progress.page, pageCount(*shown) - 1);
            progress.furthest = std::min(progress.furthest, pageCount(*shown) - 1);
        }
        // Its scene is another, perhaps; or it is gone.
        if (state.view.mode == Mode::learn) openLesson(state, state.view.lesson);
    }
    void operator()(const StartAgain&) const { state.startsAgain = state.kernelsSaved; }
    void operator()(const LessonResolved& command) const {
        state.lesson.resolved = command.resolved;
        state.lesson.failure = command.failure;
    }
    void operator()(const DrawFigure& command) const {
        if (state.figures.size() >= mostFiguresDue) {
            report(state, MessageKind::warning,
                   std::to_string(mostFiguresDue) + " figures wait to be drawn; try again later.");
            return;
        }
        const bool chosen = state.figure.open && command.target == FigureTarget::files;
        state.figures.push_back(chosen ? figureOf(state, state.figure.choice) : figureOf(state));
        state.figures.back().number = ++state.lastNumber;
        // Open until the files are there: a folder that is not can be mended.
        if (chosen) state.figure.saving = state.lastNumber;
        state.figure.problem.clear();
        state.figures.back().target = command.target;
    }
    void operator()(const OpenFigure& command) const {
        state.figure.open = command.open;
        state.figure.preview.reset();
        state.figure.problem.clear();
        if (!command.open) return;
        FigureChoice& choice = state.figure.choice;
        FigureOrder shown = figureOf(state);
        shown.view.theme = {};
        shown.sweep.reset();
        shown.roofline.reset();
        if (std::exchange(state.figure.typedFor, shown) == shown) return;
        for (std::string FigurePaper::*const words : figureWords) (choice.paper.*words).clear();
        choice.of = shown.against || shown.programAgainst ? FigureOf::pair : FigureOf::shown;
    }
    void operator()(const ChooseFigure& command) const {
        state.figure.choice = command.choice;
        std::string& folder = state.figure.choice.paper.folder;
        folder = asUtf8(folder, longestFolder);
        for (std::string FigurePaper::*const words : figureWords) {
            std::string& typed = state.figure.choice.paper.*words;
            typed = asUtf8(typed, longestFigureName);
        }
        state.figure.problem.clear();
    }
    void operator()(const FigurePreviewed& command) const {
        state.figure.preview = command.slide;
        if (!command.problem.empty()) state.figure.problem = command.problem;
    }
    void operator()(const FigureDrawn& command) const {
        std::erase_if(state.figures,
                      [&](const FigureOrder& order) { return order.number == command.number; });
        // That an earlier one was not drawn is past.
        std::erase_if(state.messages, [](const Message& message) {
            return message.text.starts_with("Figure not drawn");
        });
        const bool isSheets =
            std::exchange(state.figure.saving, 0) == command.number && state.figure.open;
        if (isSheets && command.kind == MessageKind::error) {
            state.figure.problem = command.text;
            return;
        }
        if (isSheets) state.figure.open = false;
        report(state, command.kind, command.text);
    }

    void operator()(const ToggleProjector&) const {
        const bool on = isForProjector(state);
        state.view.theme = on ? Theme::dark : Theme::light;
        state.view.textScale = on ? 1.0F : 1.3F;
    }
    void operator()(const SetHelpOpen& command) const {
        state.helpScrolled =
            command.open && state.helpOpen ? state.helpScrolled + command.scroll : 0;
        state.helpOpen = command.open;
    }
    void operator()(const OpenPalette& command) const {
        state.palette = {.open = command.open};
        if (command.open) state.helpOpen = state.program.asking = false;
    }
    void operator()(const FilterPalette& command) const {
        state.palette.typed = asUtf8(command.typed, longestPaletteText);
        state.palette.chosen = 0;
    }
    void operator()(const PaletteFiles& command) const { state.palette.files = command.files; }
    void operator()(const MovePalette& command) const {
        const auto last = static_cast<std::int64_t>(paletteEntries(state).size()) - 1;
        const auto wanted = static_cast<std::int64_t>(state.palette.chosen) + command.entries;
        state.palette.chosen = static_cast<std::size_t>(
            std::clamp(wanted, std::int64_t{0}, std::max<std::int64_t>(last, 0)));
    }
    void operator()(const RunPalette& command) const {
        if (!state.palette.open) return;
        std::vector<PaletteEntry> entries = paletteEntries(state);
        const std::size_t place = command.place.value_or(state.palette.chosen);
        if (place >= entries.size()) return;
        state.palette = {};
        for (const Command& one : entries[place].commands) apply(state, one);
    }
    void operator()(const CopyText& command) const {
        if (command.what == CopiedText::exercise) {
            const Lesson* const lesson = shownLesson(state);
            if (lesson == nullptr || lesson->exercise.empty()) return;
            state.outbox.text = exerciseFile(*lesson);
            state.outbox.words = "The program is in the clipboard: save it as a .cu file.";
            return;
        }
        if (command.what == CopiedText::progress) {
            const LessonsProgress& own =
                state.lesson.kept ? *state.lesson.kept : state.lesson.progress;
            std::vector<LessonStanding> standings = standingsOf(own, false);
            if (openedCourse() != nullptr)
                std::erase_if(standings, [](const LessonStanding& one) {
                    return one.answered == "not begun" &&
                           lessonNamed(one.lesson).group != courseGroup;
                });
            state.outbox.text = toCsv(rowsOf("", standings));
            state.outbox.words =
                "Your progress is in the clipboard: save it as a .csv file and hand it in.";
            return;
        }
        const bool scene = command.what == CopiedText::scene;
        state.outbox.text =
            scene ? sceneOf(state) : tableOf(state, command.what == CopiedText::csv);
        state.outbox.words = scene ? "The scene is in the clipboard: one line to paste anywhere."
                                   : "The table is in the clipboard.";
    }
    void operator()(const PasteScene&) const { state.outbox.pastes = true; }
    void operator()(const SaveScene&) const { state.outbox.saves = true; }
    void operator()(const OutboxTaken&) const { state.outbox = {}; }
    void operator()(const OpenScene& command) const {
        withItsLesson([&] { openScene(state, command.text); });
    }
    void operator()(const StepBack&) const {
        if (state.palette.open) {
            state.palette = {};
        } else if (state.figure.open) {
            state.figure.open = false;
        } else if (state.helpOpen) {
            state.helpOpen = false;
        } else if (std::exchange(state.present.black, false)) {
            return;
        } else if (std::erase_if(state.messages, [](const Message& message) {
                       return message.kind == MessageKind::error;  // others go by themselves
                   }) != 0) {
            return;
        } else if (state.welcome && state.view.mode == Mode::explore) {
            state.welcome = false;
        } else if (state.view.mode == Mode::present) {
            setMode(state, Mode::explore);
        } else if (state.view.mode == Mode::learn && isLesson(state.lesson.listedFrom)) {
            openLesson(state, state.lesson.listedFrom);
        } else if (state.view.mode == Mode::learn) {
            (*this)(ToggleLessons{});
        } else if (state.view.warp) {
            state.view.warp.reset();
        } else if (!state.messages.empty()) {
            state.messages.pop_back();
        }
    }
    void operator()(const Report& command) const {
        report(state, command.kind, command.text, command.ofFile);
    }
    void operator()(const DismissMessage& command) const {
        std::erase_if(state.messages,
                      [&](const Message& message) { return message.id == command.id; });
    }
};

template <class... Kinds>
bool isOneOf(const Command& command) {
    return (command.is<Kinds>() || ...);
}

}  // namespace

bool isLocked(const AppState& state, const Command& command) {
    // What chooses a launch, a view of it or a step, and what hands it on, would lead to what the
    // question asks for. What only looks at what is there is free.
    if (!questionIsOpen(state)) return false;
    if (const Show* const change = command.as<Show>()) return tells(*change);
    return isOneOf<ChooseScenario, SetBlock, SetLaunch, EnterNumber, SetGridCovers, SwapBlockAxes,
                   Undo, Redo, ChooseBlock, SetSmView, SetTimeView, SetModelView, ChooseArray,
                   ChooseStep, MoveStep, TogglePlay, Measure, MeasureSweep, ShowSweepPoint,
                   ChooseQuantity, Pin, CompareLaunches, CopyText, DrawFigure, OpenFigure>(command);
}

void apply(AppState& state, const Command& command) {
    guarded(state, [&] {
        // What lies over a slide is read by then.
        if (state.view.mode == Mode::present &&
            isOneOf<MoveStep, TurnPage, RevealAnswer, OpenLesson, ChooseScenario, Report>(command))
            std::erase_if(state.messages,
                          [](const Message& message) { return message.kind == MessageKind::note; });
        // Behind a black screen nobody sees what moves: it comes back first.
        if (isOneOf<MoveStep, TurnPage, RevealAnswer>(command) &&
            std::exchange(state.present.black, false))
            return;
        if (!isLocked(state, command)) applyFreely(state, command);
    });
}

void applyFreely(AppState& state, const Command& command) {
    command.visit<void>(Applier{state});
    followComparison(state);
    followStep(state);
}

}  // namespace warplens::window
