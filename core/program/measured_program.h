#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/program_measurement.h"

namespace warplens {

/// One launch of a program, as traced and as measured.
struct MeasuredLaunch final {
    LaunchReport predicted;
    ProgramMeasurement measured;  ///< its `kernel` is the launch's `instance`
    friend bool operator==(const MeasuredLaunch&, const MeasuredLaunch&) = default;
};

/// What `measure FILE.cu` found: printed, kept in a file, and read again beside the program.
struct MeasuredProgram final {
    std::string program;  ///< the file as it was named
    /// Of the program's text and of all that it was compiled and launched with (programDigest);
    /// empty where a version before this wrote it.
    std::string digest{};
    std::vector<MeasuredLaunch> launches{};
    std::vector<std::string> notes{};
    friend bool operator==(const MeasuredProgram&, const MeasuredProgram&) = default;
};

/// A launch says what `predict` says of it, the values and lines of all judges in one list each,
/// and what the measurement knows besides. Reading throws MalformedJson for a measurement that
/// cannot be (implausibility), too.
void describe(Archive& v, MeasuredLaunch& launch);
void describe(Archive& v, MeasuredProgram& program);

/// A file that holds one may be as large as this.
inline constexpr std::uint64_t mostKeptBytes = 16u << 20;

/// Reads a Document::programMeasurement. Throws MalformedJson, for another document and a newer
/// one, too.
[[nodiscard]] MeasuredProgram measuredProgramFromJson(std::string_view text);

/// The program under another name: its lines, differences and code are then of that file.
void rename(MeasuredProgram& program, const std::string& name);

}  // namespace warplens
