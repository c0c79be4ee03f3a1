// The machine (kernels/ptx) beside the probe, which counts on the device what the same PTX asks
// for: launches of every built-in kernel, value by value.
#include <cstdlib>
#include <iostream>
#include <random>

#include "core/measurement/measurement.h"
#include "core/text/format.h"
#include "kernels/library/predict.h"
#include "tests/gpu/gpu_fixture.h"
#include "tests/gpu/probe/probed_scenario.h"
#include "tests/support/random_experiment.h"

namespace warplens {
namespace {

using ProbeTest = GpuTest;

std::uint64_t probeSeed() {
    if (const char* given = std::getenv("WARPLENS_SEED")) return std::strtoull(given, nullptr, 10);
    return std::random_device{}();
}

TEST_F(ProbeTest, CountsOnTheDeviceWhatTheMachineCounts) {
    constexpr int launchesPerScenario = 12;
    const std::uint64_t seed = probeSeed();
    std::mt19937_64 random(seed);
    PredictOptions whole;
    whole.everyBlock = true;
    int launches = 0;
    int values = 0;
    int differ = 0;
    for (const Scenario& scenario : allScenarios()) {
        for (int i = 0; i < launchesPerScenario; ++i) {
            const Experiment e = randomExperiment(scenario, random);
            const ScenarioLaunch launch(e, device_);
            const ProbedScenario probed = probeScenario(launch);
            if (probed.splitsWarps) continue;
            ++launches;
            const std::vector<Value> counted =
                predictCompiled(e, whole, launch.loaded().compiled().ptx).values;
            for (const Value& value : probed.values(launch.kernel())) {
                const Value* const here = findValue(counted, value.metric, Source::compiled,
                                                    value.variant, value.subject);
                ++values;
                differ += here == nullptr || here->content != value.content;
                EXPECT_TRUE(here != nullptr && here->content == value.content)
                    << e.scenario << ' ' << toLaunchSyntax(e.launch) << ' ' << sizesOf(e) << ' '
                    << value.subject << ' ' << metricInfo(value.metric).id << ": probe "
                    << formatValue(value) << ", machine "
                    << (here == nullptr ? "nothing" : formatValue(*here));
            }
        }
    }
    std::cout << "seed " << seed << ": " << launches << " launches, " << values
              << " values of probe and machine, " << differ << " differ\n";
    EXPECT_GT(launches, 100);
}

}  // namespace
}  // namespace warplens
