#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/measurement/recording.h"

namespace warplens {

/// Recordings and what went wrong while they were read, one message for each file refused.
struct RecordingLibrary final {
    std::vector<Recording> recordings;
    std::vector<std::string> problems;
};

/// The recordings of assets/recordings, which travel inside the program.
[[nodiscard]] RecordingLibrary builtInRecordings();

/// Every *.json of `directory` and after them, so that one's own come first where both have a
/// launch, the built-in recordings. A file that cannot be read
/// becomes a problem; the others are still there.
[[nodiscard]] RecordingLibrary recordingsWith(const std::filesystem::path& directory);

}  // namespace warplens
