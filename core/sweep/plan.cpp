#include "core/sweep/plan.h"

#include <algorithm>

namespace warplens {
namespace {

constexpr std::string_view arrayOffsetName = "array-offset";
constexpr std::string_view gridName = "grid";
constexpr std::string_view blockName = "block.x";

bool variesGrid(const Axis& axis) {
    return nameOf(axis) == gridName;
}

void setArgument(Experiment& experiment, const std::string& name, std::int64_t value) {
    if (name == gridName || name == blockName) {
        const bool grid = name == gridName;
        const std::int64_t most = grid ? LaunchLimits{}.grid.x : LaunchLimits{}.block.x;
        if (value < 1 || value > most) {
            throw InvalidRequest({{grid ? "grid x" : "block x", std::to_string(value),
                                   "from 1 to " + std::to_string(most)}});
        }
        (grid ? experiment.launch.grid : experiment.launch.block).x =
            static_cast<std::uint32_t>(value);
        return;
    }
    if (name != arrayOffsetName) {
        experiment.arguments.set(name, value);
        return;
    }
    if (value < 0 || value > mostArrayOffset) {
        throw InvalidRequest({{"array offset", std::to_string(value),
                               "from 0 to " + std::to_string(mostArrayOffset) + " elements"}});
    }
    experiment.arrayOffset = static_cast<std::uint32_t>(value);
}

/// What follows from block and sizes. With illegal ones nothing does, and `validate` says why.
void completeLaunch(Experiment& experiment, bool gridCovers) {
    const Kernel& kernel = kernelOf(experiment);
    if (!validate(kernel, experiment.arguments).empty()) return;
    if (!kernel.blockFor.empty()) experiment.launch.block = kernel.blockFor(experiment.arguments);
    const bool blockHasThreads = experiment.launch.block.count() > 0;
    if (gridCovers && blockHasThreads) experiment.launch.grid = coveringGrid(experiment);
    experiment.launch.dynamicSharedBytes = dynamicSharedBytes(experiment);
}

void addNew(std::vector<LimitViolation>& violations, const std::vector<LimitViolation>& found) {
    for (const LimitViolation& violation : found) {
        const auto same = [&](const LimitViolation& known) {
            return known.name == violation.name && known.limit == violation.limit;
        };
        if (std::ranges::none_of(violations, same)) violations.push_back(violation);
    }
}

/// Throws for arguments that the kernel has not. Every other point would repeat them, however many
/// there are and however long their names.
void refuseUnknownArguments(const Experiment& experiment) {
    const Kernel& kernel = kernelOf(experiment);
    const auto unknown = [&](const Arguments::Entry& entry) {
        return std::ranges::find(kernel.sizes, entry.first, &KernelSize::name) ==
               kernel.sizes.end();
    };
    if (std::ranges::any_of(experiment.arguments.entries(), unknown)) {
        throw InvalidRequest(validate(kernel, experiment.arguments));
    }
}

std::vector<Experiment> alongArgument(const SweepPlan& plan, const ArgumentAxis& axis) {
    std::vector<Experiment> experiments;
    std::vector<LimitViolation> violations;
    for (const std::int64_t value : axis.values) {
        Experiment experiment = plan.base;
        setArgument(experiment, axis.name, value);
        refuseUnknownArguments(experiment);
        completeLaunch(experiment, plan.gridCovers);
        addNew(violations, validateRun(experiment));
        experiments.push_back(std::move(experiment));
    }
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    return experiments;
}

std::vector<Experiment> alongShapes(const SweepPlan& plan, const BlockAxis& axis) {
    std::vector<Experiment> experiments;
    std::vector<LimitViolation> violations;
    refuseUnknownArguments(plan.base);
    for (const Extents shape : shapesOf(axis)) {
        Experiment experiment = plan.base;
        experiment.launch.block = shape;
        completeLaunch(experiment, plan.gridCovers);
        std::vector<LimitViolation> refused = validateRun(experiment);
        if (refused.empty() && experiment.launch.block != shape) {
            refused = {{"block", toString(shape),
                        "must be " + toString(experiment.launch.block) + " with " +
                            toString(experiment.arguments)}};
        }
        if (refused.empty()) {
            experiments.push_back(std::move(experiment));
        } else {
            addNew(violations, refused);
        }
    }
    if (experiments.empty()) throw InvalidRequest(std::move(violations));
    return experiments;
}

}  // namespace

SweepPlan planOf(Experiment from, bool gridCovers, Axis axis) {
    const bool follows = gridCovers && !variesGrid(axis);
    SweepPlan plan{std::move(from), follows, std::move(axis)};
    plan.base = experimentsOf(plan).front();
    return plan;
}

std::vector<Experiment> experimentsOf(const SweepPlan& plan) {
    if (const auto* argument = std::get_if<ArgumentAxis>(&plan.axis)) {
        return alongArgument(plan, *argument);
    }
    return alongShapes(plan, std::get<BlockAxis>(plan.axis));
}

std::int64_t valueOn(const ArgumentAxis& axis, const Experiment& experiment) {
    if (axis.name == gridName) return experiment.launch.grid.x;
    if (axis.name == blockName) return experiment.launch.block.x;
    if (axis.name == arrayOffsetName) return experiment.arrayOffset;
    return experiment.arguments.at(axis.name);
}

std::string placeOn(const Axis& axis, const Experiment& experiment) {
    if (const auto* argument = std::get_if<ArgumentAxis>(&axis)) {
        return argument->name + " = " + std::to_string(valueOn(*argument, experiment));
    }
    return "block " + toString(experiment.launch.block);
}

SweepShare::SweepShare(std::vector<std::string> names) {
    for (std::string& name : names) workers_.push_back({.name = std::move(name)});
}

std::optional<std::size_t> SweepShare::next(const Sweep& sweep, std::size_t worker) {
    Worker& asks = workers_.at(worker);
    if (stopped_ || asks.isOut || asks.point) return std::nullopt;
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        const bool open = std::holds_alternative<std::monostate>(sweep.points[i].measured);
        if (!open || taken_.contains(i)) continue;
        // Where it was lost it may be lost again.
        const auto lost = lostBy_.find(i);
        if (lost != lostBy_.end() && lost->second == worker && workersLeft() > 1) continue;
        asks.point = i;
        taken_.insert(i);
        return i;
    }
    return std::nullopt;
}

