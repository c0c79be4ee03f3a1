#pragma once

#include <random>

#include "core/scenario/scenario.h"

namespace warplens {

/// A launch of the scenario that can be run and traced whole in well under a second: odd sizes,
/// partial warps, 3D blocks, guards that straddle, misaligned rows and bases, and now and then a
/// grid that misses elements or has blocks to spare.
[[nodiscard]] Experiment randomExperiment(const Scenario& scenario, std::mt19937_64& random);

/// As `randomExperiment`, of any size up to that many steps of all lanes together, small and large
/// alike often: more blocks, longer loops, rows that are aligned to nothing, and grids many times
/// larger than the problem or smaller.
[[nodiscard]] Experiment randomWideExperiment(const Scenario& scenario, std::mt19937_64& random,
                                              std::uint64_t mostSteps);

}  // namespace warplens
