#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace warplens {

/// Machine-wide, and it stands still while the machine sleeps.
using TurnClock = std::chrono::steady_clock;

/// What the owner of a place in the queue says about itself.
struct Notice final {
    std::int64_t ticket = 0;
    std::int64_t alive = 0;  ///< nanoseconds of TurnClock when it last said so
    std::int64_t begun = 0;  ///< when its turn began; 0 while it waits
    std::uint32_t process = 0;
    std::uint32_t account = 0;
};

/// What those in a queue write into its file for one another. Anybody may write anything there, so
/// none of it is relied on: at the worst, places are passed over or estimates are wrong.
class Notices final {
  public:
    /// `file` is open for reading and writing and outlives this.
    explicit Notices(int file) : file_(file) {}

    void write(const Notice& notice) const;
    /// Nothing where this ticket's owner has written none, or where it is of a time to come.
    [[nodiscard]] std::optional<Notice> read(std::int64_t ticket) const;

    /// How long turns take of late; nothing before the first.
    [[nodiscard]] std::optional<std::chrono::nanoseconds> usualTurn() const;
    void addTurn(std::chrono::nanoseconds duration) const;

    /// When somebody last waited for the counters in vain; nothing where they were had since.
    [[nodiscard]] std::optional<TurnClock::time_point> countersBusy() const;
    void setCountersBusy(bool busy) const;

  private:
    int file_;
};

[[nodiscard]] std::int64_t nowOnTurnClock();

}  // namespace warplens
