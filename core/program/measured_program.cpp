#include "core/program/measured_program.h"

#include "core/json/archive.h"
#include "core/json/json.h"
#include "core/measurement/plausibility.h"

namespace warplens {
namespace {

/// What was counted without the device.
bool isWithoutDevice(Source source) {
    return source == Source::predicted || source == Source::compiled;
}

/// What the trace says of a launch, which is the same rule for every reader.
bool isOfTrace(const Value& value) {
    return isWithoutDevice(value.source) && value.metric != Metric::theoreticalOccupancy;
}

bool isTraced(const ProgramLine& line) {
    return isWithoutDevice(line.source);
}

void requireDocument(const std::string& schema) {
    constexpr Document document = Document::programMeasurement;
    const std::string known = schemaOf(document);
    const std::optional<int> number = schemaNumberFrom(document, schema);
    if (!number) throw MalformedJson("'" + schema + "' instead of '" + known + "'");
    if (*number > schemaNumber(document)) {
        throw MalformedJson("'" + schema + "', this version reads '" + known + "'");
    }
}

}  // namespace

void describe(Archive& v, MeasuredLaunch& launch) {
    // The numbers of all sources are in one list each.
    LaunchReport all = launch.predicted;
    const ProgramMeasurement& measured = launch.measured;
    all.values.insert(all.values.end(), measured.values.begin(), measured.values.end());
    all.lines.insert(all.lines.end(), measured.lines.begin(), measured.lines.end());
    describe(v, all);
    describeResults(v, launch.measured, false);
    if (!v.reads()) return;
    launch.measured.kernel = all.instance;
    launch.measured.launch = all.launch;
    launch.measured.values = all.values;
    launch.measured.lines = all.lines;
    std::erase_if(all.values, [](const Value& value) { return !isOfTrace(value); });
    std::erase_if(launch.measured.values, isOfTrace);
    std::erase_if(all.lines, [](const ProgramLine& line) { return !isTraced(line); });
    std::erase_if(launch.measured.lines, isTraced);
    launch.predicted = std::move(all);
    if (const auto problem = implausibility(launch.measured)) {
        Archive::refuse("launch " + std::to_string(launch.predicted.index) + ": " +
                        problem->message);
    }
}

void describe(Archive& v, MeasuredProgram& program) {
    v("program", program.program, "The file.");
    describeVersion(v);
    v.added("digest", program.digest,
            "Digest of the program's text and of all that it was compiled and launched with.",
            {.oneLine = true});
    v("launches", program.launches, "In order of launching.");
    v("notes", program.notes, "What a reader must know to read the numbers.");
}

MeasuredProgram measuredProgramFromJson(std::string_view document) {
    MeasuredProgram program;
    readJson(document, [&](Archive& v) {
        std::string schema;
        v("schema", schema, "");
        requireDocument(schema);
        describe(v, program);
    });
    return program;
}

void rename(MeasuredProgram& program, const std::string& name) {
    const auto change = [&](std::string& file) {
        if (file == program.program) file = name;
    };
    for (MeasuredLaunch& launch : program.launches) {
        change(launch.predicted.place.file);
        for (ProgramLine& line : launch.predicted.lines) change(line.place.file);
        for (ProgramLine& line : launch.measured.lines) change(line.place.file);
        for (LineDifference& difference : launch.measured.differences) change(difference.file);
        for (CompiledLine& line : launch.measured.code) change(line.file);
    }
    program.program = name;
}

}  // namespace warplens
