#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/json/json.h"
#include "core/sweep/sweep.h"

/// JSON of sweeps, and the files they are kept in.
namespace warplens {

/// A point has `predicted` or `not_predicted`, and `measured`, with its device as a place among
/// `devices`, or `not_measured`; neither where it was not measured yet. The schedules of points
/// stay out. Reading throws MalformedJson, for more points than the axis has, too.
void describe(Archive& v, Sweep& sweep);
void describe(Archive& v, PredictedPoint& predicted);

/// As fromJson, of texts up to 64 MiB.
[[nodiscard]] Sweep sweepFromJson(std::string_view text);

/// A sweep kept in a file: finished, or to go on with.
struct RecordedSweep final {
    std::string name;  ///< file name, for messages
    Sweep sweep;
};

/// The file's text, `warplens.recorded_sweep/2`: the sweep after the program's version and a digest
/// of it, a line for each point.
[[nodiscard]] std::string toSweepText(const Sweep& sweep);

/// The JSON schema of that.
[[nodiscard]] std::string recordedSweepSchema();

/// Reads format 1 too, as `recordingFromText` does. Throws MalformedJson whose message starts with
/// `name`: not JSON, truncated, a newer format, changed since it was written.
[[nodiscard]] RecordedSweep sweepFromText(std::string name, std::string_view text);

/// Writes the file so that at every moment it is as before or whole; without the schedules of its
/// points. Throws std::system_error, or std::runtime_error for more than would be read again.
void save(const Sweep& sweep, const std::filesystem::path& path);

/// Throws MalformedJson, or std::system_error when the file cannot be read.
[[nodiscard]] RecordedSweep loadSweep(const std::filesystem::path& path);

}  // namespace warplens
