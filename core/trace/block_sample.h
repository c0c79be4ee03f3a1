#pragma once

#include "core/trace/block_reader.h"

namespace warplens::trace {

struct SampleTotals final {
    LineTallies lines;
    double errorPercent = 0;  ///< see LaunchTotals
};

/// Draws blocks until all of the grid are drawn or the time is up, and weighs what they do. Where
/// the axes fall into stretches of blocks that take the same decisions and make as many requests,
/// as guards make them, each is sampled by itself; without replacement, with a fixed seed. At least
/// two blocks of each stretch are traced.
[[nodiscard]] SampleTotals sampleBlocks(const TracedLaunch& launch, BlockReader& reader,
                                        std::chrono::steady_clock::time_point end);

}  // namespace warplens::trace
