#include "app/window/state/sm_view.h"

#include <algorithm>
#include <ranges>
#include <vector>

#include "app/window/state/app_state.h"
#include "app/window/state/program_steps.h"
#include "core/occupancy/measured_demand.h"
#include "kernels/library/block_demand.h"

namespace warplens::window {
namespace {

constexpr ComputeCapability assumedCapability{9, 0};

/// What is known of the launch that is chosen in the open file: what it was compiled to once it was
/// measured, before that what its trace tells of shared memory.
struct OwnDemand final {
    StatedDemand known;
    const Device* device = nullptr;  ///< that it was measured on
    std::string unknown{};
};

OwnDemand demandOfChosen(const AppState& state) {
    const ProgramResult* const now = resultOfChosen(state.program);
    const ProgramResult* const any = now != nullptr ? now : formerResultOfChosen(state.program);
    const ProgramLaunch* const chosen = chosenLaunch(state.program);
    const Launch& launch = chosen == nullptr ? state.shown.launch : chosen->launch;
    OwnDemand own{.known = {.block = {.threads = launch.block.count(),
                                      .registersPerThread = assumedRegisters,
                                      .dynamicSharedBytes = launch.dynamicSharedBytes},
                            .registersFrom = "assumed",
                            .sharedFrom = "what the block uses"}};
    if (any != nullptr) {
        const ProgramMeasurement& measured = *any->measurement;
        own.device = &measured.device;
        own.known.block.registersPerThread = measured.resources.registersPerThread;
        own.known.block.staticSharedBytes = measured.resources.staticSharedBytes;
        own.known.registersFrom = own.known.sharedFrom =
            std::string(now != nullptr ? "as compiled for " : "of a former text, compiled for ") +
            measured.device.computeCapability;
        return own;
    }
    const ProgramSteps* const steps = shownSteps(state);
    if (steps != nullptr && steps->steps != nullptr) {
        own.known.block.staticSharedBytes = steps->steps->staticSharedBytes;
    } else {
        own.known.sharedFrom = "not traced yet";
    }
    own.unknown =
        "Registers are known once it is compiled for a GPU: measure it, or type what nvcc said.";
    return own;
}

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

ChosenLimits limitsFor(const AppState& state, const std::vector<const Measurement*>& measured,
                       const Device* own) {
    if (state.sm.capability) return {findSmLimits(*state.sm.capability), "chosen"};
    if (own != nullptr) {
        if (const SmLimits* const limits = smLimitsOf(*own)) return {limits, own->name};
    }
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
    const OwnDemand own =
        showsProgram(state)
            ? demandOfChosen(state)
            : OwnDemand{.known = demandOf(state.shown, tellingResources(state.shown, measured))};
    const StatedDemand& known = own.known;
    const ChosenLimits chosen = limitsFor(state, measured, own.device);
    ShownSm sm{*chosen.limits,      chosen.from,      known.block,
               known.registersFrom, known.sharedFrom, own.unknown};
    if (state.sm.registers) {
        sm.unknown.clear();
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
