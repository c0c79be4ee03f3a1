#include "app/drawing/roof_points.h"

#include <algorithm>

#include "kernels/library/predict.h"

namespace warplens::drawing {
namespace {

const Measurement* measurementOf(const Experiment& experiment, const std::string& device,
                                 std::span<const Measurement* const> measured) {
    const auto found = std::ranges::find_if(measured, [&](const Measurement* one) {
        return one->experiment == experiment && one->device.name == device;
    });
    return found == measured.end() ? nullptr : *found;
}

}  // namespace

Roofline rooflineOf(const std::vector<Experiment>& experiments,
                    std::span<const Measurement* const> measured, std::stop_token stop) {
    Roofline roofline;
    // Those of the first that was measured, as in the window.
    for (const Experiment& experiment : experiments) {
        for (const Measurement* one : measured) {
            if (roofline.ceilings || one->experiment != experiment) continue;
            roofline.ceilings = ceilingsOf(one->device);
        }
    }
    const std::string device = roofline.ceilings ? roofline.ceilings->device : "";
    for (const Experiment& experiment : experiments) {
        if (!hasRoofPoint(experiment) || !validateRun(experiment).empty()) continue;
        const Measurement* const found = measurementOf(experiment, device, measured);
        if (found != nullptr) roofline.takenAt = std::max(roofline.takenAt, found->takenAt);
        try {
            PredictOptions options;
            options.stop = stop;
            const Prediction prediction = predict(experiment, options);
            roofline.points.push_back(
                roofPointOf(experiment, &prediction.values, prediction.exact, found));
        } catch (const TraceFault&) {
            roofline.points.push_back(roofPointOf(experiment, nullptr, false, found));
        }
    }
    return roofline;
}

}  // namespace warplens::drawing
