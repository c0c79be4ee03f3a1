#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/measurement/recording.h"
#include "core/sweep/sweep.h"

namespace warplens {

/// Recordings and what went wrong while they were read, one message for each file refused.
struct RecordingLibrary final {
    std::vector<Recording> recordings;
    std::vector<RecordedSweep> sweeps{};
    std::vector<std::string> problems;
};

/// The recordings of assets/recordings, which travel inside the program.
[[nodiscard]] RecordingLibrary builtInRecordings();

/// Every *.json of `directory`, recordings and sweeps, and after them, so that one's own come first
/// where both have a launch, the built-in recordings. A file that cannot be read becomes a problem;
/// the others are still there.
[[nodiscard]] RecordingLibrary recordingsWith(const std::filesystem::path& directory);

/// Adds what every *.json of `directory` holds.
void addFrom(RecordingLibrary& library, const std::filesystem::path& directory);

/// Adds the sweeps of assets/recordings/sweeps. They are large, and only read where they are
/// wanted.
void addBuiltInSweeps(RecordingLibrary& library);

/// Every measurement of the library: the recordings', then those of the sweeps' points. They live
/// as long as the library is not changed.
[[nodiscard]] std::vector<const Measurement*> measurementsIn(const RecordingLibrary& library);

}  // namespace warplens
