#include "kernels/trace/runtime/divergence.h"

#include <algorithm>

namespace warplens::runtime {

Divergence::Divergence(const SiteRow* sites, std::uint32_t lanes) : sites_(sites) {
    frames_.emplace_back(std::make_unique<Frame>());
    begin(lanes);
}

void Divergence::begin(std::uint32_t lanes) {
    LaneGroup all;
    all.mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
    all.whole = true;
    all.frame = frames_.front().get();
    groups_.assign(1, all);
    anyHasAwaited_ = false;
}

/// Whether the site is where the lanes that parted at the group's branch are together again.
bool Divergence::isBehind(const LaneGroup& group, std::uint32_t site) const {
    const SiteRow& branch = row(group.branch);
    const std::uint32_t bit = site - branch.function->firstSite;
    if (bit >= branch.function->sites) return true;
    return (branch.region[bit / 64] >> (bit % 64) & 1) == 0;
}

void Divergence::leave(std::size_t group) {
    groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(group));
}

std::size_t Divergence::part(std::size_t index, std::uint32_t first, std::uint32_t second,
                             std::uint32_t branch) {
    const LaneGroup group = groups_[index];
    LaneGroup apart = group;
    apart.whole = false;
    apart.branch = branch;
    apart.depth = group.frame->depth;
    apart.awaitsAt = 0;
    if (!group.whole && group.branch == branch && group.depth == apart.depth) {
        // Once more at the same branch, of a loop: they meet where those before them meet.
        groups_[index].mask = first;
        apart.mask = second;
        groups_.insert(groups_.begin() + static_cast<std::ptrdiff_t>(index) + 1, apart);
        return index + 1;
    }
    apart.mask = first;
    groups_.push_back(apart);
    apart.mask = second;
    groups_.push_back(apart);
    return groups_.size() - 1;
}

/// Those that jump go first, unless the others may come to where they jump.
void Divergence::partAtBranch(std::size_t index, std::uint32_t taken, std::uint32_t site) {
    const std::uint32_t mask = groups_[index].mask;
    const std::uint32_t(&arms)[2] = row(site).arms;
    const bool jumpLast = (arms[1] & armIsShared) != 0;
    const std::uint32_t first = jumpLast ? taken : mask & ~taken;
    const std::size_t second = part(index, first, mask & ~first, site);
    const std::uint32_t ofFirst = arms[jumpLast ? 1 : 0];
    const std::uint32_t ofSecond = arms[jumpLast ? 0 : 1];
    if ((ofFirst & armIsShared) != 0) {
        groups_[second - 1].awaitsAt = ofFirst & ~armIsShared;
        anyHasAwaited_ = true;
    }
    if (!anyHasAwaited_) return;
    join(second, ofSecond);
    join(second - 1, ofFirst);
}

/// Where lanes below wait at that block, the group's lanes are added to them.
bool Divergence::join(std::size_t index, std::uint32_t arm) {
    const std::uint32_t block = arm & ~armIsShared;
    if (block == 0) return false;
    const LaneGroup from = groups_[index];
    for (std::size_t i = index; i-- > 0;) {
        LaneGroup& waiting = groups_[i];
        if (waiting.awaitsAt != block || waiting.frame != from.frame) continue;
        waiting.mask |= from.mask;
        for (std::size_t above = groups_.size() - 1; above > i; --above) {
            groups_[above].mask &= ~from.mask;
            if (groups_[above].mask == 0) leave(above);
        }
        return true;
    }
    return false;
}

void Divergence::enterFunction(LaneGroup& group, std::uint32_t callSite) {
    const Frame* const caller = group.frame;
    if (caller->lastCallee == nullptr || caller->lastCallee->callSite != callSite) {
        const auto known = std::ranges::find_if(frames_, [&](const auto& frame) {
            return frame->caller == caller && frame->callSite == callSite;
        });
        caller->lastCallee = known != frames_.end() ? known->get() : newFrame(*caller, callSite);
    }
    group.frame = caller->lastCallee;
}

const Frame* Divergence::newFrame(const Frame& caller, std::uint32_t callSite) {
    const Frame frame{.caller = &caller, .depth = caller.depth + 1, .callSite = callSite};
    return frames_.emplace_back(std::make_unique<Frame>(frame)).get();
}

void Divergence::leaveFunction(LaneGroup& group) {
    if (group.frame->caller != nullptr) group.frame = group.frame->caller;
}

}  // namespace warplens::runtime
