#include "core/scenario/scenario.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/launch/coverage.h"

namespace warplens {
namespace {

constexpr std::array<Scenario, 28> scenarios{{
    {"warp-grouping",
     'A',
     "Threads into warps",
     "x runs fastest, then y, then z: 32 threads in a row of that order are a warp.",
     KernelId::writeWarpRank,
     {32, 32, 1},
     {1, 1, 1},
     ""},
    {"matadd-coalesced",
     'C',
     "Matrix sum, x along the row",
     "Neighbouring lanes read neighbouring values: few sectors serve the whole warp.",
     KernelId::matrixAddCoalesced,
     {16, 16, 1},
     {},
     "matadd-swapped"},
    {"matadd-swapped",
     'C',
     "Matrix sum, x down the column",
     "The same sum with row and column swapped: neighbouring lanes are a whole row apart.",
     KernelId::matrixAddSwapped,
     {16, 16, 1},
     {},
     "matadd-coalesced"},
    {"matmul-coalesced",
     'C',
     "Matrix product, x along the row",
     "A warp shares one value of `left` and reads 32 neighbours of `right`.",
     KernelId::matrixMultiplyCoalesced,
     {32, 32, 1},
     {},
     "matmul-swapped"},
    {"matmul-swapped",
     'C',
     "Matrix product, x down the column",
     "Each lane reads its own row of `left`: 32 sectors for 32 values.",
     KernelId::matrixMultiplySwapped,
     {32, 32, 1},
     {},
     "matmul-coalesced"},
    {"access-stride",
     'C',
     "Strided reads",
     "With a stride of 8 or more every lane needs a sector of its own.",
     KernelId::copyStrided,
     {256, 1, 1},
     {},
     "access-offset"},
    {"access-offset",
     'C',
     "Offset reads",
     "One value off the 32-byte boundary costs one more sector for each warp.",
     KernelId::copyOffset,
     {256, 1, 1},
     {},
     "access-stride"},
    {"branch-odd-even",
     'D',
     "Branch on odd and even threads",
     "Every warp holds both kinds of thread, yet so short a branch never diverges: see why.",
     KernelId::branchOddEven,
     {64, 1, 1},
     {},
     "branch-by-warp"},
    {"branch-by-warp",
     'D',
     "Branch on whole warps",
     "The same two arms, given to whole warps: no warp has to walk both.",
     KernelId::branchByWarp,
     {64, 1, 1},
     {},
     "branch-odd-even"},
    {"branch-long-arms",
     'D',
     "Branch with long arms",
     "Arms too long to predicate: warps that hold both kinds of thread walk both arms.",
     KernelId::branchLongArms,
     {256, 1, 1},
     {},
     "branch-by-warp"},
}};

}  // namespace

std::span<const Scenario> allScenarios() {
    return scenarios;
}

const Scenario* findScenario(std::string_view id) {
    const auto found = std::ranges::find(scenarios, id, &Scenario::id);
    return found == scenarios.end() ? nullptr : &*found;
}

const Scenario& scenarioNamed(std::string_view id) {
    if (const Scenario* scenario = findScenario(id)) return *scenario;
    std::string known;
    for (const Scenario& scenario : scenarios) known += " " + std::string(scenario.id);
    throw InvalidRequest({{"scenario", "'" + std::string(id) + "'", "one of" + known}});
}

Experiment initialExperiment(const Scenario& scenario) {
    Experiment experiment{std::string(scenario.id),
                          {.grid = scenario.grid, .block = scenario.block},
                          initialArguments(kernelOf(scenario.kernel))};
    experiment.launch.grid = coveringGrid(experiment);
    experiment.launch.dynamicSharedBytes = dynamicSharedBytes(experiment);
    return experiment;
}

std::uint32_t dynamicSharedBytes(const Experiment& experiment) {
    const Kernel& kernel = kernelOf(scenarioNamed(experiment.scenario).kernel);
    if (kernel.dynamicSharedBytes == nullptr) return 0;
    return kernel.dynamicSharedBytes(experiment.arguments, experiment.launch);
}

Extents coveringGrid(const Experiment& experiment) {
    const Kernel& kernel = kernelOf(scenarioNamed(experiment.scenario).kernel);
    if (kernel.work == nullptr) return experiment.launch.grid;
    return coveringGrid(kernel.work(experiment.arguments), experiment.launch.block);
}

std::vector<Breach> validate(const Experiment& experiment, const LaunchLimits& limits) {
    const Kernel& kernel = kernelOf(scenarioNamed(experiment.scenario).kernel);
    std::vector<Breach> breaches = validate(experiment.launch, limits);
    std::ranges::move(validate(kernel, experiment.arguments), std::back_inserter(breaches));
    return breaches;
}

std::vector<Breach> validateRun(const Experiment& experiment, const LaunchLimits& limits) {
    std::vector<Breach> breaches = validate(experiment, limits);
    if (!breaches.empty()) return breaches;
    const Kernel& kernel = kernelOf(scenarioNamed(experiment.scenario).kernel);
    return validateRun(kernel, experiment.arguments, experiment.launch);
}

Experiment complete(const ExperimentRequest& request) {
    const Scenario& scenario = scenarioNamed(request.scenario);
    Experiment experiment{request.scenario,
                          {.grid = request.grid.value_or(scenario.grid),
                           .block = request.block.value_or(scenario.block)},
                          initialArguments(kernelOf(scenario.kernel))};
    for (const auto& [name, value] : request.set.entries()) experiment.arguments.set(name, value);
    // An open grid follows from the block and the sizes, so these must hold before it is computed.
    std::vector<Breach> breaches = validate(experiment);
    if (breaches.empty()) experiment.launch.dynamicSharedBytes = dynamicSharedBytes(experiment);
    if (breaches.empty() && !request.grid) {
        experiment.launch.grid = coveringGrid(experiment);
        breaches = validate(experiment);
    }
    if (!breaches.empty()) throw InvalidRequest(std::move(breaches));
    return experiment;
}

}  // namespace warplens
