#pragma once

#include <chrono>
#include <cstdint>

namespace warplens::window {

/// How long frames took to be made: from when the wait for events ended to the last pixel, and what
/// follows before the next wait, without the wait for the screen and what tests alone ask for.
struct FrameTimes final {
    /// From here on a person speaks of a stall.
    static constexpr double longSeconds = 0.25;

    std::uint64_t count = 0;
    double firstSeconds = 0;     ///< it also prepares fonts and shaders
    double slowestSeconds = 0;   ///< of the others
    std::uint64_t slowest = 0;   ///< which one, from 1; 0 where there is none yet
    std::uint64_t longOnes = 0;  ///< others that took longer than `longSeconds`

    void add(double seconds) {
        ++count;
        if (count == 1) {
            firstSeconds = seconds;
            return;
        }
        if (seconds > longSeconds) ++longOnes;
        if (seconds <= slowestSeconds) return;
        slowestSeconds = seconds;
        slowest = count;
    }
};

class FrameMeter final {
  public:
    void begin() {
        spent_ = {};
        resume();
    }
    void pause() { spent_ += Clock::now() - since_; }
    void resume() { since_ = Clock::now(); }
    void end() {
        pause();
        times_.add(spent_.count());
    }
    [[nodiscard]] const FrameTimes& times() const { return times_; }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point since_;
    std::chrono::duration<double> spent_{};
    FrameTimes times_;
};

}  // namespace warplens::window
