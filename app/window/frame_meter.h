#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>

namespace warplens::window {

/// How long frames took to be made: from when the wait for events ended to the last pixel, and what
/// follows before the next wait, without the wait for the screen and what tests alone ask for.
struct FrameTimes final {
    /// From here on a person speaks of a stall.
    static constexpr double longSeconds = 0.25;

    std::uint64_t count = 0;
    double firstSeconds = 0;    ///< it also prepares fonts and shaders
    double slowestSeconds = 0;  ///< of the others
    /// The most processor time that the drawing thread took for one of them: what other programs do
    /// changes it little.
    double mostProcessorSeconds = 0;
    std::uint64_t slowest = 0;   ///< which one, from 1; 0 where there is none yet
    std::uint64_t longOnes = 0;  ///< others that took longer than `longSeconds`

    void add(double seconds, double processorSeconds) {
        ++count;
        if (count == 1) {
            firstSeconds = seconds;
            return;
        }
        mostProcessorSeconds = std::max(mostProcessorSeconds, processorSeconds);
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
        processor_ = 0;
        resume();
    }
    void pause() {
        spent_ += Clock::now() - since_;
        processor_ += processorSeconds() - processorSince_;
    }
    void resume() {
        since_ = Clock::now();
        processorSince_ = processorSeconds();
    }
    void end() {
        pause();
        times_.add(spent_.count(), processor_);
    }
    [[nodiscard]] const FrameTimes& times() const { return times_; }

  private:
    using Clock = std::chrono::steady_clock;

    /// Of the calling thread.
    static double processorSeconds() {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }

    Clock::time_point since_;
    std::chrono::duration<double> spent_{};
    double processorSince_ = 0;
    double processor_ = 0;
    FrameTimes times_;
};

}  // namespace warplens::window
