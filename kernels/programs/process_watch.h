#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <sys/types.h>

namespace warplens {

/// Looks at what a process and those that it started use together: memory with what they share,
/// what is swapped out and page tables, and threads. No limit of the system counts all of that: one
/// on data (RLIMIT_DATA) leaves out shared mappings and those made read-only, and root is free of
/// the one on threads.
class ProcessWatch final {
  public:
    /// Zero: as much as there is.
    ProcessWatch(pid_t process, std::uint64_t memoryBytes, std::uint64_t threads)
        : process_(process), memoryBytes_(memoryBytes), threads_(threads) {}

    /// How often it must be asked.
    static constexpr std::chrono::milliseconds interval{20};

    /// Which limit is broken, in words; empty for none. Cost: 50 microseconds, at most once an
    /// interval.
    [[nodiscard]] std::string exceeded();

  private:
    pid_t process_;
    std::uint64_t memoryBytes_;
    std::uint64_t threads_;
    std::chrono::steady_clock::time_point next_{};
};

}  // namespace warplens
