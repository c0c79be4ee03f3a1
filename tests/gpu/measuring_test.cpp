#include "kernels/measure/measuring.h"

#include <cmath>

#include "kernels/measure/scenario_launch.h"
#include "tests/gpu/gpu_fixture.h"

namespace warplens {
namespace {

using MeasuringTest = GpuTest;

const auto ignore = [](const Progress&) {};

TEST_F(MeasuringTest, everyScenarioGivesEveryTimedValueAndAPassingCheck) {
    for (const Scenario& scenario : allScenarios()) {
        Experiment e = initialExperiment(scenario);
        if (e.arguments.contains("inner")) e = complete({e.scenario, {}, {}, {{"inner", 400}}});
        const Measurement m = measuring().measure({.experiment = e}, ignore, {});
        EXPECT_GT(m.timing.medianSeconds, 0) << scenario.id;
        EXPECT_GE(m.timing.runs, 3) << scenario.id;
        EXPECT_LE(m.timing.minimumSeconds, m.timing.medianSeconds);
        EXPECT_LE(m.check.largestError, m.check.tolerance) << scenario.id;
        EXPECT_GT(m.check.checked, 0u);
        for (const Value& value : m.values) {
            if (value.number() != nullptr) {
                EXPECT_TRUE(std::isfinite(*value.number()));
            }
        }
        const Value* coalescing =
            findValue(m.values, Metric::coalescingEfficiency, Source::compiled);
        ASSERT_NE(coalescing, nullptr);
        EXPECT_LE(*coalescing->number(), 100);
    }
}

TEST_F(MeasuringTest, aWrongResultIsNamed) {
    const Experiment e = complete({"matadd-coalesced", {}, {}, {{"n", 512}}});
    const ScenarioLaunch launch(e, device_);
    launch.run();
    EXPECT_NO_THROW((void)checkResult(launch));
    const float wrong = 7;
    launch.arrays()[launch.outputArray()].write(&wrong, 1, 512 * 512 - 1);
    try {
        (void)checkResult(launch);
        FAIL() << "not noticed";
    } catch (const WrongResult& error) {
        EXPECT_NE(std::string(error.what()).find("c[262143] is 7"), std::string::npos)
            << error.what();
    }
}

TEST_F(MeasuringTest, elementsThatNoThreadReachesStayUntouched) {
    const Experiment e = complete({"matadd-swapped", Extents{1, 2}, Extents{16, 16}, {{"n", 64}}});
    const ScenarioLaunch launch(e, device_);
    launch.run();
    EXPECT_EQ(checkResult(launch).checked, 64u * 64u);
}

TEST_F(MeasuringTest, aRequestedStopEndsTheMeasurement) {
    std::stop_source stop;
    const Experiment e = complete({"matadd-coalesced", {}, {}, {{"n", 512}}});
    const auto stopWhenTiming = [&](const Progress& progress) {
        if (progress.stage == "timing") stop.request_stop();
    };
    EXPECT_THROW((void)measuring().measure({.experiment = e}, stopWhenTiming, stop.get_token()),
                 Cancelled);
    EXPECT_NO_THROW((void)measuring().measure({.experiment = e, .counters = false}, ignore, {}));
}

TEST_F(MeasuringTest, largestMatrixSumFitsOrIsRefusedButNeverFaults) {
    const Experiment e = complete({"matadd-coalesced", {}, {}, {{"n", 46340}}});
    try {
        (void)measuring().measure({.experiment = e, .counters = false}, ignore, {});
    } catch (const InvalidRequest& error) {
        EXPECT_NE(std::string(error.what()).find("free on"), std::string::npos);
    }
}

}  // namespace
}  // namespace warplens
