#pragma once

#include "core/trace/block_reader.h"

namespace warplens::trace {

struct SampleTotals final {
    LineTallies lines;
    double errorPercent = 0;  ///< see LaunchTotals
};

/// Blocks that are sampled together: where the axes fall into stretches of blocks that take the
/// same decisions and make as many requests, as guards make them, each stretch.
[[nodiscard]] std::vector<BlockSet> strataOf(const TracedLaunch& launch, BlockReader& reader);

/// Draws blocks of each of these sets until all are drawn, the error is a tenth of a percent, or
/// the time is up, and weighs what they do; without replacement, with a fixed seed. At least two of
/// each set are traced. `known` is what other blocks do, for certain.
[[nodiscard]] SampleTotals sampleBlocks(std::span<const BlockSet> sets, const LineTallies& known,
                                        BlockReader& reader,
                                        std::chrono::steady_clock::time_point end);

}  // namespace warplens::trace
