#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/launch/mapping.h"

namespace warplens::trace {

/// Blocks along one axis whose kind repeats: that of block x depends on (x - first) % period.
struct AxisRun final {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t period = 1;
    friend bool operator==(const AxisRun&, const AxisRun&) = default;
};

/// Blocks along one axis that are of one kind: first, first + step, … .
struct AxisPart final {
    std::uint32_t first = 0;
    std::uint32_t step = 1;
    std::uint32_t count = 0;
    [[nodiscard]] bool holds(std::uint32_t x) const {
        return x >= first && (x - first) % step == 0 && (x - first) / step < count;
    }
    friend bool operator==(const AxisPart&, const AxisPart&) = default;
};

/// Cuts 0 .. extent-1 into runs after looking at some of the blocks: `kindAt(x)` is called for
/// the first `window` blocks of each run, for its ends, which are found by halving, and for `looks`
/// random blocks within, others at powers of two, and the `suspects`. The runs are a hypothesis,
/// true of every block looked at. Nothing when `window` runs or shorter periods do not describe the
/// axis. Cost: some tens of calls for each run.
[[nodiscard]] std::optional<std::vector<AxisRun>> runsAlong(
    std::uint32_t extent, std::uint32_t window, std::span<const std::uint32_t> suspects,
    const std::function<std::uint64_t(std::uint32_t)>& kindAt, int looks = 32);

/// Runs of blocks that are alike in both.
[[nodiscard]] std::vector<AxisRun> commonRuns(const std::vector<AxisRun>& a,
                                              const std::vector<AxisRun>& b);

/// Of each run a part for each place in its period: blocks of one kind.
[[nodiscard]] std::vector<AxisPart> partsOf(const std::vector<AxisRun>& runs);

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
