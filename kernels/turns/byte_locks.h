#pragma once

#include <cstdint>
#include <optional>

namespace warplens {

/// Locks on single bytes of a file that need not be there: open file description locks (fcntl(2),
/// F_OFD_SETLK), which the system lets go of when the last descriptor is closed, however its
/// process ended, and which processes of different accounts see alike. Nothing here waits.
class ByteLocks final {
  public:
    /// `file` is open for reading and writing and outlives this.
    explicit ByteLocks(int file) : file_(file) {}

    /// False where somebody else has it, or where the system gives no locks on this file.
    [[nodiscard]] bool take(std::int64_t byte) const;
    void release(std::int64_t byte) const;

    /// The lowest byte of [from, to] that somebody else has locked. As a rule two system calls.
    [[nodiscard]] std::optional<std::int64_t> lowest(std::int64_t from, std::int64_t to) const;
    /// The highest one from `from` on.
    [[nodiscard]] std::optional<std::int64_t> highest(std::int64_t from) const;

  private:
    int file_;
};

}  // namespace warplens
