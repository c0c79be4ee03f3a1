#include "app/window/state/editing.h"

#include <algorithm>
#include <utility>

#include "app/window/state/block3d_view.h"
#include "app/window/state/map_view.h"
#include "core/launch/coverage.h"

namespace warplens::window {
namespace {

constexpr std::size_t undoDepth = 200;

/// Whether the sizes are those of the scenario's kernel, whatever their values.
bool hasItsSizes(const Experiment& experiment) {
    const Kernel& kernel = kernelOf(experiment);
    return experiment.arguments.entries().size() == kernel.sizes.size() &&
           std::ranges::all_of(kernel.sizes, [&](const KernelSize& parameter) {
               return experiment.arguments.contains(parameter.name);
           });
}

/// What follows from block and sizes: the covering grid and the dynamic shared memory. Sizes out of
/// their bounds and zero extents leave both as they were, and are reported by `violationsOf`.
void completeLaunch(Edit& edit) {
    const Extents block = edit.experiment.launch.block;
    const Kernel& kernel = kernelOf(edit.experiment);
    if (!validate(kernel, edit.experiment.arguments).empty()) return;
    edit.experiment.launch.dynamicSharedBytes = dynamicSharedBytes(edit.experiment);
    if (!edit.gridCovers || kernel.work.empty() || block.count() == 0) return;
    edit.experiment.launch.grid = coveringGrid(edit.experiment);
}

void show(AppState& state) {
    if (!isDrawable(state.edit)) return;
    const Experiment before = std::exchange(state.view.experiment, state.edit.experiment);
    keepSelectionInside(state, before);
    if (state.view.experiment != before) {
        state.time = {};
        planSweep(state);
    }
    keepMap(state, before);
    keepBlock3d(state, before);
}

void travel(AppState& state, std::vector<Edit>& from, std::vector<Edit>& to) {
    if (from.empty()) return;
    to.push_back(std::exchange(state.edit, std::move(from.back())));
    from.pop_back();
    state.openEdit.clear();
    show(state);
}

}  // namespace

void change(AppState& state, Edit next, std::string field) {
    completeLaunch(next);
    if (next == state.edit) return;
    if (field.empty() || field != state.openEdit) {
        state.undo.push_back(state.edit);
        if (state.undo.size() > undoDepth) state.undo.erase(state.undo.begin());
    }
    state.redo.clear();
    state.openEdit = std::move(field);
    state.edit = std::move(next);
    show(state);
}

void takeExperiment(AppState& state, const Experiment& experiment) {
    if (findScenario(experiment.scenario) == nullptr || !hasItsSizes(experiment)) return;
    // There is no field to put it right in.
    if (experiment.arrayOffset > mostArrayOffset) return;
    Edit next{experiment, true};
    // A grid that is not the covering one was chosen by hand and must stay.
    Edit covered = next;
    completeLaunch(covered);
    next.gridCovers = covered.experiment == next.experiment;
    change(state, std::move(next), {});
}

const Launch& writtenLaunch(const AppState& state) {
    return state.edit.unread.empty() ? state.edit.experiment.launch : state.view.experiment.launch;
}

void undo(AppState& state) {
    travel(state, state.undo, state.redo);
}

void redo(AppState& state) {
    travel(state, state.redo, state.undo);
}

void keepSelectionInside(AppState& state, const Experiment& before) {
    const Launch& launch = state.view.experiment.launch;
    View& view = state.view;
    const auto inside = [](Index3 index, Extents extents) {
        return index.x < extents.x && index.y < extents.y && index.z < extents.z;
    };
    if (state.view.experiment.scenario != before.scenario || !inside(view.block, launch.grid)) {
        view.block = {};
    }
    if (state.view.experiment.scenario != before.scenario) {
        view.array.reset();
        view.step.reset();
        state.playback.playing = false;
    }
    if (state.pointed && !inside(*state.pointed, launch.block)) state.pointed.reset();
    if (view.warp && view.warp->value >= warpCountPerBlock(launch.block)) {
        view.warp.reset();
    }
}

}  // namespace warplens::window
