#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <stop_token>

#include "core/trace/prediction.h"

/// The host side of the kernel bodies: needs no GPU and no CUDA.
namespace warplens {

struct PredictOptions final {
    /// Lane accesses up to which the whole grid is traced; above it a sample of blocks stands in.
    std::uint64_t exactUpTo = 400'000'000;
    unsigned threads = 0;  ///< 0: one for each core
    std::stop_token stop;  ///< a requested stop ends the prediction with PredictionStopped
    std::function<void(double)> progress;  ///< fraction done, called from one thread at a time
};

class PredictionStopped final : public std::runtime_error {
  public:
    PredictionStopped() : std::runtime_error("prediction cancelled") {}
};

/// The body did what no kernel may: read or wrote outside an array. Says kernel, array, index,
/// block and thread.
class TraceFault final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Traces the experiment, which must pass `validateRun`. Cost: about 10 ns for each lane access.
/// Throws PredictionStopped or TraceFault.
[[nodiscard]] Prediction predict(const Experiment& experiment, const PredictOptions& options = {});

struct BlockOptions final {
    /// A warp that would not be done by then, taking as long as the slowest before it, is not
    /// begun; one is always traced. Leaves room for the frame within 16 ms.
    std::chrono::steady_clock::duration time = std::chrono::milliseconds(12);
    unsigned threads = 0;  ///< 0: one for each core
    std::stop_token stop;  ///< a requested stop ends the prediction with PredictionStopped
};

/// Traces the warps of one block: the first, the last, then those between, until all are done or
/// the time is up. Throws PredictionStopped or TraceFault.
[[nodiscard]] BlockPrediction predictBlock(const Experiment& experiment, Index3 block,
                                           const BlockOptions& options = {});

}  // namespace warplens
