#include "core/program/measured_program.h"

#include <algorithm>

#include "core/json/archive.h"
#include "core/json/json.h"
#include "core/measurement/plausibility.h"

namespace warplens {
namespace {

template <class Entry>
bool haveCompiled(const std::vector<Entry>& entries) {
    return std::ranges::find(entries, Source::compiled, &Entry::source) != entries.end();
}

template <class Entry>
void eraseCompiled(std::vector<Entry>& entries) {
    std::erase_if(entries, [](const Entry& entry) { return entry.source == Source::compiled; });
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
    ProgramLaunch all = launch.predicted;
    const ProgramMeasurement& measured = launch.measured;
    // Where the code that was measured was run, too, its counts are told and no other compiler's.
    if (haveCompiled(measured.lines)) {
        eraseCompiled(all.values);
        eraseCompiled(all.lines);
        all.compiled = CompiledCount{.compiler = measured.compiler,
                                     .version = {},
                                     .computeCapability = measured.device.computeCapability,
                                     .blocksTraced = all.blocks};
    }
    all.values.insert(all.values.end(), measured.values.begin(), measured.values.end());
    all.lines.insert(all.lines.end(), measured.lines.begin(), measured.lines.end());
    describe(v, all);
    describeResults(v, launch.measured, false);
    if (!v.reads()) return;
    launch.measured.kernel = all.instance;
    launch.measured.launch = all.launch;
    launch.measured.values = all.values;
    launch.measured.lines = all.lines;
    // Former versions counted on the device, and did not say of what compiler's code.
    const bool ofMeasured = !all.compiled || all.compiled->compiler == launch.measured.compiler;
    const auto isOfTrace = [&](Source source) {
        return source == Source::predicted || (source == Source::compiled && !ofMeasured);
    };
    const auto isTraced = [&](const Value& value) {
        return isOfTrace(value.source) && value.metric != Metric::theoreticalOccupancy;
    };
    const auto isTracedLine = [&](const ProgramLine& line) { return isOfTrace(line.source); };
    std::erase_if(all.values, [&](const Value& value) { return !isTraced(value); });
    std::erase_if(launch.measured.values, isTraced);
    std::erase_if(all.lines, [&](const ProgramLine& line) { return !isTracedLine(line); });
    std::erase_if(launch.measured.lines, isTracedLine);
    if (ofMeasured) all.compiled.reset();
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
