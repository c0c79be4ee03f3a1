#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernels/turns/gpu_lock.h"

namespace warplens {

/// Machine-wide, and it stands still while the machine sleeps.
using LockClock = std::chrono::steady_clock;

/// What the owner of a place in the queue says about itself.
struct Heartbeat final {
    std::int64_t ticket = 0;
    std::int64_t alive = 0;  ///< nanoseconds of LockClock when it last said so
    std::int64_t begun = 0;  ///< when its turn began; 0 while it waits
    std::uint32_t process = 0;
    std::uint32_t account = 0;
};

/// What those in a queue write into its file for one another. Anybody may write anything there, so
/// none of it is relied on: at the worst, places are passed over or estimates are wrong.
class Heartbeats final {
  public:
    /// `file` is open for reading and writing and outlives this.
    explicit Heartbeats(int file) : file_(file) {}

    void write(const Heartbeat& notice) const;
    /// Nothing where this ticket's owner has written none, or where it is of a time to come.
    [[nodiscard]] std::optional<Heartbeat> read(std::int64_t ticket) const;

    /// How long turns take of late; nothing before the first.
    [[nodiscard]] std::optional<std::chrono::nanoseconds> usualTime() const;
    void addTime(std::chrono::nanoseconds duration) const;

    /// When somebody last waited for the counters in vain; nothing where they were had since.
    [[nodiscard]] std::optional<LockClock::time_point> countersBusy() const;
    void setCountersBusy(bool busy) const;

  private:
    int file_;
};

[[nodiscard]] std::int64_t nowOnLockClock();

/// One place in a queue, held as long as this lives.
class Ticket final {
  public:
    /// Takes the place behind all there are. Throws std::runtime_error where the queue's file
    /// cannot be had or its entry stays shut.
    Ticket(const std::string& device, const std::vector<std::filesystem::path>& folders,
           const LockLimits& limits);
    Ticket(const Ticket&) = delete;
    Ticket& operator=(const Ticket&) = delete;
    ~Ticket();

    /// Whether it is this one's turn: all that are before have gone, or stand still.
    [[nodiscard]] bool isNext();
    /// Places before this one, those that stand still left out.
    [[nodiscard]] PlaceInQueue place() const;
    [[nodiscard]] bool hasFollowers() const;
    /// The file is still the one that newcomers find.
    [[nodiscard]] bool isCurrent() const { return file_.isCurrent(); }
    [[nodiscard]] const std::vector<std::string>& passedOver() const { return passedOver_; }
    [[nodiscard]] const Heartbeats& heartbeats() const { return heartbeats_; }

    /// Says that its owner lives.
    void sayAlive(std::optional<LockClock::time_point> begun) const;

  private:
    [[nodiscard]] bool standsStill(std::int64_t ticket);
    [[nodiscard]] std::optional<std::int64_t> lowestBefore() const;

    LockLimits limits_;
    LockFile file_;
    ByteLocks locks_;
    Heartbeats heartbeats_;
    std::int64_t ticket_ = 0;
    std::set<std::int64_t> still_;
    std::vector<std::string> passedOver_;
    std::int64_t watched_ = 0;  ///< the lowest before this one
    LockClock::time_point watchedSince_{};
};

/// Places taken in the queue of this device now; 0 where there is no queue.
[[nodiscard]] std::size_t placesTaken(const std::string& device,
                                      const std::vector<std::filesystem::path>& folders);

}  // namespace warplens
