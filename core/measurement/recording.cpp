#include "core/measurement/recording.h"

#include <algorithm>

#include "core/json/kept_document.h"
#include "core/text/files.h"

namespace warplens {
namespace {

constexpr KeptDocument keptRecording{.document = Document::recording,
                                     .word = "recording",
                                     .formatOne = "warplens_recording",
                                     .member = "measurement",
                                     .about = "What one measurement of one launch found."};

}  // namespace

std::string toRecordingText(const Measurement& measurement) {
    return keptText(keptRecording, membersOf(measurement));
}

std::string recordingSchema() {
    return keptSchema<Measurement>(keptRecording);
}

Recording recordingFromText(std::string name, std::string_view text) {
    try {
        // Before the name moves: a refusal names it.
        Measurement measurement;
        readKept(keptRecording, text, membersOf(measurement));
        return {std::move(name), std::move(measurement)};
    } catch (const MalformedJson& error) {
        throw MalformedJson(name + ": " + error.what());
    }
}

void save(const Measurement& measurement, const std::filesystem::path& path) {
    writeFileAtomically(path, toRecordingText(measurement));
}

Recording loadRecording(const std::filesystem::path& path) {
    return recordingFromText(path.filename().string(), readFile(path));
}

const Recording* findRecording(const std::vector<Recording>& recordings,
                               const Experiment& experiment) {
    const auto found = std::ranges::find_if(recordings, [&](const Recording& recording) {
        return recording.measurement.experiment == experiment;
    });
    return found == recordings.end() ? nullptr : &*found;
}

}  // namespace warplens
