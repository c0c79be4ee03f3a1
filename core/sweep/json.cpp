#include "core/sweep/json.h"

#include <algorithm>

#include "core/measurement/json_trees.h"
#include "core/measurement/kept_document.h"
#include "core/text/atomic_file.h"
#include "core/text/format.h"

namespace warplens {
namespace {

using namespace json_reader;

constexpr Kept keptSweep{Document::recordedSweep, "sweep", "warplens_sweep", "sweep"};

/// Of a file. A point takes some ten thousand bytes, and a sweep has a thousand at most.
constexpr std::size_t largestSweepText = 64u << 20;

/// The members that say which experiment it is.
constexpr const char* experimentMembers[] = {"scenario", "launch", "arguments", "array_offset"};

Json tree(const PredictedPoint& predicted) {
    return {{"exact", predicted.exact},
            {"blocks_traced", predicted.blocksTraced},
            {"blocks", predicted.blocks},
            {"values", treeOf(predicted.values)}};
}

PredictedPoint predictedOf(const Json& parent) {
    return {flag(parent, "exact"), count(parent, "blocks_traced"), count(parent, "blocks"),
            valuesIn(parent, "values")};
}

/// What the point has in common with the sweep stands there once.
Json tree(const Measurement& measurement, std::vector<Device>& devices) {
    Json object = treeOf(measurement);
    for (const char* name : experimentMembers) object.erase(name);
    object.erase("schedule");  // of one launch; a thousand of them would be more than is read
    auto device = std::ranges::find(devices, measurement.device);
    if (device == devices.end()) device = devices.insert(device, measurement.device);
    object["device"] = device - devices.begin();
    return object;
}

/// The device stands in for the one that the measurement names by its place, and that was read once
/// for all points: however long it is, and however many there are, reading takes no longer.
Measurement measurementOf(Json object, const Json& experiment, const std::vector<Device>& devices) {
    const std::uint64_t device = count(object, "device");
    if (device >= devices.size()) {
        refuse("device", "= " + std::to_string(device) + ": less than " +
                             std::to_string(devices.size()) + ", the number of \"devices\"");
    }
    static const Json noDevice = treeOf(Device{});
    object["device"] = noDevice;
    object.update(experiment);
    Measurement measurement = json_reader::measurementOf(object);
    measurement.device = devices[device];
    return measurement;
}

/// What of the object says which experiment it is, apart from the rest, which may be much.
Json experimentIn(const Json& object, const Json& scenario) {
    Json experiment{{"scenario", scenario},
                    {"launch", member(object, "launch")},
                    {"arguments", member(object, "arguments")}};
    if (object.contains("array_offset")) experiment["array_offset"] = object["array_offset"];
    return experiment;
}

Json tree(const SweepPoint& point, std::vector<Device>& devices) {
    Json object = treeOf(point.experiment);
    object.erase("scenario");
    if (const PredictedPoint* predicted = point.prediction()) {
        object["predicted"] = tree(*predicted);
    } else if (const auto* reason = std::get_if<NotPredicted>(&point.predicted)) {
        object["not_predicted"] = reason->reason;
    }
    if (const Measurement* measured = point.measurement()) {
        object["measured"] = tree(*measured, devices);
    } else if (const auto* failure = std::get_if<Failure>(&point.measured)) {
        object["not_measured"] = {{"kind", toString(failure->kind)}, {"message", failure->message}};
    }
    return object;
}

void readPoint(const Json& object, const std::vector<Device>& devices, Sweep& sweep) {
    const Json experiment = experimentIn(object, sweep.plan.base.scenario);
    SweepPoint* const point = sweep.find(experimentOf(experiment));
    if (point == nullptr) throw MalformedJson("a point that does not lie on the axis");
    if (object.contains("predicted")) {
        point->predicted = predictedOf(object["predicted"]);
    } else if (object.contains("not_predicted")) {
        point->predicted = NotPredicted{text(object, "not_predicted")};
    }
    if (object.contains("measured")) {
        point->measured = measurementOf(member(object, "measured"), experiment, devices);
    } else if (object.contains("not_measured")) {
        const Json& failure = object["not_measured"];
        point->measured =
            Failure{named(failure, "kind", failureKindFromString), text(failure, "message")};
    }
}

Json tree(const Sweep& sweep) {
    Json object{{"over", toString(sweep.plan.axis)}};
    object.update(treeOf(sweep.plan.base));
    object["grid_covers"] = sweep.plan.gridCovers;
    object["version"] = version();
    std::vector<Device> devices;
    Json points = Json::array();
    for (const SweepPoint& point : sweep.points) points.push_back(tree(point, devices));
    object["devices"] = Json::array();
    for (const Device& device : devices) {
        object["devices"].push_back(treeOf(device));
    }
    object["points"] = std::move(points);
    return object;
}

Sweep sweepOf(const Json& object) {
    auto axis = parseAxis("over", text(object, "over"));
    if (const auto* violation = std::get_if<LimitViolation>(&axis))
        throw MalformedJson(toString(*violation));
    const Experiment base = experimentOf(experimentIn(object, member(object, "scenario")));
    Sweep sweep;
    try {
        sweep =
            warplens::sweepOf({base, flag(object, "grid_covers"), std::get<Axis>(std::move(axis))});
    } catch (const InvalidRequest& invalid) {
        throw MalformedJson(invalid.what());
    }
    const Json& points = list(object, "points", sweep.points.size());
    if (points.empty()) return sweep;
    std::vector<Device> devices;
    for (const Json& device : list(object, "devices", sweep.points.size())) {
        devices.push_back(deviceOf(device));
    }
    for (const Json& point : points) readPoint(point, devices, sweep);
    if (object.value("version", "") == "0.1.0") {
        for (SweepPoint& point : sweep.points) {
            if (auto* predicted = std::get_if<PredictedPoint>(&point.predicted)) {
                withdrawFormerIdeals(predicted->values);
            }
        }
    }
    return sweep;
}

}  // namespace

std::string toJson(const Sweep& sweep) {
    return toText(tree(sweep), 2);
}

Sweep sweepFromJson(std::string_view text) {
    return sweepOf(parseObject(text, largestSweepText));
}

std::string toSweepText(const Sweep& sweep) {
    Json object = tree(sweep);
    std::string head = toText(keptHead(keptSweep, toText(object)));
    const Json points = std::move(object["points"]);
    object.erase("points");  // the last member, so that it may be written last
    std::string body = toText(object);
    body.back() = ',';
    body += "\n\"points\":[";
    for (const Json& point : points) {
        body += (body.back() == '[' ? "\n" : ",\n") + toText(point);
    }
    head.back() = ',';
    return head + "\"sweep\":\n" + body + "\n]}}\n";
}

RecordedSweep sweepFromText(std::string name, std::string_view source) {
    try {
        const Json file = parseObject(source, largestSweepText);
        // Before the name moves: a refusal names it.
        Sweep sweep = sweepOf(keptIn(keptSweep, file));
        return {std::move(name), std::move(sweep)};
    } catch (const MalformedJson& error) {
        throw MalformedJson(name + ": " + error.what());
    }
}

void save(const Sweep& sweep, const std::filesystem::path& path) {
    const std::string text = toSweepText(sweep);
    if (text.size() > largestSweepText) {
        throw std::runtime_error("the sweep would take " + formatBytes(text.size()) + ": at most " +
                                 formatBytes(largestSweepText) + ", as much as is read again");
    }
    writeFileAtomically(path, text);
}

RecordedSweep loadSweep(const std::filesystem::path& path) {
    return sweepFromText(path.filename().string(), readFile(path, largestSweepText));
}

}  // namespace warplens
