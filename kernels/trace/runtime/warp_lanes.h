#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "kernels/trace/runtime/divergence.h"
#include "kernels/trace/runtime/lane_runner.h"

namespace warplens::runtime {

/// The lanes of one warp while they run: which are together, whose events come next, and what those
/// get that wait for one another. What becomes of the events is left to who derives from it.
class WarpLanes {
  public:
    /// `sites` as of Divergence.
    WarpLanes(LaneRunner& runner, const SiteRow* sites, Lane* lanes, std::uint32_t count);

    /// The lanes begin anew.
    void begin();
    [[nodiscard]] bool ended() const { return lanesIn(LaneState::ended) == all(); }

  protected:
    WarpLanes(WarpLanes&&) = default;
    ~WarpLanes() = default;

    /// The next events of a group's lanes, in the order of the lanes.
    struct Events final {
        const Event* of[32];
        std::uint32_t index[32];  ///< of the lane in its warp
        std::uint32_t count = 0;
        std::size_t available = SIZE_MAX;  ///< that every lane has
    };
    [[nodiscard]] Events eventsOf(const LaneGroup& group) const;
    /// So many of them have been read.
    void pass(const Events& events, std::size_t read) {
        for (std::uint32_t i = 0; i < events.count; ++i) lanes_[events.index[i]].next += read;
        passed_ += read * events.count;
    }
    /// The lanes that jump, by their events of a branch.
    [[nodiscard]] static std::uint32_t lanesThatJump(const Events& events, std::size_t at) {
        std::uint32_t jump = 0;
        for (std::uint32_t i = 0; i < events.count; ++i) {
            if ((events.of[i][at] & 1) != 0) jump |= 1u << events.index[i];
        }
        return jump;
    }
    /// Follows an event that is no access: a branch that lanes of `jump` take, a call, an
    /// intrinsic. True where the turn of the group ends with it; then its events are passed.
    bool follow(LaneGroup& group, std::size_t index, SiteKind kind, std::uint32_t site,
                std::uint32_t jump, const Events& events, std::size_t at);

    /// The uppermost group that can go on and none of whose lanes are in a group above it. Lanes
    /// that have no events are run. Null where all wait or have ended, or one was abandoned.
    [[nodiscard]] LaneGroup* nextGroup();
    /// Those of the lanes go on whose event of a volatile access or of __activemask() has been
    /// read.
    void answerLanes(std::uint32_t mask);
    /// Lanes at warp intrinsics go on where all that they name are there. Those that are not are
    /// run first, where rooms grow. False where nobody goes on.
    bool releaseWaiting();
    [[nodiscard]] std::uint32_t lanesIn(LaneState state) const;
    [[nodiscard]] std::uint32_t all() const { return count_ == 32 ? ~0u : (1u << count_) - 1; }

    /// Lanes have exchanged values.
    virtual void onExchange() {}
    /// `waiter` waits for `missing`, which does not come: from now on it does so no longer.
    virtual void onMissing(std::uint32_t waiter, std::uint32_t missing) = 0;

    /// Whether lanes wait at warp intrinsics since `nextGroup` has found none.
    [[nodiscard]] bool isBlocked() const { return isBlocked_; }

    LaneRunner& runner_;
    Lane* lanes_;
    std::uint32_t count_;
    Divergence divergence_;
    std::uint64_t passed_ = 0;  ///< events of all lanes

  private:
    [[nodiscard]] bool look(LaneGroup*& found);
    [[nodiscard]] bool othersFirst(std::size_t group);
    [[nodiscard]] bool waitsElsewhere(std::uint32_t lanes, std::uint32_t living) const;
    void exchange(std::uint32_t lanes);

    std::size_t lastGroup_ = SIZE_MAX;
    std::uint32_t turnsOfGroup_ = 0;
    bool isBlocked_ = false;
};

inline WarpLanes::Events WarpLanes::eventsOf(const LaneGroup& group) const {
    Events events;
    for (std::uint32_t rest = group.mask; rest != 0; rest &= rest - 1) {
        const auto index = static_cast<std::uint32_t>(std::countr_zero(rest));
        const Lane& lane = lanes_[index];
        events.of[events.count] = lane.next;
        events.index[events.count++] = index;
        events.available =
            std::min(events.available, static_cast<std::size_t>(lane.end - lane.next));
    }
    return events;
}

inline bool WarpLanes::follow(LaneGroup& group, std::size_t index, SiteKind kind,
                              std::uint32_t site, std::uint32_t jump, const Events& events,
                              std::size_t at) {
    const std::uint32_t mask = group.mask;
    switch (kind) {
        case SiteKind::branch:
            if (jump == 0 || jump == mask) {
                if (!divergence_.joinAtBranch(index, jump != 0, site)) return false;
                pass(events, at + 1);
            } else {
                pass(events, at + 1);
                divergence_.partAtBranch(index, jump, site);
            }
            return true;
        case SiteKind::warpEvent:
            pass(events, at + 1);
            answerLanes(mask);
            return true;
        case SiteKind::enter:
            divergence_.enterFunction(group, site);
            return false;
        case SiteKind::leave:
            Divergence::leaveFunction(group);
            return false;
        default:
            return false;
    }
}

}  // namespace warplens::runtime
