#pragma once

#include <stop_token>

#include "app/window/state/command.h"

namespace warplens::window {

/// What compiled code comes to in a launch that was predicted: CompiledPredicted.
[[nodiscard]] Command predictCompiledNow(const Experiment& experiment, std::stop_token stop = {});
/// Predicts on the calling thread: PredictionReady, or PredictionFailed with the reason.
[[nodiscard]] Command predictNow(const Experiment& experiment, std::stop_token stop = {});

/// One block of one launch.
struct BlockPlace final {
    Experiment experiment;
    Index3 block;
    friend bool operator==(const BlockPlace&, const BlockPlace&) = default;
};
/// Predicts the block on the calling thread, within a frame's time: BlockPredicted.
[[nodiscard]] Command predictBlockNow(const BlockPlace& place, std::stop_token stop);

/// Predicts a point of a sweep or of the roof on the calling thread: PointPredicted.
[[nodiscard]] Command predictPointNow(const Experiment& experiment, std::stop_token stop);

/// What a warp asks for, on the calling thread: WarpTraced.
[[nodiscard]] Command traceWarpNow(const WarpPlace& place, std::stop_token stop = {});

}  // namespace warplens::window
