#pragma once

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

}  // namespace warplens
