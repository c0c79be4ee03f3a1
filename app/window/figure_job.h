#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "app/window/state/command.h"

namespace warplens::window {

/// What is shown, composed for a screen of so many pixels. On the calling thread; throws what
/// composing throws.
[[nodiscard]] std::shared_ptr<const Slide> slideOf(const FigureOrder& order, int width, int height);

/// Draws the figures that the state asks for, one after the other on a thread of its own.
class FigureJob final {
  public:
    /// `finished` is called on the job's thread when a command waits to be taken.
    explicit FigureJob(std::function<void()> finished);

    /// Takes over orders that are new in the state; returns what became of those before.
    [[nodiscard]] Commands step(const AppState& state);

  private:
    void serve(const std::stop_token& ending);

    std::function<void()> finished_;
    std::uint64_t lastTaken_ = 0;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::vector<FigureOrder> orders_;
    Commands done_;
    std::jthread thread_;  ///< last: ends before what it uses
};

/// Draws the order now and says what became of it; never throws. Files go into `folder` under a
/// name that no file there has yet.
[[nodiscard]] FigureDrawn drawFigure(const FigureOrder& order, const std::filesystem::path& folder);

/// Where people keep pictures (freedesktop.org, xdg-user-dirs), else the current directory.
[[nodiscard]] std::filesystem::path picturesFolder();

}  // namespace warplens::window
