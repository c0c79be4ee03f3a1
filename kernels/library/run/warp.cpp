#include "kernels/library/run/warp.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>

namespace warplens::library {
namespace {

using runtime::Divergence;
using runtime::LaneGroup;
using runtime::Outcome;
using runtime::SiteKind;

std::uint32_t maskOf(std::uint32_t count) {
    return count == lanesPerWarp ? ~0u : (1u << count) - 1;
}

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

Warp::Warp(LaneRunner& runner, PlaceTable& places, Lane* lanes, std::uint32_t count,
           trace::WarpObserver& observer)
    : runner_(runner),
      places_(places),
      lanes_(lanes),
      count_(count),
      observer_(observer),
      divergence_(places.rows(), count) {}

std::uint32_t Warp::lanesIn(LaneState state) const {
    std::uint32_t mask = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
        if (lanes_[i].state == state) mask |= 1u << i;
    }
    return mask;
}

void Warp::advance() {
    while (const LaneGroup* const group = nextGroup()) {
        take(static_cast<std::size_t>(group - divergence_.groups().data()));
    }
}

/// The uppermost group none of whose lanes are in a group above it, and that can go on. Lanes that
/// have no events are run.
LaneGroup* Warp::nextGroup() {
    std::vector<LaneGroup>& groups = divergence_.groups();
    for (;;) {
        std::uint32_t above = 0;
        bool again = false;
        for (std::size_t i = groups.size(); i-- > 0 && !again;) {
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
            again = true;
            if (runnable != 0) {
                runner_.run(lanes_, runnable);
            } else if (without == 0) {
                return &group;
            } else if ((without & lanesIn(LaneState::atWarp)) != 0 && releaseWaiting()) {
                // Tiles of a warp come free one after another: all of them first.
            } else if (const std::uint32_t with = group.mask & ~without; with != 0) {
                // Some have nothing more to do here: they go their own way as far as it goes.
                divergence_.part(i, without, with, 0);
            } else if (!group.whole && (group.mask & ~lanesIn(LaneState::ended)) == 0) {
                divergence_.leave(i);
            } else {
                again = false;
            }
        }
        if (!again) return nullptr;
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

/// Lanes whose event of __activemask() has been read go on.
void Warp::answerLanes(std::uint32_t mask) {
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        Lane& lane = lanes_[std::countr_zero(rest)];
        if (lane.next == lane.end && lane.state == LaneState::atActive) {
            lane.answer = mask;
            lane.state = LaneState::runnable;
        }
    }
}

void Warp::take(std::size_t index) {
    LaneGroup& group = divergence_.groups()[index];
    Divergence::begin(group);
    const std::uint32_t mask = group.mask;
    std::array<const Event*, lanesPerWarp> events;
    std::array<std::uint32_t, lanesPerWarp> lanesOf;
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
        events_ += by * count;
        if (events_ > mostEvents) throw TooManyEvents{mostEvents};
    };
    std::array<Event, lanesPerWarp> column;
    for (std::size_t at = 0; at < available; ++at) {
        const Event first = events[0][at];
        const auto site = static_cast<std::uint32_t>(first >> siteShift);
        if (!group.whole && site != roundSite && divergence_.isOutside(group, site)) {
            advanceLanes(at);
            divergence_.leave(index);
            return;
        }
        Event other = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            column[i] = events[i][at];
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
                std::uint32_t taken = (first & 1) != 0 ? mask : 0;
                if (other != 0) {
                    taken = 0;
                    for (std::uint32_t i = 0; i < count; ++i) {
                        if ((column[i] & 1) != 0) taken |= 1u << lanesOf[i];
                    }
                }
                if (place.name != nullptr) decide(place, mask, taken);
                if (other == 0) {
                    if (!divergence_.joinAtBranch(index, taken != 0, site)) break;
                    advanceLanes(at + 1);
                    return;
                }
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

/// Lanes at warp intrinsics go on where all that they name are there. Those that are not are run
/// first. False where nobody waits.
bool Warp::releaseWaiting() {
    const std::uint32_t living = maskOf(count_) & ~lanesIn(LaneState::ended);
    const std::uint32_t waiting = lanesIn(LaneState::atWarp);
    for (std::uint32_t rest = waiting; rest != 0; rest &= rest - 1) {
        const std::uint32_t named = lanes_[std::countr_zero(rest)].waitMask & living;
        if ((named & ~waiting) != 0) continue;
        std::uint8_t* const values = exchanged_[nextExchange_++ % 2];
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
        return true;
    }
    return false;
}

}  // namespace warplens::library
