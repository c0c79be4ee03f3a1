#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "app/window/state/command.h"

namespace warplens::window {

/// Predicts one experiment; throws as `warplens::predict` does.
using Predictor = std::function<Prediction(const Experiment&, std::stop_token)>;

/// Keeps a prediction of the newest experiment under way on a thread of its own. A new experiment
/// stops the one before it.
class PredictionJob final {
  public:
    /// `finished` is called on the job's thread when a command waits to be taken.
    PredictionJob(Predictor predictor, std::function<void()> finished);
    PredictionJob(const PredictionJob&) = delete;
    PredictionJob& operator=(const PredictionJob&) = delete;
    ~PredictionJob();

    /// Starts over for `experiment`, unless it is the one under way or done.
    void want(const Experiment& experiment);
    /// PredictionReady or PredictionFailed of the newest experiment, once.
    [[nodiscard]] std::optional<Command> take();
    [[nodiscard]] bool busy() const;

  private:
    struct Shared;
    Predictor predictor_;
    std::function<void()> finished_;
    std::optional<Experiment> wanted_;
    std::shared_ptr<Shared> shared_;
    std::jthread thread_;
};

/// Predicts on the calling thread: PredictionReady, or PredictionFailed with the reason.
[[nodiscard]] Command predictWith(const Predictor& predictor, const Experiment& experiment,
                                  std::stop_token stop);

/// The kernels' own predictor, exact up to that many lane accesses.
[[nodiscard]] Predictor kernelPredictor(std::uint64_t exactUpTo);
[[nodiscard]] Command predictNow(const Experiment& experiment, std::uint64_t exactUpTo);

}  // namespace warplens::window
