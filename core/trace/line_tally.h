#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/access/tally.h"
#include "core/trace/warp_observer.h"

namespace warplens::trace {

/// What one line of a kernel's body does to one of its arrays, or at its mark, summed over a
/// launch. Of the tallies the one that fits `kind` counts.
struct LineTally final {
    std::uint32_t line = 0;  ///< in the body file
    EventKind kind = EventKind::load;
    std::uint16_t subject = 0;  ///< which array, shared array or branch
    AccessTally access;
    SharedTally shared;
    BranchTally branch;
    AtomicTally atomic;
    friend bool operator==(const LineTally&, const LineTally&) = default;
};

/// The tallies of a kernel's lines: a few, whatever the launch.
class LineTallies final {
  public:
    /// The entry, made where there is none yet. Valid until the next call.
    [[nodiscard]] LineTally& at(std::uint32_t line, EventKind kind, std::uint16_t subject);
    void add(const LineTallies& other, std::uint64_t times = 1);
    /// By line; in one line in the order in which they came up.
    [[nodiscard]] std::vector<LineTally> sorted() const;

  private:
    std::vector<LineTally> entries_;
};

/// The lines put together by array and branch.
[[nodiscard]] LaunchTally launchTallyOf(const Kernel& kernel, std::span<const LineTally> lines);

/// All that lies on one line, together.
struct LineSum final {
    AccessTally access;  ///< loads and stores
    SharedTally shared;
    BranchTally branch;
    AtomicTally atomic;
};
[[nodiscard]] LineSum sumOfLine(std::span<const LineTally> lines, std::uint32_t line);

}  // namespace warplens::trace
