#include "core/program/measured_program.h"

#include "core/json/schema.h"
#include "core/measurement/plausibility.h"
#include "core/program/program_json.h"
#include "core/text/format.h"

namespace warplens {
namespace {

using namespace json_reader;
using namespace program_json;

Json tree(const MeasuredLaunch& launch) {
    Json object = launchTree(launch.predicted);
    const Json taken = treeOf(launch.measured);
    for (const char* list : {"values", "lines"}) {
        for (const Json& entry : taken.at(list)) object[list].push_back(entry);
    }
    for (const auto& [name, value] : taken.items()) {
        if (!object.contains(name)) object[name] = value;
    }
    return object;
}

/// What the trace says of a launch, which is the same rule for every reader.
bool isOfTrace(const Value& value) {
    return value.source == Source::predicted && value.metric != Metric::theoreticalOccupancy;
}

MeasuredLaunch measuredLaunchOf(const Json& object) {
    MeasuredLaunch launch{.predicted = programLaunchOf(object),
                          .measured = programMeasurementOf(object)};
    launch.measured.kernel = launch.predicted.instance;
    std::erase_if(launch.predicted.values, [](const Value& value) { return !isOfTrace(value); });
    std::erase_if(launch.measured.values, isOfTrace);
    const auto traced = [](const ProgramLine& line) { return line.source == Source::predicted; };
    std::erase_if(launch.predicted.lines, [&](const ProgramLine& line) { return !traced(line); });
    std::erase_if(launch.measured.lines, traced);
    if (const auto problem = implausibility(launch.measured)) {
        throw MalformedJson("launch " + std::to_string(launch.predicted.index) + ": " +
                            problem->message);
    }
    return launch;
}

void requireDocument(const Json& object) {
    constexpr Document document = Document::programMeasurement;
    const std::string schema = text(object, "schema");
    const std::string known = schemaOf(document);
    const std::optional<int> number = schemaNumberFrom(document, schema);
    if (!number) throw MalformedJson("'" + schema + "' instead of '" + known + "'");
    if (*number > schemaNumber(document)) {
        throw MalformedJson("'" + schema + "', this version reads '" + known + "'");
    }
}

}  // namespace

std::string toJson(const MeasuredProgram& program) {
    Json object{{"program", program.program}, {"version", version()}, {"digest", program.digest}};
    Json launches = Json::array();
    for (const MeasuredLaunch& launch : program.launches) launches.push_back(tree(launch));
    object["launches"] = std::move(launches);
    object["notes"] = program.notes;
    return toText(object, 2);
}

MeasuredProgram measuredProgramFromJson(std::string_view document) {
    const Json object = parseObject(document);
    requireDocument(object);
    MeasuredProgram program{.program = text(object, "program"),
                            .digest = lineOrNone(object, "digest"),
                            .notes = texts(object, "notes")};
    for (const Json& launch : list(object, "launches")) {
        program.launches.push_back(measuredLaunchOf(launch));
    }
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
