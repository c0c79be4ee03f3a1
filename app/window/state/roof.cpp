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

/// Of this session first, else recorded.
struct Found final {
    const Measurement* measurement = nullptr;
    bool recorded = false;
};
Found measurementOf(const AppState& state, const Experiment& experiment) {
    for (const Result& result : state.results) {
        if (result.measurement->experiment == experiment) return {result.measurement.get(), false};
    }
    const Recording* const recording = findRecording(state.library->recordings, experiment);
    return recording == nullptr ? Found{} : Found{&recording->measurement, true};
}

}  // namespace

std::vector<Experiment> roofExperiments(const AppState& state) {
    static const std::vector<Experiment> products = rooflineExperiments();
    std::vector<Experiment> experiments = products;
    if (hasRoofPoint(state.shown) && validateRun(state.shown).empty() &&
        std::ranges::find(experiments, state.shown) == experiments.end()) {
        experiments.push_back(state.shown);
    }
    return experiments;
}

Roofline shownRoofline(const AppState& state) {
    Roofline roofline;
    const std::vector<Experiment> experiments = roofExperiments(state);
    // The device that was measured now decides; recordings of another keep out.
    std::vector<Found> found;
    for (const Experiment& experiment : experiments) {
        found.push_back(measurementOf(state, experiment));
    }
    std::ranges::stable_partition(found, [](const Found& one) { return !one.recorded; });
    for (const Found& one : found) {
        if (one.measurement == nullptr || roofline.ceilings) continue;
        roofline.ceilings = ceilingsOf(one.measurement->device);
        roofline.recorded = one.recorded;
    }
    for (const Experiment& experiment : experiments) {
        const Measurement* measured = measurementOf(state, experiment).measurement;
        const bool fits = measured != nullptr && roofline.ceilings &&
                          measured->device.name == roofline.ceilings->device;
        if (!fits) measured = nullptr;
        if (fits) roofline.takenAt = std::max(roofline.takenAt, measured->takenAt);
        const PointPredicted* const predicted = predictionOf(state.roof, experiment);
        const auto* point =
            predicted == nullptr ? nullptr : std::get_if<PredictedPoint>(&predicted->outcome);
        roofline.points.push_back(roofPointOf(experiment,
                                              point == nullptr ? nullptr : &point->values,
                                              point != nullptr && point->exact, measured));
    }
    return roofline;
}

std::optional<Experiment> nextRoofPrediction(const AppState& state) {
    if (state.rightTab != RightTab::roof) return std::nullopt;
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
