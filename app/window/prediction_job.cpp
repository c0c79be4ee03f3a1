#include "app/window/prediction_job.h"

#include "kernels/library/predict.h"

namespace warplens::window {

Command predictNow(const Experiment& experiment, std::stop_token stop) {
    try {
        const std::vector<LimitViolation> violations = validateRun(experiment);
        if (!violations.empty()) return PredictionFailed{{experiment, toString(violations)}};
        PredictOptions options;
        options.stop = std::move(stop);
        return PredictionReady{predict(experiment, options)};
    } catch (const std::exception& error) {
        return PredictionFailed{{experiment, error.what()}};
    }
}

Command predictCompiledNow(const Experiment& experiment, std::stop_token stop) {
    if (!validateRun(experiment).empty()) return CompiledPredicted{};
    PredictOptions options;
    options.stop = std::move(stop);
    try {
        return CompiledPredicted{predictCompiled(experiment, options)};
    } catch (const std::exception&) {
        return CompiledPredicted{};
    }
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

Command predictPointNow(const Experiment& experiment, std::stop_token stop) {
    try {
        PredictOptions options;
        options.stop = std::move(stop);
        return PointPredicted{experiment, toPoint(predict(experiment, options))};
    } catch (const std::exception& error) {
        return PointPredicted{experiment, NotPredicted{error.what()}};
    }
}

Command traceWarpNow(const WarpPlace& place, std::stop_token) {
    return WarpTraced{std::make_shared<const WarpTrace>(traceWarp(place))};
}

}  // namespace warplens::window
