#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/launch/launch.h"
#include "core/scenario/scenario.h"

/// What is varied along a sweep.
namespace warplens {

/// One argument of the kernel through these values, rising. `array-offset` stands for the
/// experiment's own array offset, `grid` for the blocks of its grid along x, `block.x` for
/// the threads of its block along x.
struct ArgumentAxis final {
    std::string name;
    std::vector<std::int64_t> values;
    friend bool operator==(const ArgumentAxis&, const ArgumentAxis&) = default;
};

/// The shape of the block: every x * y * z that is one of the numbers of threads.
struct BlockAxis final {
    /// One number, or every power of two from the first to the last.
    std::uint32_t fewest = 0;
    std::uint32_t most = 0;
    bool deep = false;  ///< z as well; else it is 1
    friend bool operator==(const BlockAxis&, const BlockAxis&) = default;
};

using Axis = std::variant<ArgumentAxis, BlockAxis>;

/// More would take the better part of an hour to measure.
inline constexpr std::size_t mostSweepPoints = 1024;

/// Reads `stride=1..128`, `n=64..1024:64` (every 64th), `tile=8..32:x2` (times 2), `tile=8,16,32`,
/// and `block=256` (every x * y), `block=256:z` (every x * y * z), `block=32..1024` (every x * y
/// that is a power of two in between). Anything else is a violation that names `name`, with what
/// was read and what is allowed.
[[nodiscard]] std::variant<Axis, LimitViolation> parseAxis(std::string_view name,
                                                           std::string_view text);

/// The text that `parseAxis` reads as this axis: `stride=1..128`.
[[nodiscard]] std::string toString(const Axis& axis);

/// What the axis is of: `stride`, `block`.
[[nodiscard]] std::string nameOf(const Axis& axis);

/// Every shape of the axis, x rising within y within z; those that no device launches among them.
[[nodiscard]] std::vector<Extents> shapesOf(const BlockAxis& axis);

/// What is worth sweeping from this experiment on, as `parseAxis` reads it, the most telling first;
/// all of them can be run. At least one for every scenario's own experiment. Cost: about a
/// millisecond.
[[nodiscard]] std::vector<std::string> proposedAxes(const Experiment& experiment);

}  // namespace warplens
