#include "core/trace/warp_alignment.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace warplens::trace {
namespace {

class Alignment final {
  public:
    Alignment(std::span<const std::span<const Event>> lanes, WarpObserver& observer)
        : observer_(observer) {
        assert(!lanes.empty() && lanes.size() <= lanesPerWarp);
        for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
            next_[lane] = lanes[lane].data();
            end_[lane] = lanes[lane].data() + lanes[lane].size();
        }
    }

    /// Runs the lanes of `mask` until each has come to a `leave` it did not enter, to the condition
    /// of the loop named `loop` that it is in, or to its end.
    void run(std::uint32_t mask, const char* loop = nullptr) {
        while (true) {
            if (mask != 0 && emitTogether(mask)) continue;
            if ((mask = movable(mask, loop)) == 0) break;
            const Event& lead = leadOf(mask);
            const std::uint32_t group = lanesAt(lead, mask);
            if (lead.kind == EventKind::branch) {
                runBranch(lead, group);
            } else if (lead.kind == EventKind::again) {
                runLoop(lead, group);
            } else if (lead.kind == EventKind::round) {
                beginRound(lead, group);
            } else {
                emitRequest(lead, group);
            }
        }
    }

  private:
    template <class Action>
    static void forEachLane(std::uint32_t mask, Action action) {
        for (; mask != 0; mask &= mask - 1) action(std::countr_zero(mask));
    }

    /// Lanes of `mask` that still have something to do in this arm or this round of the loop.
    std::uint32_t movable(std::uint32_t mask, const char* loop) const {
        std::uint32_t result = mask;
        forEachLane(mask, [&](int lane) {
            const Event* next = next_[lane];
            if (next == end_[lane] || next->kind == EventKind::leave ||
                (next->kind == EventKind::again && next->branchName() == loop)) {
                result &= ~(1u << lane);
            }
        });
        return result;
    }

    /// The event to issue next: the earliest line among those the lanes stand at.
    const Event& leadOf(std::uint32_t mask) const {
        const Event* lead = next_[std::countr_zero(mask)];
        forEachLane(mask, [&](int lane) {
            if (next_[lane]->line < lead->line) lead = next_[lane];
        });
        return *lead;
    }

    std::uint32_t lanesAt(const Event& lead, std::uint32_t mask) const {
        std::uint32_t group = 0;
        forEachLane(
            mask, [&](int lane) { group |= std::uint32_t{next_[lane]->samePlace(lead)} << lane; });
        return group;
    }

    void emitRequest(const Event lead, std::uint32_t group) {
        std::size_t count = 0;
        forEachLane(group, [&](int lane) { addresses_[count++] = next_[lane]++->address; });
        observer_.onRequest({lead.kind, lead.subject, lead.line, lead.bytes, group,
                             std::span(addresses_).first(count)});
    }

    /// The usual case: all lanes of the mask stand at one access.
    bool emitTogether(std::uint32_t mask) {
        const int first = std::countr_zero(mask);
        if (next_[first] == end_[first] || next_[first]->kind > EventKind::sharedStore)
            return false;
        const Event lead = *next_[first];
        const std::uint64_t place = lead.place();
        std::size_t count = 0;
        for (std::uint32_t left = mask; left != 0; left &= left - 1) {
            const int lane = std::countr_zero(left);
            const Event* const event = next_[lane];
            if (event == end_[lane] || event->place() != place) return false;
            addresses_[count++] = event->address;
        }
        forEachLane(mask, [&](int lane) { ++next_[lane]; });
        observer_.onRequest({lead.kind, lead.subject, lead.line, lead.bytes, mask,
                             std::span(addresses_).first(count)});
        return true;
    }

    void beginRound(const Event lead, std::uint32_t group) {
        forEachLane(group, [&](int lane) { ++next_[lane]; });
        observer_.onRound({lead.line, static_cast<std::int64_t>(lead.address), group});
    }

    /// Takes the lanes of `group` past a branch or a loop's condition; returns those that took it.
    std::uint32_t decide(const Event& lead, std::uint32_t group) {
        std::uint32_t taken = 0;
        forEachLane(group, [&](int lane) {
            taken |= std::uint32_t{next_[lane]->taken()} << lane;
            ++next_[lane];
        });
        observer_.onBranch({lead.branchName(), lead.line, group, taken});
        return taken;
    }

    void leave(std::uint32_t group) {
        forEachLane(group, [&](int lane) {
            if (next_[lane] != end_[lane]) ++next_[lane];
        });
    }

    void runBranch(const Event lead, std::uint32_t group) {
        const std::uint32_t taken = decide(lead, group);
        run(taken);
        run(group & ~taken);
        leave(group);
    }

    void runLoop(const Event lead, std::uint32_t group) {
        for (std::uint32_t inside = group; inside != 0;) {
            inside = decide(lead, inside);
            run(inside, lead.branchName());
        }
        leave(group);
    }

    std::array<const Event*, lanesPerWarp> next_{};
    std::array<const Event*, lanesPerWarp> end_{};
    std::array<std::uint64_t, lanesPerWarp> addresses_{};
    WarpObserver& observer_;
};

}  // namespace

void alignWarp(std::span<const std::span<const Event>> lanes, WarpObserver& observer) {
    const std::uint32_t all = lanes.size() == lanesPerWarp ? ~0u : (1u << lanes.size()) - 1;
    Alignment(lanes, observer).run(all);
}

}  // namespace warplens::trace
