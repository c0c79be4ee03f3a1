#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/archive.h"
#include "core/json/json.h"
#include "core/measurement/measurement.h"

/// Documents that are kept in a file, with what stands around them there, so that damage, changes
/// made by hand and other formats are noticed.
namespace warplens {

/// One kind of kept document.
struct KeptDocument final {
    Document document;
    const char* word;               ///< `recording`, for messages
    const char* member;             ///< that holds what is kept
    const char* about;              ///< it, for the schema
    const char* linesOf = nullptr;  ///< its last member, a list with a line for each entry
};

/// The members before the one that holds what is kept.
void describeKept(Archive& v, const std::string& digest);

/// The file's text: `schema`, `version` of the program, `digest` of the text of what is kept on one
/// line, and what is kept.
[[nodiscard]] std::string keptText(const KeptDocument& kind, const Members& members);

/// Reads what is kept in the file. Throws MalformedJson for another document, a format that this
/// version does not know, and a text that is not what its digest was taken of.
void readKept(const KeptDocument& kind, std::string_view text, const Members& members,
              std::size_t most = largestJson);

template <class T>
[[nodiscard]] std::string keptSchema(const KeptDocument& kind) {
    return schemaText(kind.document, [&](Archive& v) {
        T value{};
        describeKept(v, "");
        v(kind.member, value, kind.about);
    });
}

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

/// Throws MalformedJson whose message starts with `name`: not JSON, truncated, a newer format or
/// that of 0.1.0, changed since it was written.
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
