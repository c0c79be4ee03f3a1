#pragma once

#include <cstdint>

#include "kernels/trace/runtime/divergence.h"
#include "kernels/trace/runtime/lane.h"

namespace warplens::runtime {

/// The warp whose events are looked at.
struct WarpView final {
    Lane* lanes = nullptr;
    std::uint32_t index = 0;  ///< in its block
};
[[nodiscard]] const WarpView& warpNow();

/// The lanes of one warp: makes warp requests of the events they leave.
class Warp final {
  public:
    Warp(Lane* lanes, std::uint32_t count, std::uint32_t index);

    /// Runs the lanes, and takes their events, until each waits for the block or has ended. With
    /// `laneProgram` not traced, lanes only run.
    void advance();
    [[nodiscard]] bool ended() const;

  private:
    [[nodiscard]] LaneGroup* nextGroup();
    void take(std::size_t group);
    void partBySite(std::size_t group, const Event* const* events, std::size_t at);
    void answerLanes(std::uint32_t mask);
    [[nodiscard]] bool othersFirst(std::size_t group);
    [[nodiscard]] bool waitsElsewhere(std::uint32_t lanes, std::uint32_t living) const;
    bool releaseWaiting();
    void runAll();
    [[nodiscard]] std::uint32_t lanesIn(LaneState state) const;

    Lane* lanes_;
    std::uint32_t count_;
    std::uint32_t index_;
    Divergence divergence_;
    std::size_t lastGroup_ = SIZE_MAX;
    std::uint32_t turnsOfGroup_ = 0;
};

}  // namespace warplens::runtime
