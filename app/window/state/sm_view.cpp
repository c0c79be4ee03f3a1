#include "app/window/state/sm_view.h"

#include <algorithm>
#include <ranges>
#include <vector>

#include "app/window/state/app_state.h"
#include "core/occupancy/measured_demand.h"
#include "kernels/library/block_demand.h"

namespace warplens::window {
namespace {

constexpr ComputeCapability assumedCapability{9, 0};

/// Everything measured that is at hand: this session's results, the newest first, and recordings.
std::vector<const Measurement*> measurementsOf(const AppState& state) {
    std::vector<const Measurement*> measurements;
    for (const Result& result : state.results | std::views::reverse) {
        measurements.push_back(result.measurement.get());
    }
    for (const Recording& recording : state.library->recordings) {
        measurements.push_back(&recording.measurement);
    }
    return measurements;
}

struct ChosenLimits final {
    const SmLimits* limits;
    std::string from;
};

ChosenLimits limitsFor(const AppState& state, const std::vector<const Measurement*>& measured) {
    if (state.sm.capability) return {findSmLimits(*state.sm.capability), "chosen"};
    // The shown launch's own device first, then any that was ever measured.
    for (const bool ofThisLaunch : {true, false}) {
        for (const Measurement* measurement : measured) {
            const bool same = measurement->experiment == state.shown;
            const SmLimits* const limits = smLimitsOf(measurement->device);
            if (limits != nullptr && same == ofThisLaunch)
                return {limits, measurement->device.name};
        }
    }
    return {findSmLimits(assumedCapability), "assumed"};
}

}  // namespace

ShownSm shownSm(const AppState& state) {
    const std::vector<const Measurement*> measured = measurementsOf(state);
    const ChosenLimits chosen = limitsFor(state, measured);
    const StatedDemand known = demandOf(state.shown, tellingResources(state.shown, measured));
    ShownSm sm{*chosen.limits, chosen.from, known.block, known.registersFrom, known.sharedFrom};
    if (state.sm.registers) {
        sm.block.registersPerThread = *state.sm.registers;
        sm.registersFrom = "chosen";
    }
    if (state.sm.sharedBytes) {
        sm.block.staticSharedBytes = 0;
        sm.block.dynamicSharedBytes = *state.sm.sharedBytes;
        sm.sharedFrom = "chosen";
    }
    return sm;
}

void setSmView(AppState& state, SmView view) {
    if (view.capability && findSmLimits(*view.capability) == nullptr) view.capability.reset();
    if (view.registers) view.registers = std::min(*view.registers, mostRegistersAsked);
    if (view.sharedBytes) view.sharedBytes = std::min(*view.sharedBytes, mostSharedBytesAsked);
    state.sm = view;
}

}  // namespace warplens::window
