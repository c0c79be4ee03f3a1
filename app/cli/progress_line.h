#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace warplens {

/// One line on the terminal for what takes longer than a second: how much is done, or for how long
/// it has been going on. Written over again, and gone at the end; nothing where standard error is
/// no terminal.
class ProgressLine final {
  public:
    /// `stage` says what is being done: `tracing`.
    explicit ProgressLine(std::string stage);
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine();

    /// ` 37 %  timing`. May be called from any thread, and often: it only notes what to write.
    void show(double fraction, std::optional<std::string> stage = {});
    /// Gone until `show` is called again: other words are to stand on the terminal.
    void clear();

  private:
    void write(const std::stop_token& ending);

    std::chrono::steady_clock::time_point begun_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::string stage_;
    std::optional<double> fraction_;
    bool hidden_ = false;
    bool written_ = false;
    std::jthread writer_;  ///< none where there is no terminal
};

}  // namespace warplens
