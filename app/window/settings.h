#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "app/window/jobs.h"
#include "app/window/state/app_state.h"

namespace warplens::window {

struct SettingsReading final {
    Settings settings;
    std::string problem;  ///< one sentence when the file could not be used; else empty
};

/// The settings of `file`, or defaults. A file that is not settings is moved aside to `<file>.bad`
/// and named in `problem`; a file that is not there is no problem.
[[nodiscard]] SettingsReading readSettings(const std::filesystem::path& file);

/// Writes the file so that it appears whole or not at all, with its folder. Throws
/// std::system_error.
void writeSettings(const std::filesystem::path& file, const Settings& settings);

[[nodiscard]] std::string toJson(const Settings& settings);
/// Throws MalformedJson. Numbers out of their range are brought into it; unknown members are
/// ignored.
[[nodiscard]] Settings settingsFromJson(std::string_view text);

/// Writes the settings when they changed, on a thread of its own: a slow disk holds up no frame.
/// Its end waits for the last write. What another window has kept of lessons since stays.
class SettingsKeeper final {
  public:
    using Clock = std::chrono::steady_clock;

    /// `saved` is what `file` holds; an empty `file` keeps nothing. `finished` is called on the
    /// job's thread when a command waits to be taken.
    SettingsKeeper(const std::filesystem::path& file, Settings saved,
                   std::function<void()> finished);

    /// Has changed settings written, at most every `pause`.
    void keep(const Settings& settings, Clock::duration pause = std::chrono::seconds(2));

    /// Writes them before it returns, as a page has to that is about to be closed.
    void keepNow(const Settings& settings);

    /// What is to be said about it; once when the file cannot be written, and then no more is.
    [[nodiscard]] Commands step();

  private:
    using Snapshot = std::shared_ptr<const Settings>;

    std::filesystem::path file_;
    bool writes_;
    Settings saved_;
    LessonsProgress before_;  ///< when the window began
    Clock::time_point last_ = Clock::now();
    NewestJob<Snapshot> writing_;
};

}  // namespace warplens::window
