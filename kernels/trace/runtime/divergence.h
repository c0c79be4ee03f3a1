#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/trace/runtime/tables.h"

namespace warplens::runtime {

/// A call that lanes are in, and the one around it.
struct Frame final {
    const Frame* caller = nullptr;
    std::uint32_t depth = 0;
    std::uint32_t callSite = 0;
    mutable const Frame* lastCallee = nullptr;  ///< mostly the next one, too
};

/// Lanes that are together, within what they parted for.
struct LaneGroup final {
    std::uint32_t mask = 0;
    std::uint32_t branch = 0;  ///< the site; 0: until the function is left; for all: the kernel
    std::uint32_t depth = 0;   ///< of the frame that the branch is in
    bool whole = false;        ///< of the kernel: never leaves
    const Frame* frame = nullptr;
    /// The block that it is about to begin, which others may still come to: they join it.
    std::uint32_t awaitsAt = 0;
};

/// How the lanes of one warp have parted. They part where a branch takes them different ways, and
/// meet again at its immediate post-dominator, as compiled code has it; those that come to one
/// block from the parts of a condition, as to the body of `if (a || b)`, meet there. What a group
/// above another one does comes first.
class Divergence final {
  public:
    /// `sites` lives on; the first is site 1.
    Divergence(const SiteRow* sites, std::uint32_t lanes);
    /// All lanes are together, at the beginning.
    void begin(std::uint32_t lanes);

    [[nodiscard]] std::vector<LaneGroup>& groups() { return groups_; }
    [[nodiscard]] const SiteRow& row(std::uint32_t site) const { return sites_[site - 1]; }
    /// Whether lanes that come to this site have left what the group is for.
    [[nodiscard]] bool isOutside(const LaneGroup& group, std::uint32_t site) const {
        if (group.whole || group.frame->depth > group.depth) return false;
        return row(site).kind == SiteKind::leave || (group.branch != 0 && isBehind(group, site));
    }
    /// The group begins the block it came to: nobody joins it there any more.
    static void begin(LaneGroup& group) { group.awaitsAt = 0; }
    /// The lanes meet those they parted from.
    void leave(std::size_t group);
    /// The second is put above the first; returns its place. `branch` 0: until the function is
    /// left.
    std::size_t part(std::size_t group, std::uint32_t first, std::uint32_t second,
                     std::uint32_t branch);
    /// At a branch that `taken` of the group's lanes jump at, not all.
    void partAtBranch(std::size_t group, std::uint32_t taken, std::uint32_t site);
    /// At a branch that all of the group's lanes jump at, or none: whether they joined others.
    bool joinAtBranch(std::size_t group, bool taken, std::uint32_t site) {
        return anyHasAwaited_ && join(group, row(site).arms[taken ? 1 : 0]);
    }
    void enterFunction(LaneGroup& group, std::uint32_t callSite);
    static void leaveFunction(LaneGroup& group);

  private:
    [[nodiscard]] bool isBehind(const LaneGroup& group, std::uint32_t site) const;
    bool join(std::size_t group, std::uint32_t arm);
    const Frame* newFrame(const Frame& caller, std::uint32_t callSite);

    const SiteRow* sites_;
    std::vector<LaneGroup> groups_;
    bool anyHasAwaited_ = false;
    std::vector<std::unique_ptr<Frame>> frames_;
};

}  // namespace warplens::runtime
