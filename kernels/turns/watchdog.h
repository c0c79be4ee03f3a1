#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

namespace warplens {

/// What a process that measures says to the one that watches it: how long its silence, and its
/// turn, may last.
class WatchedLine final {
  public:
    /// Of a process that nobody watches.
    WatchedLine() = default;
    explicit WatchedLine(int connection) : connection_(connection) {}

    /// From now on until `end`: no sign of life for `silence`, or no end for `longest`, is death.
    void begin(std::chrono::milliseconds silence, std::chrono::milliseconds longest) const;
    void sayAlive() const;
    void end() const;

  private:
    int connection_ = -1;
};

/// The other end: knows when the watched process stands still, stopped or hung in a call to the
/// driver, while others wait for it.
class Watchdog final {
  public:
    Watchdog() = default;
    /// `connection` is this end of `connections`.
    explicit Watchdog(int connection) : connection_(connection) {}

    /// A pair of descriptors, closed on exec: of the line and of the watchdog. Throws
    /// std::system_error.
    [[nodiscard]] static std::pair<int, int> connections();

    /// To be polled for input; -1 where nothing is watched.
    [[nodiscard]] int descriptor() const { return connection_; }
    /// Takes what was said. False where the other end is closed.
    bool read();
    /// How long until the watched process is late; nothing while it has no turn. 0: it is.
    [[nodiscard]] std::optional<std::chrono::milliseconds> timeLeft() const;

  private:
    using Clock = std::chrono::steady_clock;

    int connection_ = -1;
    std::optional<Clock::time_point> lastSign_;
    Clock::time_point until_{};
    std::chrono::milliseconds silence_{};
};

}  // namespace warplens
