#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/ptx/check/stamp.h"
#include "kernels/ptx/run/site.h"

namespace warplens::ptx::check {

/// What orders the threads of one block: barriers, `__syncwarp`, fences. Lanes of a warp have no
/// order but by these (CUDA Programming Guide, "Independent Thread Scheduling"). Time passes with
/// each of them.
class Order final {
  public:
    /// A block begins, with a serial number that no block had before.
    void begin(Stamp serial, std::size_t warps);
    void barrier() { barrier_ = next(); }
    /// A thread made what it did visible: whoever waits for it by other means is not accused. Takes
    /// all as ordered which was before.
    void fence() { barrier(); }
    void syncWarp(std::uint32_t warp, std::uint32_t lanes, std::uint32_t alive);
    /// There is no later time: stamps of this block are to be renumbered.
    [[nodiscard]] bool isFull() const { return time_ >= mostTime - 1; }
    void startAgain();

    [[nodiscard]] Stamp serial() const { return serial_; }
    /// The stamp of a thread now.
    [[nodiscard]] Stamp stamp(Stamp who) const { return floor() | time_ << timeShift | who; }
    /// Stamps of the block are at least this.
    [[nodiscard]] Stamp floor() const { return serial_ << serialShift; }
    /// Those below are ordered before all that comes.
    [[nodiscard]] Stamp orderedFloor() const { return floor() | barrier_ << timeShift; }
    /// Likewise for lanes of the warp.
    [[nodiscard]] Stamp orderedFloor(std::uint32_t warp) const;
    /// Whether what a stamp of this block tells of was before what the thread does now.
    [[nodiscard]] bool isBefore(Stamp stamp, std::uint32_t thread) const;

  private:
    /// The last time of each lane that a lane knows of, where parts of the warp meet by themselves.
    using Known = std::array<std::array<Stamp, lanesPerWarp>, lanesPerWarp>;
    struct OfWarp final {
        Stamp met = 0;  ///< all its lanes
        std::unique_ptr<Known> known;
    };
    Stamp next() { return ++time_; }

    Stamp serial_ = 0;
    Stamp time_ = 1;
    Stamp barrier_ = 1;
    std::vector<OfWarp> warps_;
};

}  // namespace warplens::ptx::check
