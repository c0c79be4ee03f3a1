#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/access/line_cost.h"

namespace warplens::trace {

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
