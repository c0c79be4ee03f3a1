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

}  // namespace warplens
