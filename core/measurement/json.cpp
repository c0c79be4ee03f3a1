#include "core/measurement/json.h"

#include "core/measurement/json_trees.h"
#include "core/schedule/json.h"

namespace warplens {
namespace json_reader {
namespace {

Json tree(const ResultCheck& check) {
    return {{"checked", check.checked},
            {"elements", check.elements},
            {"largest_error", check.largestError},
            {"tolerance", check.tolerance},
            {"method", check.method}};
}

ResultCheck checkOf(const Json& parent) {
    return {.checked = count(parent, "checked"),
            .elements = count(parent, "elements"),
            .largestError = number(parent, "largest_error"),
            .tolerance = number(parent, "tolerance"),
            .method = line(parent, "method")};
}

}  // namespace

Json treeOf(const Measurement& measurement) {
    Json object = treeOf(measurement.experiment);
    object["device"] = treeOf(measurement.device);
    object["taken_at"] = measurement.takenAt;
    object["version"] = measurement.version;
    if (!measurement.kernelDigest.empty()) object["kernel_digest"] = measurement.kernelDigest;
    object["check"] = tree(measurement.check);
    object["timing"] = treeOf(measurement.timing);
    object["compiled_branches"] = Json::array();
    for (const CompiledBranch& branch : measurement.compiledBranches) {
        object["compiled_branches"].push_back(
            {{"branch", branch.branch}, {"form", toString(branch.form)}});
    }
    if (measurement.resources) object["resources"] = treeOf(*measurement.resources);
    if (measurement.schedule) object["schedule"] = treeOf(*measurement.schedule);
    if (measurement.counting) object["counting"] = treeOf(*measurement.counting);
    object["total_s"] = measurement.totalSeconds;
    object["notes"] = measurement.notes;
    object["values"] = treeOf(measurement.values);
    return object;
}

Measurement measurementOf(const Json& object) {
    Measurement measurement{.experiment = experimentOf(object),
                            .device = deviceOf(member(object, "device")),
                            .takenAt = line(object, "taken_at"),
                            .version = line(object, "version"),
                            .kernelDigest = lineOrNone(object, "kernel_digest"),
                            .check = checkOf(member(object, "check")),
                            .timing = timingOf(member(object, "timing")),
                            .compiledBranches = {},
                            .resources = {},
                            .schedule = {},
                            .counting = {},
                            .totalSeconds = number(object, "total_s"),
                            .notes = texts(object, "notes"),
                            .values = valuesIn(object, "values")};
    if (object.contains("resources")) {
        measurement.resources = resourcesOf(member(object, "resources"));
    }
    if (object.contains("schedule")) {
        measurement.schedule = scheduleOf(member(object, "schedule"));
    }
    if (object.contains("counting")) {
        measurement.counting = countingOf(member(object, "counting"));
    }
    if (object.contains("compiled_branches")) {
        for (const Json& branch : list(object, "compiled_branches")) {
            measurement.compiledBranches.push_back(
                {text(branch, "branch"), named(branch, "form", branchFormFromString)});
        }
    }
    if (measurement.version == "0.1.0") withdrawFormerIdeals(measurement.values);
    return measurement;
}

}  // namespace json_reader

std::string toJson(const Experiment& experiment, int indent) {
    return json_reader::toText(json_reader::treeOf(experiment), indent);
}

std::string toJson(const Measurement& measurement) {
    return json_reader::toText(json_reader::treeOf(measurement), 2);
}

Measurement measurementFromJson(std::string_view text) {
    return json_reader::measurementOf(json_reader::parseObject(text));
}

}  // namespace warplens
