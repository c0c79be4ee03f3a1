#include <gtest/gtest.h>
#include <vector>

#include "core/launch/mapping.h"
#include "core/scenario/scenario.h"
#include "tests/static/mapping_laws.h"

namespace warplens {
namespace {

/// Small sizes, no two alike, so that a mixed-up row and column show.
Arguments smallArguments(const Kernel& kernel) {
    Arguments arguments = initialArguments(kernel);
    for (const auto& [name, value] :
         {std::pair("n", 37), std::pair("rows", 17), std::pair("inner", 3), std::pair("cols", 29),
          std::pair("width", 41), std::pair("height", 23), std::pair("depth", 7)}) {
        if (arguments.contains(name)) arguments.set(name, value);
    }
    return arguments;
}

/// A kernel that numbers its threads along x alone, without a problem to cover.
bool isAlongX(const Kernel& kernel) {
    return kernel.name == "sumInRounds";
}

Extents gridFor(const Kernel& kernel, const Experiment& experiment) {
    if (!kernel.work.empty()) return coveringGrid(experiment);
    return isAlongX(kernel) ? Extents{3} : Extents{3, 2, 2};
}

bool repeatsLayers(const Kernel& kernel, const Experiment& experiment) {
    const Extents block = experiment.launch.block;
    if (isAlongX(kernel)) return block.y > 1 || block.z > 1;
    if (kernel.work.empty()) return false;
    return block.z > 1 || (block.y > 1 && kernel.work(experiment.arguments).y == 1);
}

class EveryScenario : public testing::TestWithParam<std::string> {};

TEST_P(EveryScenario, GivesEachOutputElementToOneThread) {
    const Scenario& scenario = scenarioNamed(GetParam());
    const Kernel& kernel = kernelOf(scenario.kernel);
    if (kernel.writtenBy.empty()) return;  // several threads write one element
    Experiment experiment = initialExperiment(scenario);
    experiment.arguments = smallArguments(kernel);
    for (const Extents block : laws::blocks) {
        experiment.launch.block = block;
        experiment.launch.grid = gridFor(kernel, experiment);
        // Layers beyond the axes of the problem repeat its elements.
        if (repeatsLayers(kernel, experiment)) continue;
        // Kernels that take only blocks of their tile's size.
        if (!validateRun(experiment).empty()) continue;
        const KernelArray& output = kernel.arrays.back();
        ASSERT_EQ(output.role, ArrayRole::output);
        std::vector<int> writers(output.length(experiment.arguments, experiment.launch));
        for (std::uint64_t at = 0; at < experiment.launch.grid.count(); ++at) {
            for (ThreadRank rank; rank.value < block.count(); ++rank.value) {
                const Index3 blockIndex = blockIndexInGrid(at, experiment.launch.grid);
                const Index3 thread = threadIndexInBlock(rank, block);
                const auto element =
                    kernel.element(experiment.arguments, experiment.launch, blockIndex, thread);
                if (!element) continue;
                ++writers.at(*element);
                ASSERT_EQ(kernel.threadOf(experiment.arguments, experiment.launch, *element),
                          (GridPosition{blockIndex.x * std::uint64_t{block.x} + thread.x,
                                        blockIndex.y * std::uint64_t{block.y} + thread.y,
                                        blockIndex.z * std::uint64_t{block.z} + thread.z}));
            }
        }
        EXPECT_EQ(writers, std::vector<int>(writers.size(), 1)) << toString(block);
    }
}

TEST_P(EveryScenario, StartsFromALaunchThatCanBeRun) {
    const Experiment experiment = initialExperiment(scenarioNamed(GetParam()));
    EXPECT_EQ(toString(validateRun(experiment)), "");
}

std::vector<std::string> scenarioIds() {
    std::vector<std::string> ids;
    for (const Scenario& scenario : allScenarios()) ids.emplace_back(scenario.id);
    return ids;
}

INSTANTIATE_TEST_SUITE_P(KernelElement, EveryScenario, testing::ValuesIn(scenarioIds()),
                         [](const auto& scenario) {
                             std::string name = scenario.param;
                             std::erase(name, '-');
                             return name;
                         });

TEST(MatrixAddElement, RunsAlongTheRowOrDownTheColumn) {
    const Kernel& along = kernelNamed("matrixAddCoalesced");
    const Kernel& down = kernelNamed("matrixAddSwapped");
    const Launch launch{.grid = {2, 2}, .block = {16, 16}};
    EXPECT_EQ(along.element({{"n", 32}}, launch, {1, 0, 0}, {3, 5, 0}), 5u * 32 + 19);
    EXPECT_EQ(down.element({{"n", 32}}, launch, {1, 0, 0}, {3, 5, 0}), 19u * 32 + 5);
}

}  // namespace
}  // namespace warplens
