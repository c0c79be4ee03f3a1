#include <algorithm>
#include <array>
#include <iterator>

#include "app/lessons/library.h"
#include "app/window/jobs.h"
#include "tests/soak/payloads.h"
#include "tests/support/random_experiment.h"

/// What commands carry about launches: experiments, and what was predicted or measured of them.
namespace warplens::window::soak {

Experiment Payloads::lawfulExperiment() {
    switch (dice_.below(4)) {
        case 0:
            return initialExperiment(dice_.of(allScenarios()));
        case 1: {
            const auto& launches = dice_.of(builtInLessons().lessons).launches;
            return std::next(launches.begin(),
                             static_cast<std::ptrdiff_t>(dice_.below(launches.size())))
                ->second;
        }
        case 2:
            return dice_.of(measurements_)->experiment;
        default:
            return randomExperiment(dice_.of(allScenarios()), dice_.generator());
    }
}

void Payloads::bend(Experiment& experiment) {
    switch (dice_.below(7)) {
        case 0:
            experiment.launch.block = extents();
            break;
        case 1:
            experiment.launch.grid = extents();
            break;
        case 2:
            experiment.launch.dynamicSharedBytes = count();
            break;
        case 3:
            experiment.arrayOffset = count();
            break;
        case 4:
            experiment.arguments = dice_.oneIn(2) ? Arguments{} : Arguments{{"n", 1}, {text(), -1}};
            break;
        case 5:
            experiment.scenario = scenario();
            break;
        default: {
            const Arguments before = experiment.arguments;
            for (const auto& [name, value] : before.entries()) {
                experiment.arguments.set(
                    name, dice_.oneIn(3) ? INT64_MIN : dice_.between(value - 9, value + 70'000));
            }
        }
    }
}

Experiment Payloads::experiment() {
    Experiment made = lawfulExperiment();
    if (dice_.oneIn(4)) bend(made);
    return made;
}

Experiment Payloads::experimentOf(const AppState& state) {
    switch (dice_.below(5)) {
        case 0:
            return state.edit.experiment;
        case 1:
            if (const Running* const run = running(state)) return run->experiment;
            return state.view.experiment;
        case 2:
            if (const KeptSweep* const kept = shownSweep(state)) {
                return dice_.of(kept->sweep.points).experiment;
            }
            return state.view.experiment;
        case 3:
            return experiment();
        default:
            return state.view.experiment;
    }
}

void Payloads::bend(Measurement& measurement) {
    switch (dice_.below(7)) {
        case 0:
            measurement.values.clear();
            break;
        case 1:
            for (Value& value : measurement.values) value.content = real(0, 100);
            break;
        case 2:
            for (Value& value : measurement.values) value.content = Unavailable{text()};
            break;
        case 3:
            measurement.device.name = text();
            measurement.device.computeCapability = text();
            measurement.takenAt = text();
            break;
        case 4:
            measurement.timing.medianSeconds = real(0, 1);
            measurement.timing.minimumSeconds = real(0, 1);
            measurement.device.copyRate = real(0, 1e13);
            measurement.device.fp32Rate = real(0, 1e15);
            break;
        case 5:
            measurement.schedule.reset();
            measurement.resources.reset();
            measurement.counting.reset();
            break;
        default:
            measurement.device = {};
            measurement.notes.assign(dice_.below(9), text());
    }
}

Measurement Payloads::measurement(const AppState& state) {
    Measurement made = *dice_.of(measurements_);
    if (!dice_.oneIn(4)) made.experiment = experimentOf(state);
    if (dice_.oneIn(4)) bend(made);
    return made;
}

Failure Payloads::failure() {
    constexpr std::array kinds{FailureKind::invalid, FailureKind::impossible,
                               FailureKind::wrongResult, FailureKind::cancelled,
                               FailureKind::failed};
    return {dice_.of(kinds), text()};
}

LaunchReport Payloads::prediction(const AppState& state) {
    LaunchReport made = dice_.of(predictions_);
    if (dice_.oneIn(2)) static_cast<Experiment&>(made) = experimentOf(state);
    if (dice_.oneIn(8)) made.values.clear();
    return made;
}

std::optional<LaunchReport> Payloads::blockPrediction(const AppState& state) {
    if (dice_.oneIn(6)) return std::nullopt;
    const LaunchReport& from = dice_.of(predictions_);
    LaunchReport made = from;
    static_cast<Experiment&>(made) = experimentOf(state);
    made.block = TracedBlock{
        .block = dice_.oneIn(3) ? index(state.view.experiment.launch.grid) : state.view.block,
        .warpsTraced = count(),
        .warps = count()};
    made.seconds = real(0, 1);
    return made;
}

PointPredicted Payloads::pointPredicted(const AppState& state) {
    Experiment asked = experimentOf(state);
    if (const auto next = nextSweepPrediction(state); next && dice_.oneIn(2)) asked = *next;
    if (const auto next = nextRoofPrediction(state); next && dice_.oneIn(2)) asked = *next;
    if (dice_.oneIn(6)) return {std::move(asked), NotPredicted{text()}};
    return {std::move(asked), toPoint(dice_.of(predictions_))};
}

std::shared_ptr<const WarpTrace> Payloads::warpTrace(const AppState& state) {
    if (dice_.oneIn(10)) return nullptr;
    WarpPlace place = warpInFocus(state);
    const bool stale = dice_.oneIn(6);
    if (stale) place.experiment = lawfulExperiment();
    // A body runs only where its sizes are lawful, and for the launch that has the block.
    const bool runs = !stale && validateRun(place.experiment).empty();
    if (runs && dice_.oneIn(3)) return std::make_shared<const WarpTrace>(traceWarp(place));
    WarpTrace trace = runs ? outputOfWarp(place) : WarpTrace{.place = place, .steps = {}};
    if (dice_.oneIn(8)) {
        trace.steps.clear();
        trace.byArray.clear();
        trace.failure = text();
    }
    return std::make_shared<const WarpTrace>(std::move(trace));
}

std::optional<Sweep> Payloads::lastSweep() {
    if (dice_.oneIn(3)) return std::nullopt;
    if (sweeps_->sweeps.empty() || dice_.oneIn(2)) {
        try {
            return sweepOf(planOf(lawfulExperiment(), dice_.oneIn(2),
                                  ArgumentAxis{"array-offset", {0, 1, 2}}));
        } catch (const InvalidRequest&) {
            return std::nullopt;
        }
    }
    Sweep sweep = dice_.of(sweeps_->sweeps).sweep;
    for (SweepPoint& point : sweep.points) {
        if (dice_.oneIn(3)) point.measured = failure();
        if (dice_.oneIn(9)) point.measured = std::monostate{};
    }
    return sweep;
}

std::shared_ptr<const ResolvedLesson> Payloads::resolved(const AppState& state) {
    for (const auto& one : resolved_) {
        if (one != nullptr && one->lesson.id == state.view.lesson && !dice_.oneIn(3)) return one;
    }
    return dice_.of(resolved_);
}

}  // namespace warplens::window::soak
