#pragma once

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/cli/subcommand.h"

namespace warplens {

/// While it lives the first signal that asks the program to end (Ctrl-C, SIGTERM, SIGHUP) is only
/// noted, so that what is under way can be ended in order; a second one ends the program and its
/// workers at once. Signals that were ignored stay so, as nohup(1) wants it. May be nested: the
/// outermost one counts.
class InterruptNoted final {
  public:
    InterruptNoted();
    InterruptNoted(InterruptNoted&&) = delete;
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

/// One line on the terminal for what takes longer than a second: how much is done, or for how long
/// it has been going on. Written over again, and gone at the end. Where standard error is no
/// terminal there is nothing, or of what takes minutes a line now and then.
class ProgressLine final {
  public:
    /// `stage` says what is being done: `tracing`.
    explicit ProgressLine(std::string stage, bool takesMinutes = false);
    ProgressLine(ProgressLine&&) = delete;
    ~ProgressLine();

    /// ` 37 %  timing`, or without a fraction for how long. May be called from any thread, and
    /// often: it only notes what to write.
    void show(std::optional<double> fraction, std::optional<std::string> stage = {});
    /// Gone until `show` is called again: other words are to stand on the terminal.
    void clear();

  private:
    void write(const std::stop_token& ending);

    bool isTerminal_;
    std::chrono::steady_clock::time_point begun_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::string stage_;
    std::optional<double> fraction_;
    bool hidden_ = false;
    bool written_ = false;
    std::jthread writer_;  ///< none where nothing is written
};

}  // namespace warplens
