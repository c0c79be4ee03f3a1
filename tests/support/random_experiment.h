#pragma once

#include <array>
#include <random>

#include "core/scenario/scenario.h"

namespace warplens {

/// Blocks of every kind: within a warp, of partial warps, in three dimensions, the largest.
inline constexpr std::array<Extents, 14> blockShapes{{{1, 1, 1},
                                                      {31, 1, 1},
                                                      {32, 1, 1},
                                                      {33, 1, 1},
                                                      {7, 5, 1},
                                                      {4, 2, 8},
                                                      {1, 1, 64},
                                                      {5, 7, 3},
                                                      {32, 32, 1},
                                                      {1024, 1, 1},
                                                      {16, 16, 1},
                                                      {8, 32, 1},
                                                      {32, 8, 1},
                                                      {2, 2, 2}}};

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
