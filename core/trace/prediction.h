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
    bool exact = false;  ///< every block was traced
    std::uint64_t blocksTraced = 0;
    std::uint64_t blocks = 0;  ///< in the grid
    std::string sample;        ///< how blocks were chosen when not exact; else empty
                               ///< (observedSampleError says how near that comes)
    double seconds = 0;
    std::vector<Value> values;  ///< all with Source::predicted
    /// What each line of the body does, by line.
    std::vector<trace::LineTally> lines{};
    friend bool operator==(const Prediction&, const Prediction&) = default;
};

/// How far off the totals of sampled predictions were, at most, in launches that were also traced
/// whole: docs/sample-error.txt, as tests/bench/sample_error.cpp prints it.
struct SampleError final {
    double worstPercent;
    int launches;
};
inline constexpr SampleError observedSampleError{.worstPercent = 2.4, .launches = 105};
/// The same in words.
[[nodiscard]] std::string sampleErrorText();

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
