#include "kernels/trace/runtime/warp.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/trace/runtime/launch_state.h"
#include "kernels/trace/runtime/races.h"
#include "kernels/trace/runtime/steps.h"
#include "kernels/trace/runtime/tally.h"

namespace warplens::runtime {
namespace {

WarpView view;
constexpr std::size_t mostParted = 4096;

/// Values that lanes exchange stay readable until this many later exchanges.
constexpr std::size_t exchangesKept = 256;
alignas(16) std::uint8_t exchanged[exchangesKept][32 * 32];
std::size_t nextExchange = 0;

/// The innermost call of the program's own files: what headers of the compiler do is told there.
std::uint32_t personsCall(const Frame* frame) {
    for (; frame->caller != nullptr; frame = frame->caller) {
        if ((siteRow(frame->callSite).flags & siteOfLibrary) == 0) return frame->callSite;
    }
    return 0;
}

}  // namespace

const WarpView& warpNow() {
    return view;
}

Warp::Warp(Lane* lanes, std::uint32_t count, std::uint32_t index)
    : lanes_(lanes), count_(count), index_(index), divergence_(&siteRow(1), count) {}

bool Warp::ended() const {
    return lanesIn(LaneState::ended) == (count_ == 32 ? ~0u : (1u << count_) - 1);
}

std::uint32_t Warp::lanesIn(LaneState state) const {
    std::uint32_t mask = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
        if (lanes_[i].state == state) mask |= 1u << i;
    }
    return mask;
}

void Warp::runAll() {
    for (;;) {
        std::uint32_t mask = 0;
        for (std::uint32_t i = 0; i < count_; ++i) {
            if (lanes_[i].canRun()) mask |= 1u << i;
        }
        if (mask != 0) {
            runLanes(lanes_, mask);
            if (launchState.failed) return;
            continue;
        }
        // Without events nobody knows who is beside whom: all that ask are told of one another.
        const std::uint32_t active = lanesIn(LaneState::atActive);
        for (std::uint32_t rest = active; rest != 0; rest &= rest - 1) {
            Lane& lane = lanes_[std::countr_zero(rest)];
            lane.answer = active;
            lane.state = LaneState::runnable;
        }
        if (active != 0) continue;
        if (!releaseWaiting()) return;
    }
}

void Warp::advance() {
    view = {lanes_, index_};
    if (laneProgram.mode != RunMode::traced) return runAll();
    while (!launchState.failed) {
        const std::vector<LaneGroup>& groups = divergence_.groups();
        if (groups.size() > mostParted) {
            giveUp("the lanes of a warp parted more than " + std::to_string(mostParted) + " times");
        }
        const LaneGroup* const group = nextGroup();
        if (group == nullptr) return;
        take(static_cast<std::size_t>(group - groups.data()));
    }
}

/// The uppermost group none of whose lanes are in a group above it, and that can go on. Lanes that
/// have no events are run.
LaneGroup* Warp::nextGroup() {
    std::vector<LaneGroup>& groups = divergence_.groups();
    std::uint32_t above = 0;
    LaneGroup* passed = nullptr;
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
            runLanes(lanes_, runnable);
            return launchState.failed ? nullptr : nextGroup();
        }
        if (without == 0) {
            if (!othersFirst(i)) return &group;
            passed = &group;
            continue;
        }
        // Tiles of a warp come free one after another: all of them first.
        if ((without & lanesIn(LaneState::atWarp)) != 0 && releaseWaiting()) return nextGroup();
        if (launchState.failed) return nullptr;
        // Some have nothing more to do here: they go their own way as far as it goes.
        const std::uint32_t with = group.mask & ~without;
        if (with != 0) {
            divergence_.part(i, without, with, 0);
            return nextGroup();
        }
        const bool allEnded = (group.mask & ~lanesIn(LaneState::ended)) == 0;
        if (allEnded && !group.whole) {
            divergence_.leave(i);
            return nextGroup();
        }
    }
    return passed;
}

