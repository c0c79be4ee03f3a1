#pragma once

#include <chrono>
#include <filesystem>
#include <memory>

#include "app/window/newest_job.h"

namespace warplens::window {

/// Writes the settings when they changed, on a thread of its own: a slow disk holds up no frame.
/// Its end waits for the last write.
class SettingsKeeper final {
  public:
    using Clock = std::chrono::steady_clock;

    /// `saved` is what `file` holds; an empty `file` keeps nothing. `finished` is called on the
    /// job's thread when a command waits to be taken.
    SettingsKeeper(const std::filesystem::path& file, Settings saved,
                   std::function<void()> finished);

    /// Has changed settings written, at most every `pause`.
    void keep(const Settings& settings, Clock::duration pause = std::chrono::seconds(2));

    /// What is to be said about it; once when the file cannot be written, and then no more is.
    [[nodiscard]] Commands step();

  private:
    using Snapshot = std::shared_ptr<const Settings>;

    bool writes_;
    Settings saved_;
    Clock::time_point last_ = Clock::now();
    NewestJob<Snapshot> writing_;
};

}  // namespace warplens::window
