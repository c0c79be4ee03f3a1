#include "app/window/state/roof.h"

#include <algorithm>

#include "app/window/state/app_state.h"

namespace warplens::window {
namespace {

constexpr std::size_t predictionsKept = 64;

const PointPredicted* predictionOf(const RoofState& roof, const Experiment& experiment) {
    const auto found = std::ranges::find(roof.predicted, experiment, &PointPredicted::experiment);
    return found == roof.predicted.end() ? nullptr : &*found;
}

}  // namespace

std::vector<Experiment> roofExperiments(const AppState& state) {
    static const std::vector<Experiment> products = rooflineExperiments();
    std::vector<Experiment> experiments = products;
    if (hasRoofPoint(state.view.experiment) && validateRun(state.view.experiment).empty() &&
        std::ranges::find(experiments, state.view.experiment) == experiments.end()) {
        experiments.push_back(state.view.experiment);
    }
    return experiments;
}

Roofline shownRoofline(const AppState& state) {
    Roofline roofline;
    const std::vector<Experiment> experiments = roofExperiments(state);
    std::vector<std::optional<Result>> results;
    for (const Experiment& experiment : experiments) {
        results.push_back(resultOf(state, experiment));
    }
    // The device that was measured now decides; recordings of another keep out.
    for (const bool recorded : {false, true}) {
        for (const std::optional<Result>& result : results) {
            if (!result || result->recorded != recorded || roofline.ceilings) continue;
            roofline.ceilings = ceilingsOf(result->measurement->device);
            roofline.recorded = recorded;
        }
    }
    for (std::size_t i = 0; i < experiments.size(); ++i) {
        const Measurement* const found = results[i] ? results[i]->measurement.get() : nullptr;
        const bool fits = found != nullptr && roofline.ceilings &&
                          found->device.name == roofline.ceilings->device;
        if (fits) roofline.takenAt = std::max(roofline.takenAt, found->takenAt);
        const PointPredicted* const predicted = predictionOf(state.roof, experiments[i]);
        const auto* point =
            predicted == nullptr ? nullptr : std::get_if<PredictedPoint>(&predicted->outcome);
        roofline.points.push_back(
            roofPointOf(experiments[i], point == nullptr ? nullptr : &point->values,
                        point != nullptr && point->exact, fits ? found : nullptr));
    }
    return roofline;
}

std::optional<Experiment> nextRoofPrediction(const AppState& state) {
    if (state.view.tab != RightTab::roof) return std::nullopt;
    for (Experiment& experiment : roofExperiments(state)) {
        if (predictionOf(state.roof, experiment) == nullptr) return std::move(experiment);
    }
    return std::nullopt;
}

void takeRoofPrediction(RoofState& roof, const PointPredicted& predicted) {
    if (findScenario(predicted.experiment.scenario) == nullptr) return;
    if (!hasRoofPoint(predicted.experiment)) return;
    if (predictionOf(roof, predicted.experiment) != nullptr) return;
    // The products come first and stay.
    if (roof.predicted.size() >= predictionsKept) roof.predicted.pop_back();
    roof.predicted.push_back(predicted);
}

}  // namespace warplens::window
