#include "kernels/library/run/warp.h"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "core/launch/mapping.h"
#include "kernels/library/run/kernel_variables.h"

namespace warplens::library {
namespace {

using runtime::addressMask;
using runtime::Divergence;
using runtime::Event;
using runtime::Lane;
using runtime::LaneGroup;
using runtime::LaneState;
using runtime::Outcome;
using runtime::SiteKind;
using runtime::siteShift;

}  // namespace

PlaceTable::PlaceTable(std::span<const runtime::SiteRow> sites, std::vector<ArrayRange> ranges,
                       std::span<const std::pair<std::uint32_t, const char*>> names)
    : sites_(sites), places_(sites.size() + 1), ranges_(std::move(ranges)) {
    for (std::size_t i = 0; i < sites.size(); ++i) {
        Place& place = places_[i + 1];
        place.row = &sites[i];
        place.kind = sites[i].kind;
        place.line = sites[i].line;
        place.bytes = sites[i].bytes;
        place.outcomes = sites[i].outcomes;
        if (place.outcomes == 0) continue;
        for (const auto& [line, name] : names) {
            if (line == place.line) place.name = name;
        }
    }
}

bool PlaceTable::find(Place& place, std::uint64_t address) const {
    const ArrayRange* below = nullptr;
    for (const ArrayRange& range : ranges_) {
        if (range.begin <= address) below = &range;
    }
    if (below == nullptr || address - below->begin >= below->bytes) return false;
    place.range = *below;
    place.subject = below->subject;
    using trace::EventKind;
    switch (place.kind) {
        case SiteKind::load:
            place.event = below->isShared ? EventKind::sharedLoad : EventKind::load;
            break;
        case SiteKind::store:
            place.event = below->isShared ? EventKind::sharedStore : EventKind::store;
            break;
        default:
            place.event = below->isShared ? EventKind::sharedAtomic : EventKind::atomic;
    }
    return true;
}

Warp::Warp(runtime::LaneRunner& runner, PlaceTable& places, Lane* lanes, std::uint32_t count,
           trace::WarpObserver& observer)
    : WarpLanes(runner, places.rows(), lanes, count), places_(places), observer_(observer) {}

void Warp::advance() {
    while (const LaneGroup* const group = nextGroup()) {
        take(static_cast<std::size_t>(group - divergence_.groups().data()));
        if (passed_ > mostEvents) throw TooManyEvents{mostEvents};
    }
    const std::uint32_t waiting = isBlocked() ? lanesIn(LaneState::atWarp) : 0;
    for (std::uint32_t rest = waiting; rest != 0; rest &= rest - 1) {
        const auto waiter = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint32_t living = all() & ~lanesIn(LaneState::ended);
        const std::uint32_t missing = lanes_[waiter].waitMask & living & ~waiting;
        if (missing != 0) onMissing(waiter, static_cast<std::uint32_t>(std::countr_zero(missing)));
    }
}

void Warp::request(PlaceTable::Place& place, std::uint32_t mask, const Event* column,
                   std::uint32_t count) {
    std::array<std::uint64_t, lanesPerWarp> addresses;
    const auto inRange = [&] {
        const std::uint64_t begin = place.range.begin;
        const std::uint64_t shown = place.range.shown;
        const std::uint64_t bytes = place.range.bytes;
        std::uint64_t most = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint64_t offset = (column[i] & addressMask) - begin;
            most = std::max(most, offset);
            addresses[i] = shown + offset;
        }
        return most < bytes;
    };
    const auto findLane = [&](std::uint32_t i) {
        const std::uint64_t address = column[i] & addressMask;
        if (places_.find(place, address)) return;
        std::uint32_t rest = mask;
        for (; i > 0; --i) rest &= rest - 1;
        throw OutsideArrays{place.line, address, lanes_[std::countr_zero(rest)].thread};
    };
    if (!inRange()) {
        if (runner_.isOnStack(column[0] & addressMask)) return;
        findLane(0);
        if (!inRange()) {
            for (std::uint32_t i = 0; i < count; ++i) findLane(i);
            throw std::logic_error("lanes of one request access different arrays");
        }
    }
    observer_.onRequest({place.event, place.subject, place.line, place.bytes, mask,
                         std::span<const std::uint64_t>(addresses).first(count)});
}

void Warp::decide(const PlaceTable::Place& place, std::uint32_t mask, std::uint32_t taken) {
    const auto through = static_cast<Outcome>(place.outcomes & 3);
    const auto jumped = static_cast<Outcome>(place.outcomes >> 2 & 3);
    const auto lanesWith = [&](Outcome outcome) {
        return (through == outcome ? mask & ~taken : 0) | (jumped == outcome ? taken : 0);
    };
    const std::uint32_t holds = lanesWith(Outcome::yes);
    const std::uint32_t within = lanesWith(Outcome::within);
    const auto known = std::ranges::find_if(open_, [&](const OpenCondition& condition) {
        return condition.name == place.name && (condition.pending & mask) != 0;
    });
    if (known == open_.end()) {
        if (within == 0) return observer_.onBranch({place.name, place.line, mask, holds});
        open_.push_back({place.name, place.line, mask, within, holds});
        return;
    }
    known->pending &= ~mask | within;
    known->holds |= holds;
    if (known->pending != 0) return;
    const OpenCondition done = *known;
    open_.erase(known);
    observer_.onBranch({done.name, done.line, done.active, done.holds});
}

void Warp::onMissing(std::uint32_t waiter, std::uint32_t missing) {
    throw MissingLane{places_.at(lanes_[waiter].waitSite).line, lanes_[waiter].thread,
                      lanes_[missing].thread};
}

void Warp::take(std::size_t index) {
    LaneGroup& group = divergence_.groups()[index];
    Divergence::begin(group);
    const std::uint32_t mask = group.mask;
    const Events events = eventsOf(group);
    const std::uint32_t count = events.count;
    std::array<Event, lanesPerWarp> column;
    for (std::size_t at = 0; at < events.available; ++at) {
        const Event first = events.of[0][at];
        const auto site = static_cast<std::uint32_t>(first >> siteShift);
        if (!group.whole && site != roundSite && divergence_.isOutside(group, site)) {
            pass(events, at);
            divergence_.leave(index);
            return;
        }
        Event other = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            column[i] = events.of[i][at];
            other |= column[i] ^ first;
        }
        if (other >> siteShift != 0) throw std::logic_error("a built-in kernel calls by pointer");
        if (site == roundSite) {
            observer_.onRound({static_cast<std::uint32_t>(first >> 32 & 0xffff),
                               static_cast<std::int32_t>(first & 0xffffffff), mask});
            continue;
        }
        PlaceTable::Place& place = places_.at(site);
        switch (place.kind) {
            case SiteKind::load:
            case SiteKind::store:
            case SiteKind::atomic:
                request(place, mask, column.data(), count);
                break;
            case SiteKind::branch: {
                const std::uint32_t jump = other != 0         ? lanesThatJump(events, at)
                                           : (first & 1) != 0 ? mask
                                                              : 0;
                if (place.name != nullptr) decide(place, mask, jump);
                if (follow(group, index, place.kind, site, jump, events, at)) return;
                break;
            }
            default:
                if (follow(group, index, place.kind, site, 0, events, at)) return;
        }
    }
    pass(events, events.available);
}

}  // namespace warplens::library
