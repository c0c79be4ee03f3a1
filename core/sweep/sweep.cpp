#include "core/sweep/sweep.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/json/archive.h"
#include "core/text/files.h"
#include "core/text/format.h"

namespace warplens {
namespace {

constexpr std::string_view arrayOffsetName = "array-offset";
constexpr std::string_view gridName = "grid";
constexpr std::string_view blockName = "block.x";

bool variesGrid(const Axis& axis) {
    return nameOf(axis) == gridName;
}

void setArgument(Experiment& experiment, const std::string& name, std::int64_t value) {
    if (name == gridName || name == blockName) {
        const bool grid = name == gridName;
        const std::int64_t most = grid ? LaunchLimits{}.grid.x : LaunchLimits{}.block.x;
        if (value < 1 || value > most) {
            throw InvalidRequest({{grid ? "grid x" : "block x", std::to_string(value),
                                   "from 1 to " + std::to_string(most)}});
        }
        (grid ? experiment.launch.grid : experiment.launch.block).x =
            static_cast<std::uint32_t>(value);
        return;
    }
    if (name != arrayOffsetName) {
        experiment.arguments.set(name, value);
        return;
    }
    if (value < 0 || value > mostArrayOffset) {
        throw InvalidRequest({{"array offset", std::to_string(value),
                               "from 0 to " + std::to_string(mostArrayOffset) + " elements"}});
    }
    experiment.arrayOffset = static_cast<std::uint32_t>(value);
}

/// What follows from block and sizes. With illegal ones nothing does, and `validate` says why.
void completeLaunch(Experiment& experiment, bool gridCovers) {
    const Kernel& kernel = kernelOf(experiment);
    if (!validate(kernel, experiment.arguments).empty()) return;
    if (!kernel.blockFor.empty()) experiment.launch.block = kernel.blockFor(experiment.arguments);
    const bool blockHasThreads = experiment.launch.block.count() > 0;
    if (gridCovers && blockHasThreads) experiment.launch.grid = coveringGrid(experiment);
    experiment.launch.dynamicSharedBytes = dynamicSharedBytes(experiment);
}

void addNew(std::vector<LimitViolation>& violations, const std::vector<LimitViolation>& found) {
    for (const LimitViolation& violation : found) {
        const auto same = [&](const LimitViolation& known) {
            return known.name == violation.name && known.limit == violation.limit;
        };
        if (std::ranges::none_of(violations, same)) violations.push_back(violation);
    }
}

/// Throws for arguments that the kernel has not. Every other point would repeat them, however many
/// there are and however long their names.
void refuseUnknownArguments(const Experiment& experiment) {
    const Kernel& kernel = kernelOf(experiment);
    const auto unknown = [&](const Arguments::Entry& entry) {
        return std::ranges::find(kernel.sizes, entry.first, &KernelSize::name) ==
               kernel.sizes.end();
    };
    if (std::ranges::any_of(experiment.arguments.entries(), unknown)) {
        throw InvalidRequest(validate(kernel, experiment.arguments));
    }
}

std::vector<Experiment> alongArgument(const SweepPlan& plan, const ArgumentAxis& axis) {
    std::vector<Experiment> experiments;
    std::vector<LimitViolation> violations;
    for (const std::int64_t value : axis.values) {
        Experiment experiment = plan.base;
        setArgument(experiment, axis.name, value);
        refuseUnknownArguments(experiment);
        completeLaunch(experiment, plan.gridCovers);
        addNew(violations, validateRun(experiment));
        experiments.push_back(std::move(experiment));
    }
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    return experiments;
}

std::vector<Experiment> alongShapes(const SweepPlan& plan, const BlockAxis& axis) {
    std::vector<Experiment> experiments;
    std::vector<LimitViolation> violations;
    refuseUnknownArguments(plan.base);
    for (const Extents shape : shapesOf(axis)) {
        Experiment experiment = plan.base;
        experiment.launch.block = shape;
        completeLaunch(experiment, plan.gridCovers);
        std::vector<LimitViolation> refused = validateRun(experiment);
        if (refused.empty() && experiment.launch.block != shape) {
            refused = {{"block", toString(shape),
                        "must be " + toString(experiment.launch.block) + " with " +
                            toString(experiment.arguments)}};
        }
        if (refused.empty()) {
            experiments.push_back(std::move(experiment));
        } else {
            addNew(violations, refused);
        }
    }
    if (experiments.empty()) throw InvalidRequest(std::move(violations));
    return experiments;
}

template <class State>
std::optional<std::size_t> firstOpen(const std::vector<SweepPoint>& points,
                                     State SweepPoint::*state) {
    const auto found = std::ranges::find_if(points, [&](const SweepPoint& point) {
        return std::holds_alternative<std::monostate>(point.*state);
    });
    if (found == points.end()) return std::nullopt;
    return static_cast<std::size_t>(found - points.begin());
}

using PointIterator = std::vector<SweepPoint>::const_iterator;

/// The first of the points, which rise along the axis, that is not below the experiment.
PointIterator notBelow(const std::vector<SweepPoint>& points, const ArgumentAxis& axis,
                       const Experiment& experiment) {
    const bool ofKernel = points.front().experiment.arguments.contains(axis.name);
    if (ofKernel && !experiment.arguments.contains(axis.name)) return points.end();
    return std::ranges::lower_bound(
        points, valueOn(axis, experiment), {},
        [&](const SweepPoint& point) { return valueOn(axis, point.experiment); });
}

/// The order of `shapesOf`.
std::tuple<std::uint64_t, std::uint32_t, std::uint32_t> rankOf(Extents shape) {
    return {shape.count(), shape.z, shape.x};
}

PointIterator notBelow(const std::vector<SweepPoint>& points, const Experiment& experiment) {
    return std::ranges::lower_bound(
        points, rankOf(experiment.launch.block), {},
        [](const SweepPoint& point) { return rankOf(point.experiment.launch.block); });
}

std::size_t countOf(const std::vector<SweepPoint>& points, auto&& holds) {
    return static_cast<std::size_t>(std::ranges::count_if(points, holds));
}

constexpr KeptDocument keptSweep{.document = Document::recordedSweep,
                                 .word = "sweep",
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

SweepPlan planOf(Experiment from, bool gridCovers, Axis axis) {
    const bool follows = gridCovers && !variesGrid(axis);
    SweepPlan plan{std::move(from), follows, std::move(axis)};
    plan.base = experimentsOf(plan).front();
    return plan;
}

std::vector<Experiment> experimentsOf(const SweepPlan& plan) {
    if (const auto* argument = std::get_if<ArgumentAxis>(&plan.axis)) {
        return alongArgument(plan, *argument);
    }
    return alongShapes(plan, std::get<BlockAxis>(plan.axis));
}

std::int64_t valueOn(const ArgumentAxis& axis, const Experiment& experiment) {
    if (axis.name == gridName) return experiment.launch.grid.x;
    if (axis.name == blockName) return experiment.launch.block.x;
    if (axis.name == arrayOffsetName) return experiment.arrayOffset;
    return experiment.arguments.at(axis.name);
}

std::string placeOn(const Axis& axis, const Experiment& experiment) {
    if (const auto* argument = std::get_if<ArgumentAxis>(&axis)) {
        return argument->name + " = " + std::to_string(valueOn(*argument, experiment));
    }
    return "block " + toString(experiment.launch.block);
}

PredictedPoint toPoint(const LaunchReport& prediction) {
    PredictedPoint point{prediction.exact, prediction.blocksTraced, prediction.blocks, {}};
    std::ranges::copy_if(prediction.values, std::back_inserter(point.values),
                         [](const Value& value) { return value.subject == "kernel"; });
    return point;
}

std::size_t Sweep::measuredCount() const {
    return countOf(points, [](const SweepPoint& p) { return p.measurement() != nullptr; });
}

std::size_t Sweep::failedCount() const {
    return countOf(points,
                   [](const SweepPoint& p) { return std::holds_alternative<Failure>(p.measured); });
}

std::size_t Sweep::predictedCount() const {
    return countOf(points, [](const SweepPoint& p) {
        return !std::holds_alternative<std::monostate>(p.predicted);
    });
}

std::optional<std::size_t> Sweep::nextToMeasure() const {
    return firstOpen(points, &SweepPoint::measured);
}

std::optional<std::size_t> Sweep::nextToPredict() const {
    return firstOpen(points, &SweepPoint::predicted);
}

const Measurement* Sweep::firstMeasurement() const {
    for (const SweepPoint& point : points) {
        if (point.measurement() != nullptr) return point.measurement();
    }
    return nullptr;
}

SweepPoint* Sweep::find(const Experiment& experiment) {
    const auto index = indexOf(experiment);
    return index ? &points[*index] : nullptr;
}

std::optional<std::size_t> Sweep::indexOf(const Experiment& experiment) const {
    if (points.empty() || experiment.scenario != plan.base.scenario) return std::nullopt;
    const auto* const argument = std::get_if<ArgumentAxis>(&plan.axis);
    const auto found = argument != nullptr ? notBelow(points, *argument, experiment)
                                           : notBelow(points, experiment);
    if (found == points.end() || found->experiment != experiment) return std::nullopt;
    return static_cast<std::size_t>(found - points.begin());
}

Sweep sweepOf(const SweepPlan& plan) {
    Sweep sweep{plan, {}};
    for (Experiment& experiment : experimentsOf(plan)) {
        sweep.points.push_back({.experiment = std::move(experiment)});
    }
    return sweep;
}

void forgetFailures(Sweep& sweep) {
    for (SweepPoint& point : sweep.points) {
        if (std::holds_alternative<Failure>(point.measured)) point.measured = std::monostate{};
    }
}

std::string incompatibilityReason(const Sweep& sweep, const Measurement& measurement) {
    const Measurement* const first = sweep.firstMeasurement();
    if (first == nullptr) return {};
    const Timing& theirs = first->timing;
    const Timing& its = measurement.timing;
    if (theirs.cache != its.cache) {
        return "the points so far were timed with a " + std::string(toString(theirs.cache)) +
               " L2, this one with a " + std::string(toString(its.cache)) +
               " one: two states make no one curve";
    }
    if (theirs.from != its.from) {
        return "the points so far were timed " + std::string(inWords(theirs.from)) + ", this one " +
               std::string(inWords(its.from)) + ": two clocks make no one curve";
    }
    if (first->device.name == measurement.device.name) return {};
    return "the points so far were measured on " + first->device.name + ", this one on " +
           measurement.device.name + ": two devices make no one curve";
}

void fillFrom(Sweep& sweep, std::span<const Measurement* const> recorded) {
    // What incompatibilityReason tells apart.
    using Kind = std::tuple<std::string, TimeFrom, CacheBefore>;
    const auto kindOf = [](const Measurement& measurement) {
        return Kind{measurement.device.name, measurement.timing.from, measurement.timing.cache};
    };
    std::map<Kind, std::vector<const Measurement*>> byKind;
    for (const Measurement* measurement : recorded) {
        if (sweep.find(measurement->experiment) == nullptr) continue;
        byKind[kindOf(*measurement)].push_back(measurement);
    }
    if (const Measurement* own = sweep.firstMeasurement()) {
        std::erase_if(byKind, [&](const auto& entry) { return entry.first != kindOf(*own); });
    }
    const auto most =
        std::ranges::max_element(byKind, {}, [](const auto& entry) { return entry.second.size(); });
    if (most == byKind.end()) return;
    for (const Measurement* measurement : most->second) {
        SweepPoint* const point = sweep.find(measurement->experiment);
        if (point->measurement() != nullptr) continue;
        // Which SM ran which block is no number of a sweep, and large.
        Measurement kept = *measurement;
        kept.schedule.reset();
        point->measured = std::move(kept);
    }
}

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
