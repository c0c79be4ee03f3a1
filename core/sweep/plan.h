#pragma once

#include <string>
#include <vector>

#include "core/scenario/scenario.h"
#include "core/sweep/axis.h"

namespace warplens {

/// What a sweep goes through: one experiment, and what of it is varied.
struct SweepPlan final {
    /// What stays, and the first point's value of what does not.
    Experiment base;
    bool gridCovers = true;  ///< the grid follows each point's block and sizes; else it stays
    Axis axis;
    friend bool operator==(const SweepPlan&, const SweepPlan&) = default;
};

/// The plan in which `from` is varied along the axis, the same wherever on the axis `from` lies.
/// Throws InvalidRequest as `experimentsOf` does.
[[nodiscard]] SweepPlan planOf(Experiment from, bool gridCovers, Axis axis);

/// The experiments of a plan, all of which can be run. Shapes of blocks that no device launches, or
/// this kernel does not run with, are left out. Throws InvalidRequest with every argument the
/// kernel has not, or that is out of its bounds; and where no shape is left.
[[nodiscard]] std::vector<Experiment> experimentsOf(const SweepPlan& plan);

/// Where the experiment lies on the axis: `stride = 5`, `block 16,16`.
[[nodiscard]] std::string placeOn(const Axis& axis, const Experiment& experiment);

/// The value of what an argument axis varies.
[[nodiscard]] std::int64_t valueOn(const ArgumentAxis& axis, const Experiment& experiment);

}  // namespace warplens
