#include "app/window/model_job.h"

#include <utility>

#include "core/occupancy/occupancy.h"
#include "kernels/library/block_program.h"

namespace warplens::window {

std::optional<ModelPlace> modelPlace(const AppState& state) {
    const Experiment& experiment = state.view.experiment;
    if (showsProgram(state) || !validateRun(experiment).empty()) return std::nullopt;
    const ShownSm sm = shownSm(state);
    const std::uint32_t fits = occupancyOf(sm.limits, sm.block).residentBlocks;
    const ModelView& wanted = state.time.model;
    ModelPlace place{.experiment = experiment,
                     .block = state.view.block,
                     .resident = wanted.resident == 0 ? fits : std::min(wanted.resident, fits)};
    if (wanted.latency != 0) place.model.globalLatency = wanted.latency;
    return place.resident == 0 ? std::nullopt : std::optional(place);
}

Command modelNow(const ModelPlace& place, const std::stop_token& stop) {
    thread_local std::pair<Experiment, Index3> of;
    thread_local BlockProgram program;
    auto modelled = std::make_shared<ModelledSm>();
    modelled->place = place;
    try {
        if (program.warps.empty() || of != std::pair(place.experiment, place.block)) {
            program = blockProgramOf(place.experiment, place.block, stop);
            of = {place.experiment, place.block};
        }
        const std::uint64_t blocks = place.experiment.launch.grid.count();
        const std::uint32_t sms = place.model.multiprocessors;
        modelled->run = runModel(program, place.model, (blocks + sms - 1) / sms, place.resident);
        modelled->cut = program.cut;
    } catch (const std::exception& error) {
        program = {};
        modelled->failure = error.what();
    }
    return SmModelled{std::move(modelled)};
}

}  // namespace warplens::window
