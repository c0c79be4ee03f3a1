#pragma once

#include <filesystem>
#include <string>
#include <string_view>

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

}  // namespace warplens::window
