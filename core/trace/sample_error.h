#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

/// How far off what a sample of a launch's blocks says of all of them may be. All bounds hold 95
/// times out of 100.
namespace warplens::trace {

/// Of `of` blocks so many were drawn at random: of the others at most this many do more than any of
/// these. Whatever a sample says, it says nothing of them.
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

/// What blocks that were not drawn took to run, in any one unit (seconds, instructions). It tells
/// of heavy ones that the sample has missed. Keeps 8 bytes for each of the `most` heaviest.
class RestWork final {
  public:
    explicit RestWork(std::uint64_t most) : most_(most) {}
    void add(double work);
    /// What is missing where the heaviest do as much more than a usual one as they took longer, and
    /// that is more than the heaviest of those drawn.
    [[nodiscard]] double missedError(const SampledValue& drawn) const;

  private:
    std::uint64_t most_;
    std::uint64_t others_ = 0;
    double ofOthers_ = 0;
    std::priority_queue<double, std::vector<double>, std::greater<>> heaviest_;
};

}  // namespace warplens::trace
