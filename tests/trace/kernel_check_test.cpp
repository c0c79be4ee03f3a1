// Built-in kernels against their headers and against what a person's own program is told of.
#include <gtest/gtest.h>
#include <set>

#include "kernels/course/course_ptx.h"
#include "kernels/library/predict.h"
#include "tests/programs/own_cache.h"

namespace warplens {
namespace {

/// The first scenario of each kernel: others of it begin with other sizes alone.
std::vector<std::string> oneOfEachKernel() {
    std::vector<std::string> ids;
    for (const Kernel& kernel : allKernels()) ids.push_back(kernel.scenarios.front().id);
    return ids;
}

class EveryKernel : public testing::TestWithParam<std::string> {};

TEST_P(EveryKernel, StoresTheElementThatItsHeaderSays) {
    const auto wrong = course::wrongElement(initialExperiment(scenarioNamed(GetParam())));
    EXPECT_FALSE(wrong) << wrong->line << ": " << wrong->words;
}

TEST_P(EveryKernel, MovesWhatItsHeaderSays) {
    const Experiment experiment = initialExperiment(scenarioNamed(GetParam()));
    const auto wrong = course::wrongMoves(experiment, predict(experiment));
    EXPECT_FALSE(wrong) << wrong->line << ": " << wrong->words;
}

TEST_P(EveryKernel, HasNoRaceAndReadsNothingThatNobodyWrote) {
    useOwnCache();
    for (const Finding& finding :
         course::findingsIn(initialExperiment(scenarioNamed(GetParam())))) {
        ADD_FAILURE() << finding.place.line << ": " << finding.words;
    }
}

INSTANTIATE_TEST_SUITE_P(Of, EveryKernel, testing::ValuesIn(oneOfEachKernel()),
                         [](const auto& tested) {
                             std::string name = tested.param;
                             std::erase(name, '-');
                             return name;
                         });

TEST(ScenarioPlaces, AreEachThoseOfOneScenario) {
    std::set<std::pair<char, std::uint32_t>> places;
    for (const Scenario& scenario : allScenarios()) {
        EXPECT_TRUE(places.emplace(scenario.group, scenario.order).second) << scenario.id;
    }
}

}  // namespace
}  // namespace warplens
