#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/sweep/sweep.h"

namespace warplens {

/// Traces every point of which nothing is predicted yet, and calls `kept` after each. Shows
/// progress where standard error is a terminal. False when a signal that InterruptNoted noted ended
/// it.
[[nodiscard]] bool predictPoints(Sweep& sweep, const std::function<void()>& kept);

/// `point 3 of 64, stride = 3: timing`.
[[nodiscard]] std::string stageOf(const Sweep& sweep, std::size_t point, const std::string& stage);

/// Traces the points of which nothing is predicted yet on a thread of its own, in order, while they
/// are measured elsewhere. Ends what it is at when it goes: predictPoints does the rest.
class PredictionsAhead final {
  public:
    explicit PredictionsAhead(const Sweep& sweep);
    /// What was predicted since the last call, into the points of the sweep it was made of; true
    /// where there was something.
    bool takeInto(Sweep& sweep);

  private:
    std::mutex mutex_;
    std::vector<std::pair<std::size_t, PointPrediction>> made_;
    std::jthread thread_;
};

}  // namespace warplens
