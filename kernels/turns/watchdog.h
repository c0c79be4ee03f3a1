#pragma once

#include <chrono>

namespace warplens {

/// A process beside this one, of the same account, that kills it when it stands still while others
/// wait for it: stopped, or hung in a call to the driver. Ends with this process.
class Watchdog final {
  public:
    /// Forks: to be made before the process has other threads. Without a process to be had there is
    /// no watchdog, and everything else works.
    Watchdog();
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    ~Watchdog();

    /// From now on until `end`: no sign of life for `silence`, or no end for `longest`, is death.
    void begin(std::chrono::milliseconds silence, std::chrono::milliseconds longest) const;
    void sayAlive() const;
    void end() const;

    /// Ends it before this process does.
    void dismiss();

    /// 0 where there is none.
    [[nodiscard]] int processId() const { return process_; }

  private:
    int process_ = 0;
    int connection_ = -1;
};

}  // namespace warplens