std::size_t SweepShare::takeBack(std::size_t worker) {
    const std::size_t point = workers_.at(worker).point.value();
    workers_[worker].point.reset();
    taken_.erase(point);
    return point;
}

bool SweepShare::take(Sweep& sweep, std::size_t worker, Measurement measurement) {
    if (measurement.experiment != sweep.points.at(workers_.at(worker).point.value()).experiment) {
        return take(sweep, worker,
                    Failure{FailureKind::failed, "the worker measured another launch"});
    }
    const std::size_t point = takeBack(worker);
    workers_[worker].lossesInARow = 0;
    if (const std::string reason = incompatibilityReason(sweep, measurement); !reason.empty()) {
        incompatibility_ = reason;
        leaveOut(worker, reason);
        return false;
    }
    workers_[worker].hasMeasured = true;
    sweep.points[point].measured = std::move(measurement);
    return true;
}

bool SweepShare::take(Sweep& sweep, std::size_t worker, const Failure& failure) {
    const std::size_t point = takeBack(worker);
    switch (failure.kind) {
        case FailureKind::cancelled:
            stop();
            return false;
        case FailureKind::impossible:
            // Where other points were measured it is this one that cannot be.
            if (workers_[worker].hasMeasured) break;
            impossible_ = failure;
            leaveOut(worker, failure.message);
            return false;
        case FailureKind::failed: {
            const bool others = workersLeft() > 1;
            if (++workers_[worker].lossesInARow == 2) leaveOut(worker, failure.message);
            if (others && lostBy_.emplace(point, worker).second) return false;
            break;
        }
        case FailureKind::invalid:
        case FailureKind::wrongResult:
            workers_[worker].lossesInARow = 0;
            break;
    }
    sweep.points[point].measured = failure;
    return true;
}

void SweepShare::leaveOut(std::size_t worker, std::string why) {
    workers_.at(worker).isOut = true;
    problems_.push_back(workers_.at(worker).name + " takes no more points: " + std::move(why));
}

bool SweepShare::isOver(const Sweep& sweep) const {
    if (underWay() > 0) return false;
    return stopped_ || workersLeft() == 0 || !sweep.nextToMeasure();
}

std::size_t SweepShare::underWay() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        workers_, [](const Worker& worker) { return worker.point.has_value(); }));
}

std::size_t SweepShare::workersLeft() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(workers_, [](const Worker& worker) { return !worker.isOut; }));
}

}  // namespace warplens
