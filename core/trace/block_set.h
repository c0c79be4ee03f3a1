#pragma once

#include <array>
#include <cstdint>

#include "core/launch/mapping.h"
#include "core/trace/axis_runs.h"

namespace warplens::trace {

/// Blocks of a grid: along each axis a part.
struct BlockSet final {
    std::array<AxisPart, 3> axes;
    /// Blocks that do the same as each of these, itself included.
    std::uint64_t times = 1;

    [[nodiscard]] std::uint64_t count() const {
        return std::uint64_t{axes[0].count} * axes[1].count * axes[2].count;
    }
    [[nodiscard]] bool holds(Index3 block) const {
        return axes[0].holds(block.x) && axes[1].holds(block.y) && axes[2].holds(block.z);
    }
    /// So many blocks on from the first along each axis.
    [[nodiscard]] Index3 at(const std::array<std::uint32_t, 3>& steps) const {
        return {axes[0].first + steps[0] * axes[0].step, axes[1].first + steps[1] * axes[1].step,
                axes[2].first + steps[2] * axes[2].step};
    }
    /// The one of that rank among them, from 0, along x first.
    [[nodiscard]] Index3 ranked(std::uint64_t rank) const {
        const Index3 steps = blockIndexInGrid(rank, {axes[0].count, axes[1].count, axes[2].count});
        return at({steps.x, steps.y, steps.z});
    }
};

}  // namespace warplens::trace
