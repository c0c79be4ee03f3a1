#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>

#include "app/window/panels/widgets.h"
#include "app/window/state/app_state.h"

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

/// Keeps a description of the window in a file, for tests that drive the window and for
/// accessibility tools: JSON with the experiment, what is wrong with it, the selection, the
/// measurement's progress, the messages, under `focus` the widget that the keyboard is at, under
/// `frames` how long they took, and under `widgets` the place of each main widget as
/// `name: [x, y, width, height]` in window coordinates. WARPLENS_STATE_FILE in the environment
/// names it; without it nothing is written. The file always holds one whole description.
class StateFile final {
  public:
    StateFile();
    /// Whether there is a file to write.
    [[nodiscard]] bool wanted() const { return !path_.empty(); }
    /// `settled`: no input waits to be drawn and nothing is under way. Where nothing but the frames
    /// went on, the file follows a little later.
    void update(const AppState& state, const WidgetRects& rects, std::string_view focus,
                const FrameTimes& frames, bool settled);

  private:
    std::filesystem::path path_;
    std::string written_;  ///< but for the frames
    std::chrono::steady_clock::time_point when_;
};

}  // namespace warplens::window
