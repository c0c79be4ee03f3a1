#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/measurement/measurement.h"
#include "core/trace/line_tally.h"

namespace warplens {

/// What tracing a kernel's body on the host says a launch will do.
struct Prediction final {
    Experiment experiment;
    bool exact = false;  ///< no sample: totals are those of tracing every block
    std::uint64_t blocksTraced = 0;
    std::uint64_t blocks = 0;  ///< in the grid
    /// Kinds of block found, one of each being traced and counted as often as it occurs; 0 where
    /// every block was traced, or a sample.
    std::uint64_t kinds = 0;
    /// How far off a sample's totals may be, by what its blocks differ among themselves: at most
    /// this 95 times out of 100. 0 where exact.
    double errorPercent = 0;
    double seconds = 0;
    std::vector<Value> values;  ///< all with Source::predicted
    /// What each line of the body does, by line.
    std::vector<trace::LineTally> lines{};
    friend bool operator==(const Prediction&, const Prediction&) = default;
};

/// `exact: all 64 blocks traced`; `exact: 4 kinds of block, 31 of 62,500 blocks traced`; `a sample,
/// 512 of 62,500 blocks traced: within 1.3 % 95 times out of 100, where no other block does much
/// more`; or, of such a sample, `these do all the same`.
[[nodiscard]] std::string howPredicted(const Prediction& prediction);

/// What the warps of one block will do, told at once after an edit: of as many of its warps as were
/// traced in the time given.
struct BlockPrediction final {
    Experiment experiment;
    Index3 block;
    std::uint32_t warpsTraced = 0;  ///< at least 1, spread evenly over the block
    std::uint32_t warps = 0;        ///< in the block
    double seconds = 0;
    std::vector<Value> values;              ///< of the warps traced, with Source::predicted
    std::vector<trace::LineTally> lines{};  ///< of them
    friend bool operator==(const BlockPrediction&, const BlockPrediction&) = default;

    [[nodiscard]] bool exact() const { return warpsTraced == warps; }
};

}  // namespace warplens
