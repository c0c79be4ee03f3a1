// What the header of every kernel says, against what the catalogue of kernels says.

#include <gtest/gtest.h>

#include "core/launch/mapping.h"
#include "kernels/library/library_kernel.h"
#include "tests/support/random_experiment.h"

namespace warplens {
namespace {

using library::libraryKernelOf;

std::uint64_t seedOf(const Scenario& scenario) {
    return 20261122 + static_cast<std::uint64_t>(&scenario - allScenarios().data());
}

class Library : public testing::TestWithParam<std::string> {};

std::string launchText(const Experiment& e) {
    return e.scenario + ' ' + toLaunchSyntax(e.launch) + ' ' + sizesOf(e);
}

TEST_P(Library, saysOfItsKernelWhatTheCatalogueSays) {
    const Scenario& scenario = scenarioNamed(GetParam());
    const Kernel& kernel = kernelOf(scenario.kernel);
    const KernelFile& file = libraryKernelOf(scenario.id).file;
    EXPECT_EQ(file.kernel, kernel.name);
    ASSERT_EQ(file.arrays.size(), kernel.arrays.size());
    ASSERT_EQ(file.shared.size(), kernel.shared.size());
    ASSERT_EQ(file.branches.size(), kernel.branches.size());
    EXPECT_EQ(file.usesBarriers, kernel.usesBarriers);
    std::mt19937_64 random(seedOf(scenario));
    for (int i = 0; i < 40; ++i) {
        const Experiment e =
            i == 0 ? initialExperiment(scenario) : randomExperiment(scenario, random);
        SCOPED_TRACE(launchText(e));
        FormulaPlace place{.launch = e.launch};
        for (std::size_t a = 0; a < kernel.arrays.size(); ++a) {
            EXPECT_EQ(file.arrays[a].length(e.arguments, place),
                      kernel.arrays[a].length(e.arguments, e.launch));
            EXPECT_EQ(file.arrays[a].type, kernel.arrays[a].type);
            EXPECT_EQ(file.arrays[a].role, kernel.arrays[a].role);
        }
        EXPECT_EQ(file.moves(e.arguments, place), kernel.algorithmBytes(e.arguments, e.launch));
        for (int k = 0; k < 20; ++k) {
            place.block = blockIndexInGrid(random() % e.launch.grid.count(), e.launch.grid);
            place.thread = threadIndexInBlock(
                {static_cast<std::uint32_t>(random() % e.launch.block.count())}, e.launch.block);
            const auto expected = kernel.element(e.arguments, e.launch, place.block, place.thread);
            const bool writes = file.elementIf.empty() || file.elementIf(e.arguments, place) != 0;
            ASSERT_EQ(writes, expected.has_value());
            if (!writes) continue;
            ASSERT_EQ(file.element(e.arguments, place), *expected);
            place.element = *expected;
            const GridPosition at = kernel.threadOf(e.arguments, e.launch, *expected);
            const auto along = [&](std::size_t axis) {
                return axis < file.writtenBy.size() ? file.writtenBy[axis](e.arguments, place) : 0;
            };
            ASSERT_EQ((GridPosition{along(0), along(1), along(2)}), at);
        }
    }
}

std::vector<std::string> everyScenario() {
    std::vector<std::string> ids;
    for (const Scenario& scenario : allScenarios()) ids.emplace_back(scenario.id);
    return ids;
}

INSTANTIATE_TEST_SUITE_P(Scenario, Library, testing::ValuesIn(everyScenario()),
                         [](const auto& tested) {
                             std::string name = tested.param;
                             std::erase(name, '-');
                             return name;
                         });

}  // namespace
}  // namespace warplens
