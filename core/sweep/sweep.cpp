#include "core/sweep/sweep.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace warplens {
namespace {

template <class State>
std::optional<std::size_t> firstOpen(const std::vector<SweepPoint>& points,
                                     State SweepPoint::*state) {
    const auto found = std::ranges::find_if(points, [&](const SweepPoint& point) {
        return std::holds_alternative<std::monostate>(point.*state);
    });
    if (found == points.end()) return std::nullopt;
    return static_cast<std::size_t>(found - points.begin());
}

using PointIterator = std::vector<SweepPoint>::const_iterator;

/// The first of the points, which rise along the axis, that is not below the experiment.
PointIterator notBelow(const std::vector<SweepPoint>& points, const ArgumentAxis& axis,
                       const Experiment& experiment) {
    const bool ofKernel = points.front().experiment.arguments.contains(axis.name);
    if (ofKernel && !experiment.arguments.contains(axis.name)) return points.end();
    return std::ranges::lower_bound(
        points, valueOn(axis, experiment), {},
        [&](const SweepPoint& point) { return valueOn(axis, point.experiment); });
}

/// The order of `shapesOf`.
std::tuple<std::uint64_t, std::uint32_t, std::uint32_t> rankOf(Extents shape) {
    return {shape.count(), shape.z, shape.x};
}

PointIterator notBelow(const std::vector<SweepPoint>& points, const Experiment& experiment) {
    return std::ranges::lower_bound(
        points, rankOf(experiment.launch.block), {},
        [](const SweepPoint& point) { return rankOf(point.experiment.launch.block); });
}

std::size_t countOf(const std::vector<SweepPoint>& points, auto&& holds) {
    return static_cast<std::size_t>(std::ranges::count_if(points, holds));
}

}  // namespace

PredictedPoint toPoint(const LaunchReport& prediction) {
    PredictedPoint point{prediction.exact, prediction.blocksTraced, prediction.blocks, {}};
    std::ranges::copy_if(prediction.values, std::back_inserter(point.values),
                         [](const Value& value) { return value.subject == "kernel"; });
    return point;
}

std::size_t Sweep::measuredCount() const {
    return countOf(points, [](const SweepPoint& p) { return p.measurement() != nullptr; });
}

std::size_t Sweep::failedCount() const {
    return countOf(points,
                   [](const SweepPoint& p) { return std::holds_alternative<Failure>(p.measured); });
}

std::size_t Sweep::predictedCount() const {
    return countOf(points, [](const SweepPoint& p) {
        return !std::holds_alternative<std::monostate>(p.predicted);
    });
}

std::optional<std::size_t> Sweep::nextToMeasure() const {
    return firstOpen(points, &SweepPoint::measured);
}

std::optional<std::size_t> Sweep::nextToPredict() const {
    return firstOpen(points, &SweepPoint::predicted);
}

const Measurement* Sweep::firstMeasurement() const {
    for (const SweepPoint& point : points) {
        if (point.measurement() != nullptr) return point.measurement();
    }
    return nullptr;
}

SweepPoint* Sweep::find(const Experiment& experiment) {
    const auto index = indexOf(experiment);
    return index ? &points[*index] : nullptr;
}

std::optional<std::size_t> Sweep::indexOf(const Experiment& experiment) const {
    if (points.empty() || experiment.scenario != plan.base.scenario) return std::nullopt;
    const auto* const argument = std::get_if<ArgumentAxis>(&plan.axis);
    const auto found = argument != nullptr ? notBelow(points, *argument, experiment)
                                           : notBelow(points, experiment);
    if (found == points.end() || found->experiment != experiment) return std::nullopt;
    return static_cast<std::size_t>(found - points.begin());
}

Sweep sweepOf(const SweepPlan& plan) {
    Sweep sweep{plan, {}};
    for (Experiment& experiment : experimentsOf(plan)) {
        sweep.points.push_back({.experiment = std::move(experiment)});
    }
    return sweep;
}

void forgetFailures(Sweep& sweep) {
    for (SweepPoint& point : sweep.points) {
        if (std::holds_alternative<Failure>(point.measured)) point.measured = std::monostate{};
    }
}

std::string incompatibilityReason(const Sweep& sweep, const Measurement& measurement) {
    const Measurement* const first = sweep.firstMeasurement();
    if (first == nullptr) return {};
    const Timing& theirs = first->timing;
    const Timing& its = measurement.timing;
    if (theirs.cache != its.cache) {
        return "the points so far were timed with a " + std::string(toString(theirs.cache)) +
               " L2, this one with a " + std::string(toString(its.cache)) +
               " one: two states make no one curve";
    }
    if (theirs.from != its.from) {
        return "the points so far were timed " + std::string(inWords(theirs.from)) + ", this one " +
               std::string(inWords(its.from)) + ": two clocks make no one curve";
    }
    if (first->device.name == measurement.device.name) return {};
    return "the points so far were measured on " + first->device.name + ", this one on " +
           measurement.device.name + ": two devices make no one curve";
}

void fillFrom(Sweep& sweep, std::span<const Measurement* const> recorded) {
    // What incompatibilityReason tells apart.
    using Kind = std::tuple<std::string, TimeFrom, CacheBefore>;
    const auto kindOf = [](const Measurement& measurement) {
        return Kind{measurement.device.name, measurement.timing.from, measurement.timing.cache};
    };
    std::map<Kind, std::vector<const Measurement*>> byKind;
    for (const Measurement* measurement : recorded) {
        if (sweep.find(measurement->experiment) == nullptr) continue;
        byKind[kindOf(*measurement)].push_back(measurement);
    }
    if (const Measurement* own = sweep.firstMeasurement()) {
        std::erase_if(byKind, [&](const auto& entry) { return entry.first != kindOf(*own); });
    }
    const auto most =
        std::ranges::max_element(byKind, {}, [](const auto& entry) { return entry.second.size(); });
    if (most == byKind.end()) return;
    for (const Measurement* measurement : most->second) {
        SweepPoint* const point = sweep.find(measurement->experiment);
        if (point->measurement() != nullptr) continue;
        // Which SM ran which block is no number of a sweep, and large.
        Measurement kept = *measurement;
        kept.schedule.reset();
        point->measured = std::move(kept);
    }
}

}  // namespace warplens
