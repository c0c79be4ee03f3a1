#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/trace/runtime/lane.h"

namespace warplens::runtime {

/// The warp whose events are looked at.
struct WarpView final {
    Lane* lanes = nullptr;
    std::uint32_t index = 0;  ///< in its block
};
[[nodiscard]] const WarpView& warpNow();

/// A call that lanes are in, and the one around it.
struct Frame final {
    const Frame* caller = nullptr;
    std::uint32_t depth = 0;
    std::uint32_t callSite = 0;
    mutable std::uint32_t lastSite = 0;  ///< of `lastCallee`
    mutable const Frame* lastCallee = nullptr;
};

/// The lanes of one warp and how they have parted: makes warp requests of the events they leave.
/// Lanes part where a branch takes them different ways, and meet again at its immediate
/// post-dominator, as compiled code has it; those that come to one block from the parts of a
/// condition, as to the body of `if (a || b)`, meet there.
class Warp final {
  public:
    Warp(Lane* lanes, std::uint32_t count, std::uint32_t index);

    /// Runs the lanes, and takes their events, until each waits for the block or has ended. With
    /// `laneProgram` not traced, lanes only run.
    void advance();
    [[nodiscard]] bool ended() const;

  private:
    /// Lanes that are together, within what they parted for.
    struct Group final {
        std::uint32_t mask = 0;
        std::uint32_t branch = 0;  ///< the site; 0: until the function is left; for all: the kernel
        std::uint32_t depth = 0;   ///< of the frame that the branch is in
        bool whole = false;        ///< of the kernel: never leaves
        const Frame* frame = nullptr;
        /// The block that it is about to begin, which others may still come to: they join it.
        std::uint32_t awaitsAt = 0;
    };

    [[nodiscard]] Group* nextGroup();
    [[nodiscard]] std::uint32_t pendingAbove(std::size_t group) const;
    void take(std::size_t group);
    [[nodiscard]] bool isOutside(const Group& group, std::uint32_t site) const;
    std::size_t part(std::size_t group, std::uint32_t first, std::uint32_t second,
                     std::uint32_t branch);
    void partAtBranch(std::size_t group, std::uint32_t taken, std::uint32_t site);
    bool join(std::size_t group, std::uint32_t arm);
    void partBySite(std::size_t group, const Event* const* events, std::size_t at);
    void answerLanes(std::uint32_t mask);
    [[nodiscard]] bool othersFirst(std::size_t group);
    [[nodiscard]] bool waitsElsewhere(std::uint32_t lanes, std::uint32_t living) const;
    bool releaseWaiting();
    void runAll();
    [[nodiscard]] std::uint32_t lanesIn(LaneState state) const;
    [[nodiscard]] const Frame* called(const Frame* caller, std::uint32_t site);

    Lane* lanes_;
    std::uint32_t count_;
    std::uint32_t index_;
    std::vector<Group> groups_;
    std::size_t lastGroup_ = SIZE_MAX;
    std::uint32_t turnsOfGroup_ = 0;
    std::vector<std::unique_ptr<Frame>> frames_;
};

}  // namespace warplens::runtime
