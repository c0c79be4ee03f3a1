#pragma once

#include <chrono>
#include <stdexcept>
#include <stop_token>
#include <string_view>

#include "core/trace/launch_totals.h"
#include "core/trace/prediction.h"

/// Built-in kernels, traced from their plain .cu files within this process.
namespace warplens {

using PredictOptions = trace::TotalsOptions;
using PredictionStopped = trace::TraceStopped;

/// The kernel did what none may, or more than can be traced: it accessed what is outside its
/// arrays, or let some threads wait at a barrier that others do not reach. Says where.
class TraceFault final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Predicts the experiment, which must pass `validateRun`: all of it, exactly, from one block of
/// each kind where the launch is large (core/trace/launch_totals.h). Cost: at most some seconds.
/// Throws PredictionStopped or TraceFault.
[[nodiscard]] Prediction predict(const Experiment& experiment, const PredictOptions& options = {});

/// The same of compiled code: what `ptx`, made of the kernel's text, asks for, with values of
/// Source::compiled. A branch that it does not have is a value with that reason. `ptx` stays where
/// it is as long as this process lives.
[[nodiscard]] Prediction countCompiled(const Experiment& experiment, std::string_view ptx,
                                       const PredictOptions& options = {});

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
