#pragma once

#include <csignal>
#include <string>
#include <vector>

#include "app/cli/exit_code.h"

namespace warplens {

/// While it lives the first signal that asks the program to end (Ctrl-C, SIGTERM, SIGHUP) is only
/// noted, so that what is under way can be ended in order; a second one ends the program and its
/// workers at once. Signals that were ignored stay so, as nohup(1) wants it. May be nested: the
/// outermost one counts.
class InterruptNoted final {
  public:
    InterruptNoted();
    InterruptNoted(const InterruptNoted&) = delete;
    InterruptNoted& operator=(const InterruptNoted&) = delete;
    ~InterruptNoted();

    /// The signal noted since the outermost one was made; 0 for none. Also after it is gone.
    [[nodiscard]] static int signal();
    [[nodiscard]] static bool happened() { return signal() != 0; }

  private:
    struct Handler final {
        int signal;
        struct sigaction before;
    };
    std::vector<Handler> handlers_;
};

inline constexpr int signalCodes = 128;
/// What a program that a signal has ended tells the shell: 128 and its number.
[[nodiscard]] ExitCode exitCodeForSignal(int signal);

/// Throws CommandFailed with that code where a signal was noted.
void endIfInterrupted(const std::string& message = "cancelled");

}  // namespace warplens
