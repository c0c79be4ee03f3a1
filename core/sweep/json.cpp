#include "core/sweep/json.h"

#include <algorithm>

#include "core/json/archive.h"
#include "core/measurement/recording.h"
#include "core/text/files.h"
#include "core/text/format.h"

namespace warplens {
namespace {

constexpr KeptDocument keptSweep{.document = Document::recordedSweep,
                                 .word = "sweep",
                                 .formatOne = "warplens_sweep",
                                 .member = "sweep",
                                 .about = "A launch, what is varied in it, and every point.",
                                 .linesOf = "points"};

/// Of a file. A point takes some ten thousand bytes, and a sweep has a thousand at most.
constexpr std::size_t largestSweepText = 64u << 20;

std::vector<Device> measuredDevices(const Sweep& sweep) {
    std::vector<Device> devices;
    for (const SweepPoint& point : sweep.points) {
        const Measurement* const measured = point.measurement();
        if (measured == nullptr) continue;
        if (std::ranges::find(devices, measured->device) == devices.end()) {
            devices.push_back(measured->device);
        }
    }
    return devices;
}

/// What the measurement has in common with the sweep stands there once, or with its point.
void describeMeasured(Archive& v, Measurement& measured, const std::vector<Device>& devices) {
    auto device =
        static_cast<std::size_t>(std::ranges::find(devices, measured.device) - devices.begin());
    v("device", device, "The place of its device in `devices`.");
    // Without the schedule, which is of one launch: a thousand of them would be more than is read.
    describeResults(v, measured, false);
    if (!v.reads()) return;
    if (device >= devices.size()) {
        Archive::refuse("device", "= " + std::to_string(device) + ": less than " +
                                      std::to_string(devices.size()) +
                                      ", the number of \"devices\"");
    }
    measured.device = devices[device];
}

void describePoint(Archive& v, SweepPoint& point, const std::vector<Device>& devices) {
    describeLaunch(v, point.experiment);
    std::optional<PredictedPoint> predicted;
    std::optional<std::string> notPredicted;
    std::optional<Measurement> measured;
    std::optional<Failure> notMeasured;
    if (v.writes()) {
        if (const auto* known = point.prediction()) predicted = *known;
        if (const auto* none = std::get_if<NotPredicted>(&point.predicted)) {
            notPredicted = none->reason;
        }
        if (const auto* known = point.measurement()) measured = *known;
        if (const auto* none = std::get_if<Failure>(&point.measured)) notMeasured = *none;
    }
    v("predicted", predicted, "What tracing says of the point.");
    v("not_predicted", notPredicted, "Why it is not predicted.");
    v.object("measured", measured, "What was measured; its launch is the point's.",
             [&](Measurement& taken) { describeMeasured(v, taken, devices); });
    v("not_measured", notMeasured, "Why it was not measured.");
    if (!v.reads()) return;
    if (notPredicted) point.predicted = NotPredicted{*notPredicted};
    if (predicted) point.predicted = *std::move(predicted);
    if (notMeasured) point.measured = *notMeasured;
    if (measured) {
        measured->experiment = point.experiment;
        point.measured = *std::move(measured);
    }
}

/// A sweep of the plan, of which nothing is known yet.
Sweep openSweep(const Experiment& base, bool gridCovers, const std::string& over) {
    auto axis = parseAxis("over", over);
    if (const auto* violation = std::get_if<LimitViolation>(&axis)) {
        Archive::refuse(toString(*violation));
    }
    try {
        return sweepOf({base, gridCovers, std::get<Axis>(std::move(axis))});
    } catch (const InvalidRequest& invalid) {
        Archive::refuse(invalid.what());
    }
}

}  // namespace

void describe(Archive& v, PredictedPoint& predicted) {
    v("exact", predicted.exact, "Whether every block was traced.");
    v("blocks_traced", predicted.blocksTraced, "Blocks traced.");
    v("blocks", predicted.blocks, "Blocks of the grid.");
    v("values", predicted.values, "Every number, and every one that is missing.");
}

void describe(Archive& v, Sweep& sweep) {
    v.type("sweep", "A launch, what is varied in it, and every point.");
    std::string over = v.writes() ? toString(sweep.plan.axis) : std::string();
    v("over", over, "What is varied, as `--over` takes it.");
    Experiment base = sweep.plan.base;
    describe(v, base);
    bool gridCovers = sweep.plan.gridCovers;
    v("grid_covers", gridCovers,
      "Whether the grid of each point is as many blocks as cover its problem.");
    std::string writtenBy = version();
    v.added("version", writtenBy, "The version of Warplens that made it, as in 0.2.0.",
            versionText);
    if (v.reads()) sweep = openSweep(base, gridCovers, over);
    const Rule asTheAxis = v.reads() ? Rule{.entries = sweep.points.size()} : Rule{};
    std::vector<Device> devices = measuredDevices(sweep);
    v("devices", devices, "The devices that the points name by their place.", asTheAxis);
    std::vector<SweepPoint> points;
    if (v.writes()) points = sweep.points;
    const auto point = [&](SweepPoint& one) {
        if (v.reads()) one.experiment.scenario = base.scenario;
        describePoint(v, one, devices);
        if (!v.reads()) return;
        SweepPoint* const known = sweep.find(one.experiment);
        if (known == nullptr) Archive::refuse("a point that does not lie on the axis");
        auto* const predicted = std::get_if<PredictedPoint>(&one.predicted);
        if (predicted != nullptr && writtenBy == "0.1.0") withdrawFormerIdeals(predicted->values);
        *known = std::move(one);
    };
    v.each("points", points, "In the order of what is varied.", point, asTheAxis);
}

Sweep sweepFromJson(std::string_view text) {
    return fromJson<Sweep>(text, largestSweepText);
}

std::string toSweepText(const Sweep& sweep) {
    return keptText(keptSweep, membersOf(sweep));
}

std::string recordedSweepSchema() {
    return keptSchema<Sweep>(keptSweep);
}

RecordedSweep sweepFromText(std::string name, std::string_view source) {
    try {
        // Before the name moves: a refusal names it.
        Sweep sweep;
        readKept(keptSweep, source, membersOf(sweep), largestSweepText);
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
