#pragma once

#include <functional>
#include <stop_token>

#include "app/window/newest_job.h"

namespace warplens::window {

/// Predicts one experiment; throws as `warplens::predict` does.
using Predictor = std::function<Prediction(const Experiment&, std::stop_token)>;

/// Keeps a prediction of the newest experiment under way: PredictionReady or PredictionFailed. A
/// new experiment stops the one before it.
class PredictionJob final : public NewestJob<Experiment> {
  public:
    PredictionJob(Predictor predictor, std::function<void()> finished);
};

/// One block of one launch.
struct BlockPlace final {
    Experiment experiment;
    Index3 block;
    friend bool operator==(const BlockPlace&, const BlockPlace&) = default;
};

/// Predicts the block on the calling thread, within a frame's time: BlockPredicted.
[[nodiscard]] Command predictBlockNow(const BlockPlace& place, std::stop_token stop);

/// Predicts on the calling thread: PredictionReady, or PredictionFailed with the reason.
[[nodiscard]] Command predictWith(const Predictor& predictor, const Experiment& experiment,
                                  std::stop_token stop);

/// The kernels' own predictor.
[[nodiscard]] Predictor kernelPredictor();
[[nodiscard]] Command predictNow(const Experiment& experiment);

}  // namespace warplens::window
