#include "core/measurement/recording.h"

#include <algorithm>

#include "core/measurement/json_trees.h"
#include "core/measurement/kept_document.h"
#include "core/text/atomic_file.h"

namespace warplens {
namespace {

constexpr json_reader::Kept keptRecording{Document::recording, "recording", "warplens_recording",
                                          "measurement"};

}  // namespace

std::string toRecordingText(const Measurement& measurement) {
    json_reader::Json tree = json_reader::treeOf(measurement);
    json_reader::Json file = json_reader::keptHead(keptRecording, json_reader::toText(tree));
    file[keptRecording.member] = std::move(tree);
    return json_reader::toText(file, 1) + '\n';
}

Recording recordingFromText(std::string name, std::string_view text) {
    try {
        const json_reader::Json file = json_reader::parseObject(text);
        // Before the name moves: a refusal names it.
        Measurement measurement =
            json_reader::measurementOf(json_reader::keptIn(keptRecording, file));
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
