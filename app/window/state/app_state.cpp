#include "app/window/state/app_state.h"

#include <ranges>

#include "app/window/state/editing.h"
#include "app/window/state/scene.h"
#include "app/window/state/timeline.h"
#include "core/view/view_parts.h"
#include "kernels/library/prepared_launch.h"

namespace warplens::window {
AppState initialState(Edit edit, std::shared_ptr<const RecordingLibrary> library, bool canMeasure) {
    AppState state;
    state.library = std::move(library);
    state.canMeasure = canMeasure;
    // An illegal experiment can be edited but not drawn; its scenario's own launch is drawn
    // instead.
    state.view.experiment = isDrawable(edit)
                                ? edit.experiment
                                : initialExperiment(scenarioNamed(edit.experiment.scenario));
    state.edit = std::move(edit);
    planSweep(state);
    return state;
}

Settings settingsOf(const AppState& state, int width, int height) {
    Settings settings{.view = state.view,
                      .hasLaunch = true,
                      .gridCovers = state.edit.gridCovers,
                      .stepsPerSecond = state.playback.stepsPerSecond,
                      .recent = state.recent,
                      .places = state.places.known,
                      .place = state.places.chosen,
                      .device = state.places.device,
                      .figureTheme = state.figure.choice.paper.theme,
                      .progress = state.lesson.kept.value_or(state.lesson.progress),
                      .motion = state.motion,
                      .welcome = state.welcome,
                      .width = width,
                      .height = height};
    // What was typed or chosen and not handed in was no answer.
    for (auto& [id, progress] : settings.progress) {
        if (progress.judged || progress.answered != Answered::open) continue;
        progress.guess.clear();
        progress.choice.reset();
    }
    settings.view.experiment = state.edit.experiment;
    if (state.textOnce && state.textOnce->asked == state.view.textScale)
        settings.view.textScale = state.textOnce->kept;
    if (const std::optional<View>& explored = state.program.explored) {
        // Not the launch of a file that the next session may not open.
        take(settings.view, launchOf(*explored));
        settings.gridCovers = editOf(explored->experiment).gridCovers;
    }
    if (settings.view.mode != Mode::learn) settings.view.lesson.clear();
    if (settings.view.mode == Mode::present) settings.view.mode = Mode::explore;
    // What has no name in the file is not kept.
    View kept;
    take(kept, namedParts(settings.view, &ViewPart::settings));
    settings.view = kept;
    return settings;
}

const Scenario& scenarioOf(const AppState& state) {
    return scenarioNamed(state.edit.experiment.scenario);
}

const Kernel& kernelOf(const AppState& state) {
    return kernelOf(scenarioOf(state).kernel);
}

std::vector<LimitViolation> violationsOf(const AppState& state) {
    std::vector<LimitViolation> violations;
    for (const auto& [field, text] : state.edit.unread) {
        violations.push_back(violationOfText(state.edit, field, text));
    }
    // What stands behind a text that is no number is not shown, and not complained of.
    const auto isCovered = [&](const LimitViolation& violation) {
        return state.edit.unread.contains(violation.name) ||
               (violation.name == "threads per block" &&
                std::ranges::any_of(state.edit.unread, [](const auto& entry) {
                    return entry.first.starts_with("block ");
                }));
    };
    for (LimitViolation& violation : validateRun(state.edit.experiment)) {
        if (!isCovered(violation)) violations.push_back(std::move(violation));
    }
    return violations;
}

bool isDrawable(const Edit& edit) {
    return edit.unread.empty() && validate(edit.experiment).empty();
}

std::string_view refusalOf(const Edit& edit) {
    if (!edit.unread.empty()) return "Not a launch yet";
    const std::size_t byCuda = validate(edit.experiment.launch).size();
    const std::size_t all = validate(edit.experiment).size();
    if (byCuda == all)
        return all == 0 ? "This launch cannot be run" : "CUDA would refuse this launch";
    return byCuda == 0 ? "The kernel cannot run with this" : "This launch cannot be run";
}

std::optional<Result> resultOf(const AppState& state, const Experiment& experiment) {
    const auto found = std::ranges::find_if(state.results, [&](const Result& result) {
        return result.measurement->experiment == experiment;
    });
    if (found != state.results.end()) return *found;
    for (const KeptSweep& kept : state.sweep.kept | std::views::reverse) {
        const auto point = kept.sweep.indexOf(experiment);
        const auto* const measured =
            point ? std::get_if<SharedMeasurement>(&kept.sweep.points[*point].measured) : nullptr;
        if (measured != nullptr) return Result{*measured, kept.recorded};
    }
    if (const Recording* recording = findRecording(state.library->recordings, experiment)) {
        return Result{SharedMeasurement({state.library, &recording->measurement}), true};
    }
    return std::nullopt;
}

std::optional<Result> shownResult(const AppState& state) {
    return resultOf(state, state.view.experiment);
}

const LaunchReport* shownPrediction(const AppState& state) {
    const auto* prediction = std::get_if<LaunchReport>(&state.prediction);
    return prediction != nullptr && prediction->experiment() == state.view.experiment ? prediction
                                                                                      : nullptr;
}

const LaunchReport* shownBlockPrediction(const AppState& state) {
    const std::optional<LaunchReport>& prediction = state.blockPrediction;
    return prediction && prediction->experiment() == state.view.experiment &&
                   prediction->block->block == state.view.block
               ? &*prediction
               : nullptr;
}

std::optional<Index3> heldThread(const AppState& state) {
    if (!state.held || !state.view.warp) return std::nullopt;
    const Extents block = state.view.experiment.launch.block;
    const bool isOfIt = warpRankInBlock(threadRankInBlock(*state.held, block)) == *state.view.warp;
    return isOfIt ? state.held : std::nullopt;
}

Index3 threadInFocus(const AppState& state) {
    if (state.pointed) return *state.pointed;
    if (const auto held = heldThread(state)) return *held;
    const WarpRank warp = state.view.warp.value_or(WarpRank{});
    return threadIndexInBlock(firstThreadOfWarp(warp), state.view.experiment.launch.block);
}

WarpPlace warpInFocus(const AppState& state) {
    const ThreadRank thread =
        threadRankInBlock(threadInFocus(state), state.view.experiment.launch.block);
    const ProgramSteps* const steps = shownSteps(state);
    return {state.view.experiment, state.view.block, warpRankInBlock(thread),
            steps == nullptr ? nullptr : steps->steps};
}

const WarpTrace* shownTrace(const AppState& state) {
    const WarpTrace* trace = state.warpTrace.get();
    if (showsProgram(state) && warpInFocus(state).program == nullptr) return nullptr;
    return trace != nullptr && trace->place == warpInFocus(state) ? trace : nullptr;
}

std::vector<const Recording*> recordingsOfScenario(const AppState& state) {
    std::vector<const Recording*> found;
    for (const Recording& recording : state.library->recordings) {
        if (recording.measurement.experiment.scenario == state.view.experiment.scenario) {
            found.push_back(&recording);
        }
    }
    return found;
}

FigureOrder figureOf(const AppState& state) {
    FigureOrder order{.view = state.view, .result = shownResult(state)};
    const ShownSm sm = shownSm(state);
    order.view.capability = sm.limits.capability;
    order.demand = sm.block;
    if ((order.program = shownLaunch(state))) {
        order.result.reset();
        order.view.warp.reset();
        order.view.array.reset();
        order.view.step.reset();
        order.programAgainst = launchHeldAgainst(state);
        return order;
    }
    // Pins of another launch than the one on the screen stay out of it, and all of a lesson.
    const auto compared = state.present.lesson ? std::nullopt : comparedNow(state);
    const auto isShown = [&](const Result& result) {
        return result.measurement->experiment == state.view.experiment;
    };
    if (compared && (isShown(compared->first) || isShown(compared->second))) {
        order.against = compared->first;
        order.result = compared->second;
        order.view.experiment = compared->second.measurement->experiment;
        if (order.view.experiment != state.view.experiment) {
            order.demand = demandOf(order.view.experiment, order.result->measurement.get()).block;
            order.view.block = {};
            order.view.warp.reset();
            order.view.step.reset();
        }
    }
    const KeptSweep* const sweep = shownSweep(state);
    if (state.view.tab == RightTab::sweep && sweep != nullptr) {
        order.sweep = std::make_shared<const KeptSweep>(*sweep);
        order.quantities = shownQuantities(state);
    } else if (state.view.tab == RightTab::roof) {
        order.roofline = std::make_shared<const Roofline>(shownRoofline(state));
    }
    return order;
}

bool stepIsChosen(const AppState& state) {
    const View& view = state.view;
    const bool isBelow = view.picture == PictureKind::threads && view.below != LowerTab::source;
    return !showsProgram(state) && (isBelow || view.picture == PictureKind::request) &&
           (view.step || view.array) && Timeline(state).size() != 0;
}

bool figureShowsStep(const AppState& state) {
    const FigureOrder order = figureOf(state);
    const PictureKind picture = order.view.picture;
    const bool isMap = picture == PictureKind::threads && order.view.below != LowerTab::source;
    if (order.program) {
        return !order.programAgainst && order.program->steps != nullptr &&
               (picture == PictureKind::request || isMap);
    }
    if (order.against || order.sweep || order.roofline) return false;
    if (picture == PictureKind::request) return true;
    const std::string_view about = scenarioNamed(order.view.experiment.scenario).figure;
    const auto row = std::ranges::find(pictures, about, &PictureRow::figure);
    return isMap && row != pictures.end() && row->picture == PictureKind::request;
}

bool presentsPair(const AppState& state) {
    if (state.view.mode != Mode::present || state.present.lesson) return false;
    const FigureOrder order = figureOf(state);
    return order.programAgainst || (order.against && !order.sweep && !order.roofline);
}

bool canDraw(const AppState& state, FigureOf of) {
    switch (of) {
        case FigureOf::pair:
            return showsProgram(state) ? launchHeldAgainst(state).has_value()
                                       : comparedNow(state).has_value();
        case FigureOf::sweep:
            return !showsProgram(state) && shownSweep(state) != nullptr;
        case FigureOf::roofline:
            return !showsProgram(state);
        case FigureOf::shown:
        case FigureOf::source:
            break;
    }
    return true;
}

FigureOrder figureOf(const AppState& state, const FigureChoice& choice) {
    const FigureOf of = canDraw(state, choice.of) ? choice.of : FigureOf::shown;
    AppState wanted = state;
    wanted.view.tab = of == FigureOf::sweep      ? RightTab::sweep
                      : of == FigureOf::roofline ? RightTab::roof
                                                 : RightTab::measured;
    if (of == FigureOf::source) {
        wanted.view.below = LowerTab::source;
        wanted.view.picture = PictureKind::threads;
    }
    FigureOrder order = figureOf(wanted);
    if (of != FigureOf::pair) {
        order.against.reset();
        order.programAgainst.reset();
        if (!order.program) {
            order.result = shownResult(state);
            order.view = wanted.view;
            order.view.capability = shownSm(state).limits.capability;
            if (of == FigureOf::shown && stepIsChosen(state)) {
                const Timeline timeline(state);
                order.view.picture = PictureKind::request;
                order.view.warp = warpInFocus(state).warp;
                order.view.step = timeline.stepAt(timeline.position());
            }
        }
    }
    order.view.theme = choice.paper.theme;
    order.paper = choice.paper;
    return order;
}

std::optional<std::pair<Result, Result>> comparedNow(const AppState& state) {
    if (!state.pinnedA) return std::nullopt;
    if (state.pinnedB) return std::pair{*state.pinnedA, *state.pinnedB};
    const std::optional<Result> shown = shownResult(state);
    if (!shown || shown->measurement->experiment == state.pinnedA->measurement->experiment) {
        return std::nullopt;
    }
    return std::pair{*state.pinnedA, *shown};
}

bool isForProjector(const AppState& state) {
    return state.view.theme == Theme::light && state.view.textScale > 1.2F;
}

bool showsProgram(const AppState& state) {
    return state.program.isOpen() && !tellsLesson(state);
}

bool mayMeasure(const AppState& state) {
    if (!state.canMeasure || running(state) != nullptr) return false;
    if (showsProgram(state)) {
        return state.program.stage.empty() && chosenLaunch(state.program) != nullptr;
    }
    return violationsOf(state).empty();
}

const Running* running(const AppState& state) {
    return std::get_if<Running>(&state.measuring);
}

}  // namespace warplens::window
