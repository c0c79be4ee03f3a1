#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/access/line_cost.h"
#include "core/launch/mapping.h"

namespace warplens::trace {

/// Where an array's first element stands in the trace's own address space. Like cudaMalloc's
/// results, these are multiples of 256 and far apart.
[[nodiscard]] constexpr std::uint64_t baseAddress(std::uint16_t subject) {
    return std::uint64_t{subject + 1u} << 40;
}

/// Where an array lies in its block's shared memory.
struct SharedPlace final {
    std::uint32_t offset = 0;
    std::uint32_t elementBytes = 0;
    std::uint32_t columns = 0;  ///< of one row; 0 where the array has one extent
    friend bool operator==(const SharedPlace&, const SharedPlace&) = default;
};

/// One warp-level access: the same place of the program, for all lanes that came to it together.
struct WarpRequest final {
    AccessKind kind;        ///< one of the accesses
    std::uint16_t subject;  ///< which global, or which shared array
    std::uint32_t line;
    std::uint32_t bytes;                       ///< for each lane
    std::uint32_t activeLanes;                 ///< bit i: lane i
    std::span<const std::uint64_t> addresses;  ///< of the active lanes, in lane order
    /// Where not 0: requests with the same number have the same lanes, and addresses as far from
    /// the first one's.
    std::uint64_t pattern = 0;
};

/// One warp coming to a condition that is named.
struct WarpBranch final {
    const char* name;
    std::uint32_t line;
    std::uint32_t activeLanes;
    std::uint32_t takenLanes;  ///< subset of activeLanes
};

/// One warp beginning a round of a loop; told only where rounds are recorded.
struct WarpRound final {
    std::uint32_t line;
    std::int64_t value;  ///< of the loop's variable, in the first of the lanes
    std::uint32_t activeLanes;
};

/// Receives what a warp does, in the order in which it would be issued.
class WarpObserver {
  public:
    virtual ~WarpObserver() = default;
    virtual void onRequest(const WarpRequest& request) = 0;
    virtual void onBranch(const WarpBranch& branch) = 0;
    virtual void onRound(const WarpRound&) {}
};

/// What one line of a kernel's file does to one of its arrays, or at its branch.
struct LineTally final {
    std::uint32_t line = 0;
    AccessKind kind = AccessKind::load;
    std::uint16_t subject = 0;  ///< which array, shared array or branch
    LineCost cost{};
    friend bool operator==(const LineTally&, const LineTally&) = default;
};

/// The sums of a kernel's lines: a few, whatever the launch.
class LineTallies final {
  public:
    /// The line's, made where there is none yet. Valid until the next call.
    [[nodiscard]] LineCost& at(std::uint32_t line, AccessKind kind, std::uint16_t subject) {
        const auto found = std::ranges::find_if(entries_, [&](const LineTally& entry) {
            return entry.line == line && entry.kind == kind && entry.subject == subject;
        });
        if (found != entries_.end()) return found->cost;
        return entries_.emplace_back(LineTally{line, kind, subject}).cost;
    }
    void add(const LineTallies& other, std::uint64_t times = 1) {
        for (const LineTally& entry : other.entries_)
            at(entry.line, entry.kind, entry.subject).add(entry.cost, times);
    }
    /// By line; in one line in the order in which they came up.
    [[nodiscard]] std::vector<LineTally> sorted() const {
        std::vector<LineTally> lines = entries_;
        std::ranges::stable_sort(lines, {}, &LineTally::line);
        return lines;
    }

  private:
    std::vector<LineTally> entries_;
};

}  // namespace warplens::trace
