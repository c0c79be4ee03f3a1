#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/measurement/measurement.h"

namespace warplens {

/// A measurement kept in a file, for those without a GPU.
struct Recording final {
    std::string name;  ///< file name, for messages
    Measurement measurement;
};

/// The file's text, `warplens.recording/2`: the measurement after the program's version and a
/// digest of it, so that a change made by hand is noticed.
[[nodiscard]] std::string toRecordingText(const Measurement& measurement);

/// The JSON schema of that.
[[nodiscard]] std::string recordingSchema();

/// Reads format 1 too, which does not say which device and which source of the kernel it was; its
/// times were taken between events. Throws MalformedJson whose message starts with `name`: not
/// JSON, truncated, a newer format, changed since it was written.
[[nodiscard]] Recording recordingFromText(std::string name, std::string_view text);

/// Writes the recording to `path` so that at every moment the path holds either what it held before
/// or the whole new recording. Throws std::filesystem::filesystem_error or std::system_error.
void save(const Measurement& measurement, const std::filesystem::path& path);

/// Throws MalformedJson, or std::system_error when the file cannot be read.
[[nodiscard]] Recording loadRecording(const std::filesystem::path& path);

/// The recording of exactly this experiment, null when there is none.
[[nodiscard]] const Recording* findRecording(const std::vector<Recording>& recordings,
                                             const Experiment& experiment);

}  // namespace warplens
