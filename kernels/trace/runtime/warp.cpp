#include "kernels/trace/runtime/warp.h"

#include <bit>

#include "kernels/trace/runtime/launch_state.h"
#include "kernels/trace/runtime/races.h"
#include "kernels/trace/runtime/steps.h"
#include "kernels/trace/runtime/tally.h"

namespace warplens::runtime {
namespace {

WarpView view;
constexpr std::size_t mostParted = 4096;

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
    : WarpLanes(laneRunner, &siteRow(1), lanes, count), index_(index) {}

void Warp::runAll() {
    for (;;) {
        std::uint32_t mask = 0;
        for (std::uint32_t i = 0; i < count_; ++i) {
            if (lanes_[i].canRun()) mask |= 1u << i;
        }
        if (mask != 0) {
            runner_.run(lanes_, mask);
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

/// Calls through pointers may lead lanes to different functions.
void Warp::partBySite(std::size_t index, const Events& events, std::size_t at) {
    const std::uint32_t mask = divergence_.groups()[index].mask;
    const std::uint64_t site = events.of[0][at] >> siteShift;
    std::uint32_t same = 0;
    for (std::uint32_t i = 0; i < events.count; ++i) {
        if (events.of[i][at] >> siteShift == site) same |= 1u << events.index[i];
    }
    divergence_.part(index, mask & ~same, same, 0);
}

void Warp::take(std::size_t index) {
    LaneGroup& group = divergence_.groups()[index];
    Divergence::begin(group);
    const std::uint32_t mask = group.mask;
    const Events events = eventsOf(group);
    const std::uint32_t count = events.count;
    for (std::size_t at = 0; at < events.available; ++at) {
        const Event first = events.of[0][at];
        const auto site = static_cast<std::uint32_t>(first >> siteShift);
        if (!group.whole && divergence_.isOutside(group, site)) {
            pass(events, at);
            divergence_.leave(index);
            return;
        }
        Place& place = placeOfSite(site);
        if (place.kind <= SiteKind::atomic && !stepsAreRecorded) {
            if (takeShape(place, site, mask, count, events.of, at)) continue;
        }
        Event other = 0;
        for (std::uint32_t i = 1; i < count; ++i) other |= events.of[i][at] ^ first;
        if (other >> siteShift != 0) {
            pass(events, at);
            partBySite(index, events, at);
            return;
        }
        switch (place.kind) {
            case SiteKind::load:
            case SiteKind::store:
            case SiteKind::atomic:
                countRequest(place, site, mask, count, events.of, at, personsCall(group.frame));
                if ((place.flags & siteIsVolatile) != 0) {
                    pass(events, at + 1);
                    beginWarpInterval(index_);
                    answerLanes(mask);
                    return;
                }
                if (launchState.failed) return;
                break;
            case SiteKind::branch: {
                countBranch(place, site, count, other != 0, personsCall(group.frame));
                const std::uint32_t jump = other != 0         ? lanesThatJump(events, at)
                                           : (first & 1) != 0 ? mask
                                                              : 0;
                if (stepsAreRecorded) recordBranch(site, mask, jump);
                if (follow(group, index, place.kind, site, jump, events, at)) return;
                break;
            }
            default:
                if (follow(group, index, place.kind, site, 0, events, at)) return;
        }
    }
    pass(events, events.available);
}

void Warp::onExchange() {
    beginWarpInterval(index_);
}

void Warp::onMissing(std::uint32_t waiter, std::uint32_t missing) {
    addFinding(FindingKind::barrierMismatch,
               "a warp intrinsic waits for lane " + std::to_string(missing) +
                   ", which does not come to it",
               lanes_[waiter].waitSite, &lanes_[waiter].thread);
}

}  // namespace warplens::runtime
