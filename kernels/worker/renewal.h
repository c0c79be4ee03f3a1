#pragma once

#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>

namespace warplens {

class AnswerOutput;
class StandardInput;
class Watchdog;

/// The request cannot be carried out by this process as it is, but by one that has just started:
/// CUDA and CUPTI keep what they have taken as long as a process lives.
class RenewalNeeded final : public std::runtime_error {
  public:
    RenewalNeeded() : std::runtime_error("this worker has another device open") {}
};

/// Starts the process anew in its place: the same number and connections, nothing of the GPU.
class Renewal {
  public:
    Renewal() = default;
    Renewal(const Renewal&) = delete;
    Renewal& operator=(const Renewal&) = delete;
    virtual ~Renewal() = default;

    /// How long a worker keeps the device's memory when nobody asks it for anything.
    [[nodiscard]] virtual std::chrono::milliseconds idleTime() const = 0;
    /// The reader has dealt with one more line.
    virtual void lineHandled() = 0;
    /// `pending` gives the lines to go on with; it is called when nothing is read any more. Returns
    /// only where something is just being read, or the system refuses.
    virtual void now(const std::function<std::string()>& pending) = 0;
};

/// The one of a process that runs this program.
class ProcessRenewal final : public Renewal {
  public:
    ProcessRenewal(StandardInput& input, AnswerOutput& output, Watchdog& watchdog,
                   std::chrono::milliseconds idleTime)
        : input_(input), output_(output), watchdog_(watchdog), idleTime_(idleTime) {}

    [[nodiscard]] std::chrono::milliseconds idleTime() const override { return idleTime_; }
    void lineHandled() override;
    void now(const std::function<std::string()>& pending) override;

  private:
    StandardInput& input_;
    AnswerOutput& output_;
    Watchdog& watchdog_;
    std::chrono::milliseconds idleTime_;
};

/// The option of the program that says it goes on for another one, and from which descriptor to
/// read what that one has left.
inline constexpr const char* continuedOption = "--continued";

/// What was left in the descriptor, which is closed.
[[nodiscard]] std::string readLeft(int descriptor);

}  // namespace warplens
