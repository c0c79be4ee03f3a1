#include "app/window/prediction_job.h"
#include "kernels/library/predict.h"

namespace warplens::window {

Predictor kernelPredictor() {
    return [](const Experiment& experiment, std::stop_token stop) {
        PredictOptions options;
        options.stop = std::move(stop);
        return predict(experiment, options);
    };
}

Command predictBlockNow(const BlockPlace& place, std::stop_token stop) {
    if (!validateRun(place.experiment).empty()) return BlockPredicted{};
    BlockOptions options;
    options.stop = std::move(stop);
    try {
        return BlockPredicted{predictBlock(place.experiment, place.block, options)};
    } catch (const std::exception&) {
        return BlockPredicted{};
    }
}

Command predictNow(const Experiment& experiment) {
    return predictWith(kernelPredictor(), experiment, {});
}

}  // namespace warplens::window
