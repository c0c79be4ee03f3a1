#include "core/scenario/scenario.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/launch/coverage.h"

namespace warplens {
namespace {

constexpr std::array<Scenario, 29> scenarios{{
    {"warp-grouping",
     'A',
     "Threads into warps",
     "x runs fastest, then y, then z: 32 threads in a row of that order are a warp.",
     KernelId::writeWarpRank,
     {32, 32, 1},
     {1, 1, 1},
     ""},
    {"picture-76x62",
     'B',
     "A picture under 16 x 16 blocks",
     "The grid reaches over the edges: some threads, even whole warps, have no pixel.",
     KernelId::scalePicture,
     {16, 16, 1},
     {},
     ""},
    {"row-major",
     'B',
     "Rows of an array stored by rows",
     "Neighbouring threads read neighbouring values.",
     KernelId::walkRowMajor,
     {32, 8, 1},
     {},
     "column-major"},
    {"column-major",
     'B',
     "Rows of an array stored by columns",
     "Neighbouring threads read values a whole column apart.",
     KernelId::walkColumnMajor,
     {32, 8, 1},
     {},
     "row-major"},
    {"elementwise-1d",
     'B',
     "One thread for each value of a vector",
     "One axis is enough: x alone numbers the values.",
     KernelId::elementwise1D,
     {256, 1, 1},
     {},
     "elementwise-2d"},
    {"elementwise-2d",
     'B',
     "One thread for each value of a plane",
     "Rows of the block lie on rows of the plane.",
     KernelId::elementwise2D,
     {32, 8, 1},
     {},
     "elementwise-3d"},
    {"elementwise-3d",
     'B',
     "One thread for each value of a box",
     "A narrow block breaks its warps over many rows of the box.",
     KernelId::elementwise3D,
     {8, 8, 4},
     {},
     "elementwise-1d"},
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
     "A warp shares one value of the left matrix and reads 32 neighbours of the right one.",
     KernelId::matrixMultiplyCoalesced,
     {32, 32, 1},
     {},
     "matmul-swapped"},
    {"matmul-swapped",
     'C',
     "Matrix product, x down the column",
     "Each lane reads its own row of the left matrix: 32 sectors for 32 values.",
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
    {"access-float4",
     'C',
     "Four values at once",
     "Sixteen bytes a lane: sixteen sectors a request, and every byte of them used.",
     KernelId::copyVector,
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
    {"branch-predicate",
     'D',
     "Two questions instead of if and else",
     "Odd and even asked one after the other: the compiler predicates both.",
     KernelId::branchPredicate,
     {64, 1, 1},
     {},
     "branch-odd-even"},
    {"warmup",
     'D',
     "What a first launch is spent on",
     "The whole-warp branch again, so that the runs after it find everything loaded.",
     KernelId::branchWarmUp,
     {64, 1, 1},
     {},
     "branch-by-warp"},
    {"branch-long-arms",
     'D',
     "Branch with long arms",
     "Arms too long to predicate: warps that hold both kinds of thread walk both arms.",
     KernelId::branchLongArms,
     {256, 1, 1},
     {},
     "branch-by-warp"},
    {"branch-loop-trips",
     'D',
     "Loops of different length",
     "A warp goes round as often as its busiest lane.",
     KernelId::branchLoopTrips,
     {256, 1, 1},
     {},
     "branch-long-arms"},
    {"reduce-interleaved",
     'D',
     "Sum with partners ever further apart",
     "The threads that work are scattered over all warps.",
     KernelId::reduceInterleaved,
     {512, 1, 1},
     {},
     "reduce-sequential"},
    {"reduce-sequential",
     'D',
     "Sum with the working threads side by side",
     "Whole warps fall idle instead of parts of each.",
     KernelId::reduceSequential,
     {512, 1, 1},
     {},
     "reduce-interleaved"},
    {"matmul-global",
     'E',
     "Matrix product from global memory",
     "Every value is read from global memory once for each element it serves.",
     KernelId::matrixMultiplyGlobal,
     {16, 16, 1},
     {},
     "matmul-tiled"},
    {"matmul-tiled",
     'E',
     "Matrix product by tiles",
     "Each value read from global memory serves a whole tile.",
     KernelId::matrixMultiplyTiled,
     {16, 16, 1},
     {},
     "matmul-global"},
    {"shared-dynamic",
     'E',
     "Tiles in dynamic shared memory",
     "The third launch parameter sizes the tiles.",
     KernelId::matrixMultiplyTiledDynamic,
     {16, 16, 1},
     {},
     "matmul-tiled"},
    {"shared-banks",
     'E',
     "Transposing through shared memory",
     "Reading the tile by columns puts all 32 lanes on one bank.",
     KernelId::transposeTile,
     {32, 32, 1},
     {},
     "shared-banks-padded"},
    {"shared-banks-padded",
     'E',
     "Transposing with one column of padding",
     "Neighbouring rows begin on different banks: no lane waits for another.",
     KernelId::transposeTilePadded,
     {32, 32, 1},
     {},
     "shared-banks"},
    {"local-array",
     'E',
     "An array indexed at run time",
     "What the compiler cannot index stays in local memory.",
     KernelId::arrayInLocalMemory,
     {256, 1, 1},
     {},
     "register-array"},
    {"register-array",
     'E',
     "The same array in registers",
     "With every index known the array needs no memory at all.",
     KernelId::arrayInRegisters,
     {256, 1, 1},
     {},
     "local-array"},
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
