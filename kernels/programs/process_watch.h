#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "kernels/programs/child_process.h"

namespace warplens {

/// Looks at what a process and those that it started use together: memory with what they share,
/// what is swapped out and page tables, and threads. Without a group
/// (ControlGroup) no limit of the system counts all of that: one on data (RLIMIT_DATA) leaves out
/// shared mappings and those made read-only, and root is free of the one on threads.
class ProcessWatch final {
  public:
    ProcessWatch(const ChildProcess& child, const ChildLimits& limits)
        : child_(child), memoryBytes_(limits.memoryBytes), threads_(limits.processes) {}

    /// How often it must be asked.
    static constexpr std::chrono::milliseconds interval{20};

    /// Which limit is broken, in words; empty for none. Cost: 50 microseconds, at most once an
    /// interval.
    [[nodiscard]] std::string exceeded();
    /// The same of one that has ended: what its group tells.
    [[nodiscard]] std::string exceededUntilItsEnd() const { return inWords(0, 0); }

  private:
    [[nodiscard]] std::string inWords(std::uint64_t kibibytes, std::uint64_t threads) const;

    const ChildProcess& child_;
    std::uint64_t memoryBytes_;
    std::uint64_t threads_;
    std::chrono::steady_clock::time_point next_{};
};

}  // namespace warplens
