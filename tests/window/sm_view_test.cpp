#include "app/window/state/sm_view.h"

#include <gtest/gtest.h>

#include "app/window/state/actions.h"
#include "app/window/state/apply.h"
#include "app/window/state/timeline.h"

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

/// A file with a launch of blocks of 96 threads with 256 bytes on top, opened and traced.
AppState ownStateOf(std::vector<Recording> recordings = {}) {
    AppState state = smStateOf("matmul-tiled", std::move(recordings));
    apply(state, OpenProgram{"own.cu"});
    auto version = std::make_shared<ProgramVersion>();
    version->digest = "now";
    LaunchReport& launch = version->trace.launches.emplace_back();
    launch.kernel = "own";
    launch.launch = {{10, 1, 1}, {96, 1, 1}, 256};
    apply(state, ProgramTraced{"own.cu", std::move(version)});
    return state;
}

TEST(ShownSm, OfAnOwnLaunchSaysWhatNobodyKnows) {
    AppState state = ownStateOf();
    EXPECT_EQ(shownSm(state).sharedFrom, "not traced yet");
    auto steps = std::make_shared<BlockSteps>();
    steps->staticSharedBytes = 1024;
    apply(state, ProgramStepsTraced{std::make_shared<const ProgramSteps>(
                     ProgramSteps{*wantedSteps(state), steps, {}})});
    ShownSm sm = shownSm(state);
    EXPECT_EQ(sm.block.threads, 96u);
    EXPECT_EQ(sm.block.registersPerThread, 32u);
    EXPECT_EQ(sm.registersFrom, "assumed");
    EXPECT_EQ(sm.block.sharedBytes(), 1280u) << "its arrays' and the launch's";
    EXPECT_EQ(sm.sharedFrom, "what the block uses");
    EXPECT_EQ(sm.unknown, "Registers are assumed until it is compiled.");
    apply(state, SetSmView{{.registers = 40}});
    EXPECT_EQ(shownSm(state).block.registersPerThread, 40u);
    EXPECT_EQ(shownSm(state).unknown, "") << "somebody knows";
}

TEST(ShownSm, OfAnOwnLaunchIsAsItWasCompiledWhenItWasMeasured) {
    AppState state = ownStateOf(
        {{"tiled", measuredOn(initialExperiment(scenarioNamed("matmul-tiled")), "8.0", 40)}});
    EXPECT_EQ(toString(shownSm(state).limits.capability), "8.0") << "some device that there is";
    EXPECT_EQ(shownSm(state).block.registersPerThread, 32u) << "another kernel's say nothing";
    ProgramMeasurement measured;
    measured.launch = state.program.now->trace.launches[0].launch;
    measured.device.name = "small device";
    measured.device.computeCapability = "7.5";
    measured.resources = {.registersPerThread = 64, .staticSharedBytes = 4096};
    const auto keepOf = [&](const char* digest) {
        keep(state.program,
             {.digest = digest, .measurement = std::make_shared<ProgramMeasurement>(measured)});
    };
    keepOf("before");
    EXPECT_EQ(shownSm(state).registersFrom, "of a former text, compiled for 7.5");
    keepOf("now");
    const ShownSm sm = shownSm(state);
    EXPECT_EQ(toString(sm.limits.capability), "7.5");
    EXPECT_EQ(sm.limitsFrom, "small device");
    EXPECT_EQ(sm.block.registersPerThread, 64u);
    EXPECT_EQ(sm.block.sharedBytes(), 4352u);
    EXPECT_EQ(sm.registersFrom, "as compiled for 7.5");
    EXPECT_EQ(sm.unknown, "");
    const FigureOrder order = figureOf(state);
    EXPECT_EQ(order.view.capability, (ComputeCapability{7, 5}));
    EXPECT_EQ(order.demand, sm.block) << "a figure of it draws the same";
    apply(state, CloseProgram{});
    EXPECT_EQ(shownSm(state).registersFrom, "as compiled for 8.0, measured on device of 8.0")
        << "what was explored before";
    apply(state, ChooseScenario{"warp-grouping"});
    EXPECT_EQ(shownSm(state).registersFrom, "assumed") << "another scenario was recorded";
}

void answer(AppState& state, CompileAnswer said) {
    apply(state, ResourcesCompiled{std::make_shared<const CompiledPlace>(
                     CompiledPlace{wantedCompilation(state).value(), std::move(said)})});
}

