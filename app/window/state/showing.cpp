#include "app/window/state/showing.h"

#include <algorithm>
#include <cmath>

#include "app/window/state/cameras.h"
#include "app/window/state/editing.h"
#include "app/window/state/program_steps.h"
#include "app/window/state/timeline.h"
#include "core/occupancy/sm_limits.h"
#include "core/view/view_parts.h"

namespace warplens::window {
namespace {

/// What the launch that is shown has of it.
ViewChange fitted(const AppState& state, ViewChange change) {
    const Launch& launch = state.view.experiment.launch;
    if (change.block) {
        change.block = {std::min(change.block->x, launch.grid.x - 1),
                        std::min(change.block->y, launch.grid.y - 1),
                        std::min(change.block->z, launch.grid.z - 1)};
    }
    if (change.warp && *change.warp && (*change.warp)->value >= warpCountPerBlock(launch.block)) {
        change.warp = noWarp;
    }
    if (change.array && *change.array >= shownSubjects(state).arrayNames().size()) {
        change.array->reset();
    }
    if (change.capability && *change.capability && findSmLimits(**change.capability) == nullptr) {
        change.capability->reset();
    }
    if (change.textScale) {
        if (std::isfinite(*change.textScale)) {
            change.textScale = std::clamp(*change.textScale, leastTextScale, largestTextScale);
        } else {
            change.textScale.reset();
        }
    }
    return change;
}

}  // namespace

void takeView(AppState& state, ViewChange change) {
    // The launch first: everything else is chosen in it.
    if (change.experiment) takeExperiment(state, *std::exchange(change.experiment, {}));
    const auto over = std::exchange(change.over, {});
    const auto mode = std::exchange(change.mode, {});
    const auto lesson = std::exchange(change.lesson, {});
    if (change.map == MapFollows::nothing) state.map.camera = mapCamera(state, mapLayout(state));
    take(state.view, fitted(state, change));
    if (change.warp) keepLine(state);
    if (over) setSweepOver(state, *over);
    if (mode && mode != Mode::learn) {
        setMode(state, *mode);
    } else if (lesson) {
        openLesson(state, *lesson);
    } else if (mode) {
        setMode(state, *mode);
    }
}

bool tells(const ViewChange& change) {
    bool does = false;
    forEachPart([&](const ViewPart& part, auto of) {
        does = does || (of(change).has_value() && !part.tellsNothing);
    });
    return does;
}

bool showsModel(const AppState& state) {
    if (state.view.picture != PictureKind::times) return false;
    const std::optional<Result> result = shownResult(state);
    return !result || !result->measurement->schedule || state.time.rows == TimeRows::model;
}

void setMode(AppState& state, Mode mode) {
    if (mode == state.view.mode) return;
    if (mode == Mode::learn) {
        toggleLessons(state);
        return;
    }
    if (state.view.mode == Mode::learn) leaveLessons(state, mode == Mode::present);
    if (state.program.isOpen()) showProgramLaunch(state);
    state.view.mode = mode;
    state.present.black = state.present.spotlight = false;
}

void showProgramLaunch(AppState& state) {
    const LaunchReport* const launch = chosenLaunch(state.program);
    if (launch == nullptr) return;
    Experiment experiment = initialExperiment(scenarioNamed("warp-grouping"));
    experiment.launch = launch->launch;
    takeExperiment(state, experiment);
}

}  // namespace warplens::window
