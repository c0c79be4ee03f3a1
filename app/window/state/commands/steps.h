#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "app/drawing/warp_trace.h"

/// Commands about the steps of the warp in focus.
namespace warplens::window {

/// Leaves the steps to one of the kernel's arrays (ShownStep), from the first on; or all.
struct ChooseArray final {
    std::optional<std::size_t> array;
    std::optional<std::uint64_t> step{};  ///< from that place in the trace on
};
/// Shows one of the steps there are to choose from, from 0.
struct ChooseStep final {
    std::uint64_t position = 0;
};
/// Shows the step so many further on, round from the last to the first.
struct MoveStep final {
    int steps = 1;
};
/// Lets the steps go by, or stops them.
struct TogglePlay final {};
/// 1, 4 or 16.
struct SetPlaySpeed final {
    double stepsPerSecond = 4;
};
struct WarpTraced final {
    std::shared_ptr<const WarpTrace> trace;
};

}  // namespace warplens::window
