#include "app/window/state/sm_view.h"

#include <gtest/gtest.h>

#include "app/window/state/actions.h"
#include "app/window/state/apply.h"

namespace warplens::window {
namespace {

Measurement measuredOn(const Experiment& experiment, const char* capability,
                       std::optional<std::uint32_t> registers) {
    Measurement made{};
    made.experiment = experiment;
    made.device.name = std::string("device of ") + capability;
    made.device.computeCapability = capability;
    if (registers) made.resources = KernelResources{*registers, 0, 0};
    return made;
}

AppState smStateOf(const char* scenario, std::vector<Recording> recordings = {}) {
    auto library = std::make_shared<RecordingLibrary>();
    library->recordings = std::move(recordings);
    return initialState({initialExperiment(scenarioNamed(scenario)), true}, std::move(library),
                        false);
}

TEST(ShownSm, AssumesAloudWhatNobodyMeasured) {
    const AppState state = smStateOf("matmul-tiled");
    const ShownSm sm = shownSm(state);
    EXPECT_EQ(toString(sm.limits.capability), "9.0");
    EXPECT_EQ(sm.limitsFrom, "assumed");
    EXPECT_EQ(sm.block.registersPerThread, 32u);
    EXPECT_EQ(sm.registersFrom, "assumed");
    EXPECT_EQ(sm.block.sharedBytes(), 2048u);
    EXPECT_EQ(sm.sharedFrom, "what the kernel declares");
}

TEST(ShownSm, TakesDeviceAndRegistersFromWhatWasMeasured) {
    const Experiment tiled = initialExperiment(scenarioNamed("matmul-tiled"));
    const Experiment sum = initialExperiment(scenarioNamed("matadd-swapped"));
    AppState state = smStateOf("matmul-tiled", {{"sum", measuredOn(sum, "8.6", 16)},
                                                {"tiled", measuredOn(tiled, "8.0", 40)}});
    EXPECT_EQ(toString(shownSm(state).limits.capability), "8.0");
    EXPECT_EQ(shownSm(state).limitsFrom, "device of 8.0");
    EXPECT_EQ(shownSm(state).block.registersPerThread, 40u);
    // A launch of this session comes before recordings; without registers they are still told.
    state.results.push_back({measuredOn(tiled, "12.0", {}), false});
    EXPECT_EQ(toString(shownSm(state).limits.capability), "12.0");
    EXPECT_EQ(shownSm(state).registersFrom, "as compiled for 8.0, measured on device of 8.0");
    // Another launch is drawn for a device that was measured at all.
    apply(state, ChooseScenario{"warp-grouping"});
    EXPECT_EQ(toString(shownSm(state).limits.capability), "12.0");
    EXPECT_EQ(shownSm(state).registersFrom, "assumed");
}

TEST(SmView, AsksForAnotherSmAndLetsGoAgain) {
    AppState state = smStateOf("matadd-swapped");
    apply(state,
          SetSmView{{.capability = ComputeCapability{1, 3}, .registers = 10, .sharedBytes = 8192}});
    const ShownSm sm = shownSm(state);
    EXPECT_EQ(sm.limitsFrom, "chosen");
    EXPECT_EQ(occupancyOf(sm.limits, sm.block).residentBlocks, 2u);
    EXPECT_EQ(limitersOf(occupancyOf(sm.limits, sm.block)), "shared memory");
    EXPECT_FALSE(state.sm.followsTheLaunch());
    apply(state, SetSmView{});
    EXPECT_TRUE(state.sm.followsTheLaunch());
}

TEST(SmView, HoldsNumbersToItsFieldsAndForgetsUnknownCapabilities) {
    AppState state = smStateOf("matadd-swapped");
    apply(state, SetSmView{{.capability = ComputeCapability{9, 5},
                            .registers = 4'000'000'000,
                            .sharedBytes = 4'000'000'000}});
    EXPECT_EQ(state.sm.capability, std::nullopt);
    EXPECT_EQ(state.sm.registers, mostRegistersAsked);
    EXPECT_EQ(state.sm.sharedBytes, mostSharedBytesAsked);
}

TEST(SmView, OpensAndClosesByItsKey) {
    AppState state = smStateOf("matadd-swapped");
    const auto press = [&] { window::apply(state, *commandFor(state, {'O'}, false)); };
    press();
    EXPECT_EQ(state.view, BlockView::slots);
    press();
    EXPECT_EQ(state.view, BlockView::flat);
}

}  // namespace
}  // namespace warplens::window
