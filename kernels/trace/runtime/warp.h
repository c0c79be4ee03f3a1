#pragma once

#include <cstdint>

#include "kernels/trace/runtime/warp_lanes.h"

namespace warplens::runtime {

/// The warp whose events are looked at.
struct WarpView final {
    Lane* lanes = nullptr;
    std::uint32_t index = 0;  ///< in its block
};
[[nodiscard]] const WarpView& warpNow();

/// A warp of the launch that runs: makes warp requests of the events that its lanes leave.
class Warp final : public WarpLanes {
  public:
    Warp(Lane* lanes, std::uint32_t count, std::uint32_t index);

    /// Runs the lanes, and takes their events, until each waits for the block or has ended. With
    /// `laneProgram` not traced, lanes only run.
    void advance();

  private:
    void runAll();
    void take(std::size_t group);
    void partBySite(std::size_t group, const Events& events, std::size_t at);
    void onExchange() override;
    void onMissing(std::uint32_t waiter, std::uint32_t missing) override;

    std::uint32_t index_;
};

}  // namespace warplens::runtime
