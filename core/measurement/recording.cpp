#include "core/measurement/recording.h"

#include <algorithm>

#include "core/json/json_tree.h"
#include "core/text/encoding.h"
#include "core/text/files.h"

namespace warplens {
namespace {

/// The format's number; the first, of 0.1.0, says it in a member of its own.
int formatOf(const KeptDocument& kind, const Json& file) {
    if (file.contains("warplens_" + std::string(kind.word))) return 1;
    std::string schema;
    readTree(file, [&](Archive& v) { v("schema", schema, ""); });
    const std::optional<int> number = schemaNumberFrom(kind.document, schema);
    if (number) return *number;
    throw MalformedJson("'" + schema + "' instead of '" + schemaOf(kind.document) + "'");
}

std::string inLines(const KeptDocument& kind, std::string head, Json body) {
    const Json entries = std::move(body[kind.linesOf]);
    body.erase(kind.linesOf);
    std::string text = toText(body);
    text.back() = ',';
    text += "\n\"" + std::string(kind.linesOf) + "\":[";
    for (const Json& entry : entries) {
        text += (text.back() == '[' ? "\n" : ",\n") + toText(entry);
    }
    head.back() = ',';
    return head + '"' + kind.member + "\":\n" + text + "\n]}}\n";
}

constexpr KeptDocument keptRecording{.document = Document::recording,
                                     .word = "recording",
                                     .member = "measurement",
                                     .about = "What one measurement of one launch found."};

}  // namespace

void describeKept(Archive& v, const std::string& digest) {
    describeVersion(v);
    v.derived("digest", digest,
              "64-bit FNV-1a, in hexadecimal, of what is kept written on one line: a change made "
              "by hand is noticed.",
              {.pattern = "^[0-9a-f]{16}$"});
}

std::string keptText(const KeptDocument& kind, const Members& members) {
    Json body = writeTree(members);
    Json file{{"schema", schemaOf(kind.document)}};
    file.update(writeTree([&](Archive& v) { describeKept(v, digestOf(toText(body))); }));
    if (kind.linesOf != nullptr) return inLines(kind, toText(file), std::move(body));
    file[kind.member] = std::move(body);
    return toText(file, 1) + '\n';
}

void readKept(const KeptDocument& kind, std::string_view text, const Members& members,
              std::size_t most) {
    const Json file = parseObject(text, most);
    const int format = formatOf(kind, file);
    const int newest = schemaNumber(kind.document);
    if (format < 2 || format > newest) {
        throw MalformedJson(std::string(kind.word) + " format " + std::to_string(format) +
                            (format < 2 ? " of Warplens 0.1.0" : "") +
                            ", this version reads formats 2 to " + std::to_string(newest));
    }
    std::string digest;
    readTree(file, [&](Archive& v) {
        if (!v.has(kind.member)) Archive::refuse("no member \"" + std::string(kind.member) + '"');
        v("digest", digest, "");
    });
    if (digestOf(toText(file[kind.member])) != digest) {
        throw MalformedJson("changed since it was written; record it again");
    }
    readTree(file[kind.member], members);
}

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
