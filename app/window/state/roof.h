#pragma once

#include <optional>
#include <vector>

#include "app/window/state/sweep.h"
#include "core/roofline/roofline.h"

/// The matrix products, and the shown launch where it is about arithmetic, under the device's roof.
namespace warplens::window {

/// What was predicted for the roof's points so far.
struct RoofState final {
    std::vector<PointPredicted> predicted;
};

/// The experiments of the roof's points.
[[nodiscard]] std::vector<Experiment> roofExperiments(const AppState& state);

/// What is known of them: predicted, and measured in this session or recorded. Cost: microseconds.
[[nodiscard]] Roofline shownRoofline(const AppState& state);

/// The next point to predict, if the tab is open.
[[nodiscard]] std::optional<Experiment> nextRoofPrediction(const AppState& state);

void takeRoofPrediction(RoofState& roof, const PointPredicted& predicted);

}  // namespace warplens::window
