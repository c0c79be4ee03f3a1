#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/json/json.h"
#include "core/measurement/measurement.h"
#include "core/measurement/recording.h"
#include "core/measurement/worker_protocol.h"
#include "core/program/launch_report.h"
#include "core/scenario/scenario.h"
#include "core/sweep/axis.h"

namespace warplens {

/// What a sweep goes through: one experiment, and what of it is varied.
struct SweepPlan final {
    /// What stays, and the first point's value of what does not.
    Experiment base;
    bool gridCovers = true;  ///< the grid follows each point's block and sizes; else it stays
    Axis axis;
    friend bool operator==(const SweepPlan&, const SweepPlan&) = default;
};

/// The plan in which `from` is varied along the axis, the same wherever on the axis `from` lies.
/// Throws InvalidRequest as `experimentsOf` does.
[[nodiscard]] SweepPlan planOf(Experiment from, bool gridCovers, Axis axis);

/// The experiments of a plan, all of which can be run. Shapes of blocks that no device launches, or
/// this kernel does not run with, are left out. Throws InvalidRequest with every argument the
/// kernel has not, or that is out of its bounds; and where no shape is left.
[[nodiscard]] std::vector<Experiment> experimentsOf(const SweepPlan& plan);

/// Where the experiment lies on the axis: `stride = 5`, `block 16,16`.
[[nodiscard]] std::string placeOn(const Axis& axis, const Experiment& experiment);

/// The value of what an argument axis varies.
[[nodiscard]] std::int64_t valueOn(const ArgumentAxis& axis, const Experiment& experiment);

/// What tracing said of one point: the values of the whole kernel.
struct PredictedPoint final {
    bool exact = false;  ///< every block was traced
    std::uint64_t blocksTraced = 0;
    std::uint64_t blocks = 0;  ///< in the grid
    std::vector<Value> values;
    friend bool operator==(const PredictedPoint&, const PredictedPoint&) = default;
};
[[nodiscard]] PredictedPoint toPoint(const LaunchReport& prediction);

/// Why a point has no prediction.
struct NotPredicted final {
    std::string reason;
    friend bool operator==(const NotPredicted&, const NotPredicted&) = default;
};

/// Nothing as long as it was not tried.
using PointPrediction = std::variant<std::monostate, PredictedPoint, NotPredicted>;

struct SweepPoint final {
    Experiment experiment;
    PointPrediction predicted{};
    std::variant<std::monostate, SharedMeasurement, Failure> measured{};
    friend bool operator==(const SweepPoint&, const SweepPoint&) = default;

    [[nodiscard]] const PredictedPoint* prediction() const {
        return std::get_if<PredictedPoint>(&predicted);
    }
    [[nodiscard]] const Measurement* measurement() const {
        const auto* shared = std::get_if<SharedMeasurement>(&measured);
        return shared == nullptr ? nullptr : shared->get();
    }
};

/// The points of a plan with what is known of each so far.
struct Sweep final {
    SweepPlan plan;
    std::vector<SweepPoint> points;
    friend bool operator==(const Sweep&, const Sweep&) = default;

    [[nodiscard]] std::size_t measuredCount() const;
    [[nodiscard]] std::size_t failedCount() const;
    [[nodiscard]] std::size_t predictedCount() const;  ///< with those that cannot be predicted
    /// The first point of which nothing is known yet, neither numbers nor why there are none.
    [[nodiscard]] std::optional<std::size_t> nextToMeasure() const;
    [[nodiscard]] std::optional<std::size_t> nextToPredict() const;
    /// The first measurement; null where there is none.
    [[nodiscard]] const Measurement* firstMeasurement() const;
    [[nodiscard]] SweepPoint* find(const Experiment& experiment);
    [[nodiscard]] std::optional<std::size_t> indexOf(const Experiment& experiment) const;
};

/// A sweep of which nothing is known yet. Throws InvalidRequest as `experimentsOf` does.
[[nodiscard]] Sweep sweepOf(const SweepPlan& plan);

/// Points that failed are open again.
void forgetFailures(Sweep& sweep);

/// What keeps the measurement from standing beside those that the sweep has: that it was taken on
/// another device, timed by another clock, or with another state of the L2. Empty when it fits.
[[nodiscard]] std::string incompatibilityReason(const Sweep& sweep, const Measurement& measurement);

/// Fills points that are open from recordings of exactly their experiments, all of one device and
/// timed alike: of the kind that there is most of. What the sweep has measured itself decides for
/// its device.
void fillFrom(Sweep& sweep, std::span<const Measurement* const> recorded);

}  // namespace warplens

/// JSON of sweeps, and the files they are kept in.
namespace warplens {

/// A point has `predicted` or `not_predicted`, and `measured`, with its device as a place among
/// `devices`, or `not_measured`; neither where it was not measured yet. The schedules of points
/// stay out. Reading throws MalformedJson, for more points than the axis has, too.
void describe(Archive& v, Sweep& sweep);
void describe(Archive& v, PredictedPoint& predicted);

/// As fromJson, of texts up to 64 MiB.
[[nodiscard]] Sweep sweepFromJson(std::string_view text);

/// A sweep kept in a file: finished, or to go on with.
struct RecordedSweep final {
    std::string name;  ///< file name, for messages
    Sweep sweep;
};

/// The file's text, `warplens.recorded_sweep/2`: the sweep after the program's version and a digest
/// of it, a line for each point.
[[nodiscard]] std::string toSweepText(const Sweep& sweep);

/// The JSON schema of that.
[[nodiscard]] std::string recordedSweepSchema();

/// Reads format 1 too, as `recordingFromText` does. Throws MalformedJson whose message starts with
/// `name`: not JSON, truncated, a newer format, changed since it was written.
[[nodiscard]] RecordedSweep sweepFromText(std::string name, std::string_view text);

/// Writes the file so that at every moment it is as before or whole; without the schedules of its
/// points. Throws std::system_error, or std::runtime_error for more than would be read again.
void save(const Sweep& sweep, const std::filesystem::path& path);

/// Throws MalformedJson, or std::system_error when the file cannot be read.
[[nodiscard]] RecordedSweep loadSweep(const std::filesystem::path& path);

}  // namespace warplens
