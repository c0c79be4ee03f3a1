#include "kernels/trace/runtime/warp_lanes.h"

#include <bit>
#include <cstring>

#include "kernels/trace/runtime/exchange.h"

namespace warplens::runtime {

WarpLanes::WarpLanes(LaneRunner& runner, const SiteRow* sites, Lane* lanes, std::uint32_t count)
    : runner_(runner), lanes_(lanes), count_(count), divergence_(sites, count) {
    runner.giveRooms(lanes, count);
}

void WarpLanes::begin() {
    runner_.giveRooms(lanes_, count_);
    divergence_.begin(count_);
    lastGroup_ = SIZE_MAX;
    passed_ = 0;
}

std::uint32_t WarpLanes::lanesIn(LaneState state) const {
    std::uint32_t mask = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
        if (lanes_[i].state == state) mask |= 1u << i;
    }
    return mask;
}

LaneGroup* WarpLanes::nextGroup() {
    LaneGroup* found = nullptr;
    while (look(found) && !runner_.abandoned()) {
    }
    return runner_.abandoned() ? nullptr : found;
}

/// Whether something has changed: it is to be looked at again.
bool WarpLanes::look(LaneGroup*& found) {
    std::vector<LaneGroup>& groups = divergence_.groups();
    std::uint32_t above = 0;
    found = nullptr;
    isBlocked_ = false;
    for (std::size_t i = groups.size(); i-- > 0;) {
        LaneGroup& group = groups[i];
        const bool isLeaf = (group.mask & above) == 0;
        above |= group.mask;
        if (!isLeaf) continue;
        std::uint32_t without = 0;
        std::uint32_t runnable = 0;
        for (std::uint32_t rest = group.mask; rest != 0; rest &= rest - 1) {
            const auto index = static_cast<std::uint32_t>(std::countr_zero(rest));
            const Lane& lane = lanes_[index];
            if (lane.next != lane.end) continue;
            without |= 1u << index;
            if (lane.canRun()) runnable |= 1u << index;
        }
        if (runnable != 0) {
            runner_.run(lanes_, runnable);
            return true;
        }
        if (without == 0) {
            found = &group;
            if (!othersFirst(i)) return false;
            continue;
        }
        // Tiles of a warp come free one after another: all of them first.
        if ((without & lanesIn(LaneState::atWarp)) != 0) {
            if (releaseWaiting()) return true;
            if (runner_.abandoned()) return false;
            isBlocked_ = true;
        }
        if (const std::uint32_t with = group.mask & ~without; with != 0) {
            // Some have nothing more to do here: they go their own way as far as it goes.
            divergence_.part(i, without, with, 0);
            return true;
        }
        if (!group.whole && (group.mask & ~lanesIn(LaneState::ended)) == 0) {
            divergence_.leave(i);
            return true;
        }
    }
    return false;
}

/// Lanes that go round and round may wait for a lock that lanes of another group hold: those get a
/// turn.
bool WarpLanes::othersFirst(std::size_t group) {
    constexpr std::uint32_t mostTurns = 64;
    if (group != lastGroup_) {
        lastGroup_ = group;
        turnsOfGroup_ = 0;
        return false;
    }
    if (++turnsOfGroup_ < mostTurns) return false;
    turnsOfGroup_ = 0;
    return true;
}

void WarpLanes::answerLanes(std::uint32_t mask) {
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        Lane& lane = lanes_[std::countr_zero(rest)];
        const bool asks = lane.state == LaneState::atActive;
        if (lane.next != lane.end || (!asks && lane.state != LaneState::atLockstep)) continue;
        if (asks) lane.answer = mask;
        lane.state = LaneState::runnable;
    }
}

/// Whether one of the lanes, all of which wait, names others than all of them: it is at another
/// intrinsic, of a tile say.
bool WarpLanes::waitsElsewhere(std::uint32_t lanes, std::uint32_t living) const {
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        if ((lanes_[std::countr_zero(rest)].waitMask & living) != lanes) return true;
    }
    return false;
}

void WarpLanes::exchange(std::uint32_t lanes) {
    std::uint8_t* const values =
        runner_.roomForExchange((lanes | lanesIn(LaneState::ended)) == all());
    for (std::uint32_t each = lanes; each != 0; each &= each - 1) {
        const int lane = std::countr_zero(each);
        std::memcpy(values + lane * exchangeStride, lanes_[lane].value, exchangeStride);
    }
    for (std::uint32_t each = lanes; each != 0; each &= each - 1) {
        Lane& lane = lanes_[std::countr_zero(each)];
        lane.exchanged = values;
        lane.answer = lanes;
        lane.state = LaneState::runnable;
    }
    onExchange();
}

bool WarpLanes::releaseWaiting() {
    bool together = false;  // even those that name different lanes
    for (;;) {
        std::uint32_t waiting = 0;
        std::uint32_t living = 0;
        std::uint32_t namedByAny = 0;
        std::uint32_t namedByAll = ~0u;
        for (std::uint32_t i = 0; i < count_; ++i) {
            const Lane& lane = lanes_[i];
            if (lane.state != LaneState::ended) living |= 1u << i;
            if (lane.state != LaneState::atWarp) continue;
            waiting |= 1u << i;
            namedByAny |= lane.waitMask;
            namedByAll &= lane.waitMask;
        }
        if (waiting == 0) return false;
        if ((namedByAny & living) == waiting && (namedByAll & living) == waiting) {
            exchange(waiting);
            return true;
        }
        std::uint32_t missing = 0;
        bool elsewhere = false;
        for (std::uint32_t rest = waiting; rest != 0; rest &= rest - 1) {
            const std::uint32_t named = lanes_[std::countr_zero(rest)].waitMask & living;
            if ((named & ~waiting) != 0) {
                missing |= named & ~waiting;
            } else if (!together && waitsElsewhere(named, living)) {
                elsewhere = true;
            } else {
                exchange(named | (rest & ~(rest - 1)));
                return true;
            }
        }
        if (missing == 0) {
            if (!elsewhere) return false;
            together = true;
            continue;
        }
        if (!runner_.roomsGrow()) return false;
        std::uint32_t runnable = 0;
        for (std::uint32_t rest = missing; rest != 0; rest &= rest - 1) {
            const std::uint32_t bit = rest & ~(rest - 1);
            Lane& lane = lanes_[std::countr_zero(rest)];
            if (lane.state == LaneState::atActive) lane.answer = bit;
            if (lane.state == LaneState::atLockstep || lane.state == LaneState::atActive) {
                lane.state = LaneState::runnable;
            }
            const bool hasRoom =
                runner_.program().mode == RunMode::fast ||
                static_cast<std::uint64_t>(lane.end - lane.begin) < runner_.memory().mostEvents / 2;
            if (lane.canRun() && hasRoom) runnable |= bit;
        }
        if (const std::uint32_t stuck = missing & ~runnable; stuck != 0) {
            onMissing(static_cast<std::uint32_t>(std::countr_zero(waiting)),
                      static_cast<std::uint32_t>(std::countr_zero(stuck)));
            for (std::uint32_t rest = waiting; rest != 0; rest &= rest - 1) {
                lanes_[std::countr_zero(rest)].waitMask &= ~stuck;
            }
        } else {
            runner_.run(lanes_, runnable, true);
            if (runner_.abandoned()) return false;
        }
    }
}

}  // namespace warplens::runtime
