#include "app/window/prediction_job.h"

#include "kernels/library/predict.h"

namespace warplens::window {

Command predictWith(const Predictor& predictor, const Experiment& experiment,
                    std::stop_token stop) {
    try {
        const std::vector<LimitViolation> violations = validateRun(experiment);
        if (!violations.empty()) return PredictionFailed{{experiment, toString(violations)}};
        return PredictionReady{predictor(experiment, std::move(stop))};
    } catch (const std::exception& error) {
        return PredictionFailed{{experiment, error.what()}};
    }
}

PredictionJob::PredictionJob(Predictor predictor, std::function<void()> finished)
    : NewestJob(
          [predictor = std::move(predictor)](const Experiment& experiment, std::stop_token stop) {
              return predictWith(predictor, experiment, std::move(stop));
          },
          std::move(finished)) {}

}  // namespace warplens::window
