#include "core/measurement/recording.h"

#include <algorithm>

#include "core/measurement/json.h"
#include "core/measurement/json_reader.h"
#include "core/text/atomic_file.h"
#include "core/text/digest.h"

namespace warplens {
namespace {

constexpr int recordingFormat = 1;

}  // namespace

std::string toRecordingText(const Measurement& measurement) {
    using json_reader::Json;
    return Json{{"warplens_recording", recordingFormat},
                {"digest", digestOf(toJson(measurement, -1))},
                {"measurement", Json::parse(toJson(measurement, -1))}}
               .dump(1) +
           '\n';
}

Recording recordingFromText(std::string name, std::string_view text) {
    try {
        const json_reader::Json file = json_reader::parseObject(text);
        const std::uint64_t format = json_reader::count(file, "warplens_recording");
        if (format != recordingFormat) {
            throw MalformedJson("recording format " + std::to_string(format) +
                                ", this version reads format " + std::to_string(recordingFormat));
        }
        const std::string body = json_reader::member(file, "measurement").dump();
        if (digestOf(body) != json_reader::text(file, "digest")) {
            throw MalformedJson("changed since it was written; record it again");
        }
        // Before the name moves: a refusal names it.
        Measurement measurement = measurementFromJson(body);
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
