#include "app/cli/documentation/schemas.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/output.h"
#include "core/program/launch_report.h"
#include "core/program/program_measurement.h"
#include "core/roofline/roofline.h"
#include "core/sweep/json.h"

namespace warplens {
namespace {

using Json = nlohmann::ordered_json;

/// What a value is, in a few words.
std::string typeOf(const Json& told) {
    if (told.contains("$ref")) {
        const std::string ref = told["$ref"];
        const std::string name = ref.substr(ref.rfind('/') + 1);
        return '[' + name + "](#" + name + ')';
    }
    if (told.contains("const")) return '`' + told["const"].get<std::string>() + '`';
    if (told.contains("anyOf")) {
        std::string types;
        for (const Json& one : told["anyOf"]) {
            types += (types.empty() ? "" : " or ") + typeOf(one);
        }
        return types;
    }
    if (told.contains("enum")) {
        if (told["enum"].size() > 12) return "a name";
        std::string names;
        for (const Json& name : told["enum"]) {
            names += (names.empty() ? "`" : " `") + name.get<std::string>() + '`';
        }
        return names;
    }
    const std::string type = told.value("type", "object");
    if (type == "array" && told.contains("minItems")) return "three integers";
    if (type == "array") return "list of " + typeOf(told["items"]);
    if (type == "object" && told.contains("additionalProperties")) return "numbers by name";
    return type;
}

/// The members, and those of objects that have no name of their own behind their names.
void addRows(const Json& object, const std::string& before, std::string& rows) {
    const Json required = object.value("required", Json::array());
    for (const auto& [name, told] : object["properties"].items()) {
        const bool always = std::find(required.begin(), required.end(), name) != required.end();
        rows += "| `" + before + name + "` | " + typeOf(told) + " | " +
                told["description"].get<std::string>() + (always ? " |\n" : " (not always) |\n");
        const Json* inner = &told;
        std::string within = before + name + '.';
        if (told.value("type", "") == "array" && told.contains("items")) {
            inner = &told["items"];
            within = before + name + "[].";
        }
        if (inner->contains("properties")) addRows(*inner, within, rows);
    }
}

std::string tableOf(const std::string& heading, const std::string& words, const Json& object) {
    std::string rows;
    addRows(object, "", rows);
    return "\n### " + heading + "\n\n" + words + "\n\n| member | is | what |\n|---|---|---|\n" +
           rows;
}

}  // namespace

std::vector<DocumentSchema> documentSchemas() {
    return {
        {Document::list, listSchema()},
        {Document::doctor, doctorSchema()},
        {Document::compilerSetup, compilerSetupSchema()},
        {Document::check, checkSchema()},
        {Document::explanation, explanationSchema()},
        {Document::map, mapSchema()},
        {Document::prediction, schemaFor<Prediction>(Document::prediction)},
        {Document::measurement, schemaFor<Measurement>(Document::measurement)},
        {Document::programPrediction, schemaFor<ProgramTrace>(Document::programPrediction)},
        {Document::programMeasurement, schemaFor<MeasuredProgram>(Document::programMeasurement)},
        {Document::programSweep, programSweepSchema()},
        {Document::sweep, schemaFor<Sweep>(Document::sweep)},
        {Document::roofline, schemaFor<Roofline>(Document::roofline)},
        {Document::occupancy, occupancySchema()},
        {Document::lessons, lessonsSchema()},
        {Document::lesson, lessonSchema()},
        {Document::progress, progressSchema()},
        {Document::figure, figureSchema()},
        {Document::screenshot, screenshotSchema()},
        {Document::description, descriptionSchema()},
        {Document::error, schemaFor<Trouble>(Document::error)},
        {Document::recording, recordingSchema()},
        {Document::recordedSweep, recordedSweepSchema()},
        {Document::workerRequest, schemaFor<WorkerRequest>(Document::workerRequest)},
        {Document::workerEvent, schemaFor<WorkerEvent>(Document::workerEvent)},
    };
}

std::string memberTables() {
    std::string documents;
    Json parts = Json::object();
    for (const DocumentSchema& schema : documentSchemas()) {
        const Json tree = Json::parse(schema.text);
        documents += tableOf(schemaOf(schema.document), tree["title"], tree);
        if (!tree.contains("$defs")) continue;
        for (const auto& [name, told] : tree["$defs"].items()) {
            if (!parts.contains(name)) parts[name] = told;
        }
    }
    std::string text = documents;
    for (const auto& [name, told] : parts.items()) {
        text += tableOf(name, told["description"], told);
    }
    return text;
}

}  // namespace warplens
