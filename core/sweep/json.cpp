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
        throw MalformedJson("\"device\" is no place among \"devices\"");
    }
    static const Json noDevice = treeOf(Device{});
    object["device"] = noDevice;
    object.update(experiment);
    Measurement measurement = json_reader::measurementOf(object);
    measurement.device = devices[device];
    return measurement;
}

/// The member, a list of at most as many entries as there are points on the axis.
const Json& listFor(const Sweep& sweep, const Json& object, const char* name) {
    const Json& list = member(object, name);
    if (!list.is_array()) throw MalformedJson(std::string("\"") + name + "\" is not a list");
    if (list.size() > sweep.points.size()) {
        throw MalformedJson(std::string("\"") + name + "\" has " + std::to_string(list.size()) +
                            " entries: at most " + std::to_string(sweep.points.size()) +
                            ", the points of the axis");
    }
    return list;
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
    Json experiment{{"scenario", sweep.plan.base.scenario},
                    {"launch", member(object, "launch")},
                    {"arguments", member(object, "arguments")}};
    if (object.contains("array_offset")) experiment["array_offset"] = object["array_offset"];
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
        const auto kind = failureKindFromString(text(failure, "kind"));
        if (!kind) throw MalformedJson("unknown kind of error '" + text(failure, "kind") + "'");
        point->measured = Failure{*kind, text(failure, "message")};
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
    // Without the points, which may be many.
    Json base{{"scenario", member(object, "scenario")},
              {"launch", member(object, "launch")},
              {"arguments", member(object, "arguments")}};
    if (object.contains("array_offset")) base["array_offset"] = object["array_offset"];
    Sweep sweep;
    try {
        sweep = warplens::sweepOf(
            {experimentOf(base), flag(object, "grid_covers"), std::get<Axis>(std::move(axis))});
    } catch (const InvalidRequest& invalid) {
        throw MalformedJson(invalid.what());
    }
    const Json& points = listFor(sweep, object, "points");
    if (points.empty()) return sweep;
    std::vector<Device> devices;
    for (const Json& device : listFor(sweep, object, "devices")) {
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

std::string toJson(const Sweep& sweep, int indent) {
    return toText(tree(sweep), indent);
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
