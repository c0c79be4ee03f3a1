#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/recordings/library.h"
#include "core/roofline/roofline.h"
#include "core/sweep/quantity.h"
#include "core/sweep/share.h"

/// The sweep beside the mapping: of the launch that is shown, over what a person chose. And the
/// matrix products, with the shown launch where it is about arithmetic, under the device's roof.
namespace warplens::window {

struct AppState;

/// A sweep of this session, or one that was kept from the session before.
struct KeptSweep final {
    Sweep sweep;
    bool recorded = false;  ///< its measurements are recordings that travel with the program
};

struct SweepState final {
    std::vector<std::string> proposed;  ///< for the shown launch
    /// Of the shown launch over it; none where it cannot be run, which `problem` explains.
    std::optional<SweepPlan> plan;
    std::string problem;
    std::vector<KeptSweep> kept;  ///< one for each plan, the latest last
    /// Whose points are measured one after the other.
    std::optional<SweepPlan> measuring;
    SweepShare share;              ///< of it; there is one worker
    std::vector<Quantity> chosen;  ///< to plot; empty: those that tell most
    /// Sweeps that travel with the program; null until they are read.
    std::shared_ptr<const RecordingLibrary> recordings;
};

/// The sweep that is measured, else the one of the shown launch; null where there is none.
[[nodiscard]] const KeptSweep* shownSweep(const AppState& state);
/// What is plotted of it: one or two, none while nothing is known.
[[nodiscard]] std::vector<Quantity> shownQuantities(const AppState& state);
/// Its point whose launch is shown.
[[nodiscard]] std::optional<std::size_t> heldPoint(const AppState& state);

/// Whether measuring the shown sweep would be accepted now.
[[nodiscard]] bool mayMeasureSweep(const AppState& state);

/// The next point to predict for the shown sweep, if its tab is open.
[[nodiscard]] std::optional<Experiment> nextSweepPrediction(const AppState& state);

/// What was found about one point.
struct PointPredicted final {
    Experiment experiment;
    std::variant<PredictedPoint, NotPredicted> outcome;
};

// What commands do; see apply.h.
void planSweep(AppState& state);  ///< after the shown launch or what is varied changed
void setSweepOver(AppState& state, const std::string& typed);
void startSweep(AppState& state);
void showSweepPoint(AppState& state, std::size_t point);
void takePrediction(AppState& state, const PointPredicted& predicted);
void chooseQuantity(AppState& state, std::size_t place, const std::string& id);
void takeSweeps(AppState& state, std::shared_ptr<const RecordingLibrary> recordings,
                const std::optional<Sweep>& last);

// What the worker says of the point that is measured; the next one begins, or the sweep ends.
void takeMeasured(AppState& state, const Measurement& measurement);
void takeFailure(AppState& state, const Failure& failure);

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
