#pragma once

#include <cstdint>

#include "core/trace/block_reader.h"

/// How far off what a sample of a launch's blocks says of all of them may be. All bounds hold 95
/// times out of 100.
namespace warplens::trace {

/// Of `of` blocks so many were drawn at random: at most this many others do more than any of these.
[[nodiscard]] std::uint64_t mostHeavierBlocks(std::uint64_t drawn, std::uint64_t of);

/// A number of each block that was drawn. Where its mean is 0 nothing tells how far off that is.
class SampledValue final {
  public:
    void add(double value);
    [[nodiscard]] std::uint64_t drawn() const { return drawn_; }
    [[nodiscard]] double mean() const { return mean_; }
    [[nodiscard]] double most() const { return most_; }

    /// Half the width of the interval around `of` times the mean that the spread of the values
    /// gives (Student's t, finite population); 0 of fewer than two.
    [[nodiscard]] double spreadError(std::uint64_t of) const;
    /// What is missing where as many blocks as may be heavier than those drawn are like the
    /// heaviest of these: the spread alone is too small where few blocks do most of the work.
    [[nodiscard]] double tailError(std::uint64_t of) const;

  private:
    std::uint64_t drawn_ = 0;
    double mean_ = 0;
    double squares_ = 0;  ///< of the distances to the mean (Welford)
    double most_ = 0;
};

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