/// Lanes that go round and round may wait for a lock that lanes of another group hold: those get a
/// turn.
bool Warp::othersFirst(std::size_t group) {
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

/// Calls through pointers may lead lanes to different functions.
void Warp::partBySite(std::size_t index, const Event* const* events, std::size_t at) {
    const std::uint32_t mask = divergence_.groups()[index].mask;
    const std::uint64_t site = events[0][at] >> siteShift;
    std::uint32_t same = 0;
    std::size_t i = 0;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1, ++i) {
        if (events[i][at] >> siteShift == site) same |= rest & ~(rest - 1);
    }
    divergence_.part(index, mask & ~same, same, 0);
}

/// Lanes whose event of a volatile access or of __activemask() has been taken go on.
void Warp::answerLanes(std::uint32_t mask) {
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        Lane& lane = lanes_[std::countr_zero(rest)];
        if (lane.next != lane.end) continue;
        if (lane.state == LaneState::atActive) {
            lane.answer = mask;
            lane.state = LaneState::runnable;
        } else if (lane.state == LaneState::atLockstep) {
            lane.state = LaneState::runnable;
        }
    }
}

void Warp::take(std::size_t index) {
    LaneGroup& group = divergence_.groups()[index];
    Divergence::begin(group);
    const std::uint32_t mask = group.mask;
    const Event* events[32];
    std::uint32_t lanesOf[32];
    std::uint32_t count = 0;
    std::size_t available = SIZE_MAX;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        lanesOf[count] = lane;
        events[count++] = lanes_[lane].next;
        available =
            std::min(available, static_cast<std::size_t>(lanes_[lane].end - lanes_[lane].next));
    }
    const auto advanceLanes = [&](std::size_t by) {
        for (std::uint32_t i = 0; i < count; ++i) lanes_[lanesOf[i]].next += by;
    };
    for (std::size_t at = 0; at < available; ++at) {
        const Event first = events[0][at];
        const auto site = static_cast<std::uint32_t>(first >> siteShift);
        if (!group.whole && divergence_.isOutside(group, site)) {
            advanceLanes(at);
            divergence_.leave(index);
            return;
        }
        Place& place = placeOfSite(site);
        if (place.kind <= SiteKind::atomic && !stepsAreRecorded) {
            if (takeShape(place, site, mask, count, events, at)) continue;
        }
        Event other = 0;
        for (std::uint32_t i = 1; i < count; ++i) other |= events[i][at] ^ first;
        if (other >> siteShift != 0) {
            advanceLanes(at);
            partBySite(index, events, at);
            return;
        }
        switch (place.kind) {
            case SiteKind::load:
            case SiteKind::store:
            case SiteKind::atomic:
                countRequest(place, site, mask, count, events, at, personsCall(group.frame));
                if ((place.flags & siteIsVolatile) != 0) {
                    advanceLanes(at + 1);
                    beginWarpInterval(index_);
                    answerLanes(mask);
                    return;
                }
                if (launchState.failed) return;
                break;
            case SiteKind::branch: {
                countBranch(place, site, count, other != 0, personsCall(group.frame));
                if (other == 0) {
                    const bool jumps = (first & 1) != 0;
                    if (stepsAreRecorded) recordBranch(site, mask, jumps ? mask : 0);
                    if (!divergence_.joinAtBranch(index, jumps, site)) break;
                    advanceLanes(at + 1);
                    return;
                }
                std::uint32_t taken = 0;
                for (std::uint32_t i = 0; i < count; ++i) {
                    if ((events[i][at] & 1) != 0) taken |= 1u << lanesOf[i];
                }
                if (stepsAreRecorded) recordBranch(site, mask, taken);
                advanceLanes(at + 1);
                divergence_.partAtBranch(index, taken, site);
                return;
            }
            case SiteKind::enter:
                divergence_.enterFunction(group, site);
                break;
            case SiteKind::leave:
                Divergence::leaveFunction(group);
                break;
            case SiteKind::warpEvent:
                advanceLanes(at + 1);
                answerLanes(mask);
                return;
            case SiteKind::division:
                break;
        }
    }
    advanceLanes(available);
}

