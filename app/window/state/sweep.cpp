#include "app/window/state/sweep.h"

#include "app/window/state/apply.h"
#include "app/window/state/editing.h"
#include "core/text/encoding.h"

namespace warplens::window {
namespace {

constexpr std::size_t sweepsKept = 12;
constexpr std::size_t replaceablePointsKept = 256;  // of sweeps that can be made again
constexpr std::size_t longestOver = 240;            ///< bytes of what is varied, as typed

template <class State>
auto* find(State& state, const SweepPlan& plan) {
    const auto found = std::ranges::find_if(
        state.sweep.kept, [&](const KeptSweep& kept) { return kept.sweep.plan == plan; });
    return found == state.sweep.kept.end() ? nullptr : &*found;
}

/// Measurements that travel with the program, as far as they have been read.
std::vector<const Measurement*> recordedIn(const AppState& state) {
    std::vector<const Measurement*> all = measurementsIn(*state.library);
    if (state.sweep.recordings != nullptr && state.sweep.recordings != state.library) {
        const auto more = measurementsIn(*state.sweep.recordings);
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

/// Predictions that came with a recorded sweep need not be made again.
void takeRecordedPredictions(const AppState& state, Sweep& sweep) {
    if (state.sweep.recordings == nullptr) return;
    for (const RecordedSweep& recorded : state.sweep.recordings->sweeps) {
        for (const SweepPoint& point : recorded.sweep.points) {
            SweepPoint* const same = sweep.find(point.experiment);
            if (same == nullptr || !std::holds_alternative<std::monostate>(same->predicted)) {
                continue;
            }
            same->predicted = point.predicted;
        }
    }
}

void fillFromRecordings(const AppState& state, KeptSweep& kept) {
    takeRecordedPredictions(state, kept.sweep);
    if (kept.sweep.measuredCount() != 0 && !kept.recorded) return;
    fillFrom(kept.sweep, recordedIn(state));
    kept.recorded = kept.sweep.measuredCount() != 0;
}

/// Whether it can be had again without measuring.
bool canBeMadeAgain(const KeptSweep& kept) {
    return kept.recorded || (kept.sweep.measuredCount() == 0 && kept.sweep.failedCount() == 0);
}

/// Drops the oldest of too many, and before them what can be made again.
void forgetOld(AppState& state) {
    std::vector<KeptSweep>& kept = state.sweep.kept;
    const auto drop = [&](auto&& mayGo) {
        const auto droppable = std::ranges::find_if(kept, [&](const KeptSweep& one) {
            return one.sweep.plan != state.sweep.plan && one.sweep.plan != state.sweep.measuring &&
                   mayGo(one);
        });
        if (droppable == kept.end()) return false;
        kept.erase(droppable);
        return true;
    };
    const auto replaceablePoints = [&] {
        std::size_t points = 0;
        for (const KeptSweep& one : kept) {
            if (canBeMadeAgain(one)) points += one.sweep.points.size();
        }
        return points;
    };
    while (replaceablePoints() > replaceablePointsKept && drop(canBeMadeAgain)) {
    }
    while (kept.size() > sweepsKept &&
           (drop(canBeMadeAgain) || drop([](const KeptSweep&) { return true; }))) {
    }
}

std::string countsOf(const Sweep& sweep) {
    return std::to_string(sweep.measuredCount()) + " of " + std::to_string(sweep.points.size()) +
           " points measured";
}

void end(AppState& state, MessageKind kind, const std::string& words) {
    state.sweep.measuring.reset();
    state.measuring = Idle{};
    report(state, kind, words);
}

void measureNextPoint(AppState& state) {
    const Sweep& sweep = find(state, *state.sweep.measuring)->sweep;
    const auto next = state.sweep.share.next(sweep, 0);
    if (!next) {
        const std::string failed =
            sweep.failedCount() == 0
                ? ""
                : ", " + std::to_string(sweep.failedCount()) + " could not be measured";
        return end(state, MessageKind::note, "Sweep done: " + countsOf(sweep) + failed + ".");
    }
    state.measuring =
        Running{++state.lastNumber, sweep.points[*next].experiment, "starting", 0, false};
}

constexpr std::size_t predictionsKept = 64;

const PointPredicted* predictionOf(const RoofState& roof, const Experiment& experiment) {
    const auto found = std::ranges::find(roof.predicted, experiment, &PointPredicted::experiment);
    return found == roof.predicted.end() ? nullptr : &*found;
}

}  // namespace

const KeptSweep* shownSweep(const AppState& state) {
    if (state.sweep.measuring) return find(state, *state.sweep.measuring);
    return state.sweep.plan ? find(state, *state.sweep.plan) : nullptr;
}

std::vector<Quantity> shownQuantities(const AppState& state) {
    const KeptSweep* const shown = shownSweep(state);
    if (shown == nullptr) return {};
    std::vector<Quantity> telling = tellingQuantities(shown->sweep);
    for (std::size_t i = 0; i < state.sweep.chosen.size(); ++i) {
        if (i < telling.size()) {
            telling[i] = state.sweep.chosen[i];
        } else {
            telling.push_back(state.sweep.chosen[i]);
        }
    }
    return telling;
}

std::optional<std::size_t> heldPoint(const AppState& state) {
    const KeptSweep* const shown = shownSweep(state);
    return shown == nullptr ? std::nullopt : shown->sweep.indexOf(state.view.experiment);
}

bool mayMeasureSweep(const AppState& state) {
    const KeptSweep* const shown = shownSweep(state);
    return state.canMeasure && shown != nullptr && running(state) == nullptr &&
           (shown->recorded || shown->sweep.nextToMeasure() || shown->sweep.failedCount() != 0);
}

std::optional<Experiment> nextSweepPrediction(const AppState& state) {
    const KeptSweep* const shown = shownSweep(state);
    if (shown == nullptr || state.view.tab != RightTab::sweep) return std::nullopt;
    const auto point = shown->sweep.nextToPredict();
    return point ? std::optional(shown->sweep.points[*point].experiment) : std::nullopt;
}

void planSweep(AppState& state) {
    SweepState& sweep = state.sweep;
    sweep.problem.clear();
    sweep.plan.reset();
    sweep.proposed = proposedAxes(state.view.experiment);
    std::string over = state.view.over;
    if (over.empty()) {
        if (sweep.proposed.empty()) {
            sweep.problem = "Nothing of this launch can be varied.";
            return;
        }
        over = sweep.proposed.front();
    }
    auto axis = parseAxis("over", over);
    if (const LimitViolation* violation = std::get_if<LimitViolation>(&axis)) {
        sweep.problem = toString(*violation);
        return;
    }
    try {
        sweep.plan =
            planOf(state.view.experiment, state.edit.gridCovers, std::get<Axis>(std::move(axis)));
        if (find(state, *sweep.plan) != nullptr) return;
        KeptSweep kept{sweepOf(*sweep.plan), false};
        fillFromRecordings(state, kept);
        sweep.kept.push_back(std::move(kept));
        forgetOld(state);
    } catch (const InvalidRequest& invalid) {
        sweep.plan.reset();
        sweep.problem = invalid.what();
    }
}

void setSweepOver(AppState& state, const std::string& typed) {
    std::string over = asUtf8(typed, longestOver);
    if (over == state.view.over) return;
    state.view.over = std::move(over);
    state.sweep.chosen.clear();
    planSweep(state);
}

void startSweep(AppState& state) {
    if (!mayMeasureSweep(state)) return;
    KeptSweep& kept = *find(state, *state.sweep.plan);
    // Recordings and what this machine measures make no one curve.
    if (kept.recorded) {
        for (SweepPoint& point : kept.sweep.points) point.measured = std::monostate{};
        kept.recorded = false;
    }
    forgetFailures(kept.sweep);
    state.sweep.measuring = state.sweep.plan;
    state.sweep.share = SweepShare({"the worker"});
    measureNextPoint(state);
}

void takeMeasured(AppState& state, const Measurement& measurement) {
    Sweep& sweep = find(state, *state.sweep.measuring)->sweep;
    SweepShare& share = state.sweep.share;
    Measurement alone = measurement;
    alone.schedule.reset();  // of one launch at a time; a sweep's file would be large for it
    share.take(sweep, 0, std::move(alone));
    if (!share.incompatibility().empty()) {
        return end(state, MessageKind::error, "Sweep stopped: " + share.incompatibility() + ".");
    }
    const Running* const run = running(state);
    if (run != nullptr && run->cancelled && sweep.nextToMeasure()) {
        return end(state, MessageKind::note, "Sweep cancelled: " + countsOf(sweep) + ".");
    }
    measureNextPoint(state);
}

void takeFailure(AppState& state, const Failure& failure) {
    Sweep& sweep = find(state, *state.sweep.measuring)->sweep;
    SweepShare& share = state.sweep.share;
    share.take(sweep, 0, failure);
    if (failure.kind == FailureKind::cancelled) {
        return end(state, MessageKind::note, "Sweep cancelled: " + countsOf(sweep) + ".");
    }
    if (share.workersLeft() > 0) return measureNextPoint(state);
    end(state, MessageKind::error, "Sweep stopped, " + countsOf(sweep) + ": " + failure.message);
}

void showSweepPoint(AppState& state, std::size_t point) {
    const KeptSweep* const shown = shownSweep(state);
    if (shown == nullptr || point >= shown->sweep.points.size()) return;
    apply(state, Show{.experiment = shown->sweep.points[point].experiment});
}

void takePrediction(AppState& state, const PointPredicted& predicted) {
    for (KeptSweep& kept : state.sweep.kept) {
        SweepPoint* const point = kept.sweep.find(predicted.experiment);
        if (point == nullptr || !std::holds_alternative<std::monostate>(point->predicted)) continue;
        std::visit([&](const auto& outcome) { point->predicted = outcome; }, predicted.outcome);
    }
}

void chooseQuantity(AppState& state, std::size_t place, const std::string& id) {
    const Quantity* const quantity = findQuantity(id);
    if (quantity == nullptr || place > 1) return;
    std::vector<Quantity> now = shownQuantities(state);
    if (place > now.size()) return;
    if (place == now.size()) {
        now.push_back(*quantity);
    } else {
        now[place] = *quantity;
    }
    state.sweep.chosen = std::move(now);
}

void takeSweeps(AppState& state, std::shared_ptr<const RecordingLibrary> recordings,
                const std::optional<Sweep>& last) {
    state.sweep.recordings = std::move(recordings);
    if (last && find(state, last->plan) == nullptr) {
        state.sweep.kept.insert(state.sweep.kept.begin(), KeptSweep{*last, false});
    } else if (last && find(state, last->plan)->sweep.measuredCount() == 0) {
        *find(state, last->plan) = {*last, false};
    }
    forgetOld(state);
    for (KeptSweep& kept : state.sweep.kept) fillFromRecordings(state, kept);
}

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