TEST(ShownSm, IsAsTheCompilerOfThisMachineSays) {
    AppState state = ownStateOf();
    EXPECT_FALSE(wantedCompilation(state)) << "nobody looks at an SM";
    apply(state, Show{.picture = PictureKind::slots});
    EXPECT_EQ(wantedCompilation(state).value().computeCapability, "9.0");
    answer(state, CompiledResources{{40, 512, 0}, "9.0", "NVRTC 13.0"});
    EXPECT_EQ(shownSm(state).block.registersPerThread, 40u);
    EXPECT_EQ(shownSm(state).block.sharedBytes(), 768u);
    EXPECT_EQ(shownSm(state).registersFrom, "compiled for 9.0 by NVRTC 13.0");
    EXPECT_EQ(shownSm(state).unknown, "");
    apply(state, Show{.capability = ComputeCapability{5, 0}});
    EXPECT_EQ(shownSm(state).registersFrom, "assumed") << "that was for another SM";
    answer(state, Failure{FailureKind::impossible, "NVRTC 13.0 does not compile for 5.0\n..."});
    EXPECT_EQ(shownSm(state).unknown,
              "Registers are assumed: NVRTC 13.0 does not compile for 5.0. Measure it, or type "
              "what nvcc said.");
    // Of a scenario as well, unless a recording tells.
    apply(state, CloseProgram{});
    EXPECT_NE(wantedCompilation(state).value().kernel, nullptr);
    answer(state, CompiledResources{{24, 0, 0}, "5.0", "NVRTC 12.9"});
    EXPECT_EQ(shownSm(state).block.registersPerThread, 24u);
    state.results.push_back({measuredOn(state.view.experiment, "8.0", 40), false});
    EXPECT_FALSE(wantedCompilation(state));
    EXPECT_EQ(shownSm(state).block.registersPerThread, 40u);
}

TEST(SmView, AsksForAnotherSmAndLetsGoAgain) {
    AppState state = smStateOf("matadd-swapped");
    apply(state, Show{.capability = ComputeCapability{1, 3}});
    apply(state, SetSmView{{.registers = 10, .sharedBytes = 8192}});
    const ShownSm sm = shownSm(state);
    EXPECT_EQ(sm.limitsFrom, "chosen");
    EXPECT_EQ(occupancyOf(sm.limits, sm.block).residentBlocks, 2u);
    EXPECT_EQ(limitersOf(occupancyOf(sm.limits, sm.block)), "shared memory");
    apply(state, SetSmView{});
    apply(state, Show{.capability = std::optional<ComputeCapability>()});
    EXPECT_EQ(shownSm(state).limitsFrom, shownSm(smStateOf("matadd-swapped")).limitsFrom);
}

TEST(SmView, TakesWhatIsTypedAndFollowsTheLaunchAgainWhereNothingIs) {
    AppState state = smStateOf("matmul-tiled");
    SmView view;
    EXPECT_TRUE(enterSm(view, sharedField, " 49152 "));
    EXPECT_FALSE(enterSm(view, sharedField, "48 KiB"));
    apply(state, SetSmView{view});
    EXPECT_EQ(shownSm(state).block.sharedBytes(), 49152u);
    EXPECT_EQ(shownSm(state).sharedFrom, "typed in; the launch has 2,048");
    EXPECT_TRUE(enterSm(view, sharedField, ""));
    apply(state, SetSmView{view});
    EXPECT_EQ(shownSm(state).sharedFrom, "what the kernel declares");
}

TEST(SmView, HoldsNumbersToItsFieldsAndForgetsUnknownCapabilities) {
    AppState state = smStateOf("matadd-swapped");
    apply(state, SetSmView{{.registers = 4'000'000'000, .sharedBytes = 4'000'000'000}});
    apply(state, Show{.capability = ComputeCapability{9, 5}});
    EXPECT_EQ(state.view.capability, std::nullopt);
    EXPECT_EQ(state.sm.registers, mostRegistersAsked);
    EXPECT_EQ(state.sm.sharedBytes, mostSharedBytesAsked);
}

TEST(SmView, OpensAndClosesByItsKey) {
    AppState state = smStateOf("matadd-swapped");
    const auto press = [&] { window::apply(state, *commandFor(state, {'O'}, false)); };
    press();
    EXPECT_EQ(state.view.picture, PictureKind::slots);
    press();
    EXPECT_EQ(state.view.picture, PictureKind::threads);
}

}  // namespace
}  // namespace warplens::window