/// Whether one of the lanes, all of which wait, names others than all of them: it is at another
/// intrinsic, of a tile say.
bool Warp::waitsElsewhere(std::uint32_t lanes, std::uint32_t living) const {
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
        if ((lanes_[std::countr_zero(rest)].waitMask & living) != lanes) return true;
    }
    return false;
}

/// Lanes at warp intrinsics go on where all that they name are there. Those that are not are run
/// first. False where nobody waits.
bool Warp::releaseWaiting() {
    bool together = false;  // even those that name different lanes
    for (;;) {
        const std::uint32_t waiting = lanesIn(LaneState::atWarp);
        if (waiting == 0) return false;
        const std::uint32_t living =
            (count_ == 32 ? ~0u : (1u << count_) - 1) & ~lanesIn(LaneState::ended);
        std::uint32_t missing = 0;
        bool elsewhere = false;
        for (std::uint32_t rest = waiting; rest != 0; rest &= rest - 1) {
            const std::uint32_t named = lanes_[std::countr_zero(rest)].waitMask & living;
            if ((named & ~waiting) != 0) {
                missing |= named & ~waiting;
                continue;
            }
            if (!together && waitsElsewhere(named, living)) {
                elsewhere = true;
                continue;
            }
            std::uint8_t* values = exchanged[nextExchange++ % exchangesKept];
            const std::uint32_t all = named | (rest & ~(rest - 1));
            for (std::uint32_t each = all; each != 0; each &= each - 1) {
                const int lane = std::countr_zero(each);
                std::memcpy(values + lane * 32, lanes_[lane].value, 32);
            }
            for (std::uint32_t each = all; each != 0; each &= each - 1) {
                Lane& lane = lanes_[std::countr_zero(each)];
                lane.exchanged = values;
                lane.answer = all;
                lane.state = LaneState::runnable;
            }
            beginWarpInterval(index_);
            return true;
        }
        if (missing == 0 && elsewhere) {
            together = true;
            continue;
        }
        std::uint32_t runnable = 0;
        std::uint32_t stuck = 0;
        for (std::uint32_t rest = missing; rest != 0; rest &= rest - 1) {
            const std::uint32_t bit = rest & ~(rest - 1);
            Lane& lane = lanes_[std::countr_zero(rest)];
            if (lane.state == LaneState::atLockstep) lane.state = LaneState::runnable;
            if (lane.state == LaneState::atActive) {
                lane.answer = bit;
                lane.state = LaneState::runnable;
            }
            if (!lane.canRun()) {
                stuck |= bit;
            } else if (laneProgram.mode == RunMode::fast) {
                runnable |= bit;
            } else if (static_cast<std::uint64_t>(lane.end - lane.begin) < mostRoomEvents / 2) {
                runnable |= bit;
            } else {
                stuck |= bit;
            }
        }
        if (stuck != 0) {
            const auto which = static_cast<std::uint32_t>(std::countr_zero(stuck));
            const auto waiter = static_cast<std::uint32_t>(std::countr_zero(waiting));
            addFinding(FindingKind::barrierMismatch,
                       "a warp intrinsic waits for lane " + std::to_string(which) +
                           ", which does not come to it",
                       lanes_[waiter].waitSite, &lanes_[waiter].thread);
            for (std::uint32_t rest = waiting; rest != 0; rest &= rest - 1) {
                lanes_[std::countr_zero(rest)].waitMask &= ~stuck;
            }
            continue;
        }
        runLanes(lanes_, runnable, true);
        if (launchState.failed) return false;
    }
}

}  // namespace warplens::runtime
