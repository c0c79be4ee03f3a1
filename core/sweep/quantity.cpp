#include "core/sweep/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "core/access/line_cost.h"
#include "core/measurement/metric.h"
#include "core/scenario/scenario.h"

namespace warplens {
namespace {

constexpr std::array<Quantity, 15> quantities{{
    {Metric::sectorsPerRequest, Variant::load, "sectors_per_load_request",
     "Sectors per load request"},
    {Metric::sectorsPerRequest, Variant::store, "sectors_per_store_request",
     "Sectors per store request"},
    {Metric::coalescingEfficiency, Variant::none, "coalescing_efficiency", "Coalescing efficiency"},
    {Metric::globalLoadSectors, Variant::none, "global_load_sectors", "Load sectors"},
    {Metric::sharedWavefrontsPerRequest, Variant::none, "shared_wavefronts_per_request",
     "Wavefronts per shared request"},
    {Metric::branchEfficiency, Variant::none, "branch_efficiency", "Branch efficiency"},
    {Metric::laneEfficiency, Variant::active, "lane_efficiency", "Lane efficiency"},
    {Metric::theoreticalOccupancy, Variant::none, "theoretical_occupancy", "Theoretical occupancy"},
    {Metric::achievedOccupancy, Variant::none, "achieved_occupancy", "Achieved occupancy"},
    {Metric::effectiveBandwidth, Variant::none, "effective_bandwidth", "Effective bandwidth"},
    {Metric::dramBandwidth, Variant::none, "dram_bandwidth", "DRAM bandwidth"},
    {Metric::l2Bandwidth, Variant::none, "l2_bandwidth", "L2 bandwidth"},
    {Metric::bandwidthUtilization, Variant::copyRate, "bandwidth_utilization",
     "Bandwidth, of the copy rate"},
    {Metric::time, Variant::none, "time", "Time"},
    {Metric::globalLoadRequests, Variant::none, "global_load_requests", "Load requests"},
}};

const double* numberOf(const std::vector<Value>& values, const Quantity& quantity, Source source) {
    const Value* const value = findValue(values, quantity.metric, source, quantity.variant);
    return value == nullptr ? nullptr : value->number();
}

/// Both the traced values and those that came with a measurement, the occupancy say.
const double* numberOf(const SweepPoint& point, const Quantity& quantity, Source source) {
    if (source == Source::predicted && point.prediction() != nullptr) {
        if (const double* traced = numberOf(point.prediction()->values, quantity, source)) {
            return traced;
        }
    }
    const Measurement* const measured = point.measurement();
    return measured == nullptr ? nullptr : numberOf(measured->values, quantity, source);
}

/// The spread of the timed runs carries over to what is computed from their median.
Series::Reading readingOf(std::size_t index, const SweepPoint& point, const Quantity& quantity,
                          Source source, double number) {
    Series::Reading reading{index, number, number, number};
    if (source != Source::timed) return reading;
    const Timing& timing = point.measurement()->timing;
    if (timing.minimumSeconds <= 0 || timing.medianSeconds <= 0) return reading;
    const double fastest = timing.medianSeconds / timing.minimumSeconds;
    const double slowest = timing.medianSeconds / timing.maximumSeconds;
    if (quantity.metric == Metric::time) {
        reading.low = number / fastest;
        reading.high = number / slowest;
    } else {
        reading.low = number * slowest;
        reading.high = number * fastest;
    }
    return reading;
}

const Device* copyingDevice(const Sweep& sweep) {
    const Measurement* const measured = sweep.firstMeasurement();
    return measured == nullptr || !measured->device.copyRate ? nullptr : &measured->device;
}

double algorithmBytesOf(const Experiment& experiment) {
    return static_cast<double>(
        kernelOf(experiment).algorithmBytes(experiment.arguments, experiment.launch));
}

/// Bytes of all sectors the point asks for, where it asks for each of the algorithm's bytes once.
std::optional<double> bytesMovedOnce(const SweepPoint& point) {
    const auto predicted = [&](Metric metric) {
        const double* const number =
            numberOf(point, {metric, Variant::none, {}, {}}, Source::predicted);
        return number == nullptr ? 0.0 : *number;
    };
    const double sectors =
        predicted(Metric::globalLoadSectors) + predicted(Metric::globalStoreSectors);
    const double asked = predicted(Metric::requestedBytesPerSector) * sectors;
    const double needed = algorithmBytesOf(point.experiment);
    if (sectors == 0 || std::abs(asked - needed) > 0.01 * needed) return std::nullopt;
    return sectors * bytesPerSector;
}

std::optional<double> modelled(const SweepPoint& point, const Quantity& quantity, double copyRate) {
    const std::optional<double> moved = bytesMovedOnce(point);
    if (!moved) return std::nullopt;
    const double seconds = *moved / copyRate;
    switch (quantity.metric) {
        case Metric::time:
            return seconds;
        case Metric::effectiveBandwidth:
            return algorithmBytesOf(point.experiment) / seconds;
        case Metric::bandwidthUtilization:
            return 100 * algorithmBytesOf(point.experiment) / seconds / copyRate;
        default:
            return std::nullopt;
    }
}

/// As much of a device's UUID as people tell devices apart by: up to its second dash.
std::string shortUuid(const Device& device) {
    const std::size_t dash = device.uuid.find('-', device.uuid.find('-') + 1);
    return device.uuid.substr(0, dash);
}

/// Of a sweep over several devices, each by its short UUID; of any other, one without a name.
std::vector<std::string> devicesOf(const Sweep& sweep) {
    std::set<std::string> devices;
    for (const SweepPoint& point : sweep.points) {
        if (point.measurement() != nullptr) devices.insert(shortUuid(point.measurement()->device));
    }
    if (devices.size() < 2) return {""};
    return {devices.begin(), devices.end()};
}

bool isOf(const SweepPoint& point, const std::string& device) {
    return device.empty() ||
           (point.measurement() != nullptr && shortUuid(point.measurement()->device) == device);
}

bool hasNumbers(const Sweep& sweep, const Quantity& quantity) {
    return std::ranges::any_of(sweep.points, [&](const SweepPoint& point) {
        return std::ranges::any_of(measuredSources, [&](Source source) {
            return numberOf(point, quantity, source) != nullptr;
        });
    });
}

/// Whether some source's numbers differ along the sweep by more than rounding.
bool varies(const Sweep& sweep, const Quantity& quantity) {
    return std::ranges::any_of(seriesOf(sweep, quantity), [](const Series& series) {
        const auto [low, high] = std::ranges::minmax(series.readings, {}, &Series::Reading::number);
        return high.number - low.number > 0.005 * std::abs(high.number);
    });
}

constexpr std::array<const char*, 7> columns{"metric", "variant", "subject",    "source",
                                             "value",  "unit",    "unavailable"};

std::string digits(double number) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number);
    return {text.data(), end.ptr};
}

std::vector<std::string> rowOf(const Value& value) {
    const MetricInfo& metric = metricInfo(value.metric);
    const auto* const missing = std::get_if<Unavailable>(&value.content);
    return {std::string(metric.id),
            std::string(toString(value.variant)),
            value.subject,
            std::string(toString(value.source)),
            value.number() != nullptr ? digits(*value.number()) : "",
            std::string(toString(metric.unit)),
            missing != nullptr ? missing->reason : ""};
}

void add(TextRows& rows, const std::vector<std::string>& begin, std::span<const Value> values) {
    for (const Value& value : values) {
        std::vector<std::string> row = begin;
        for (std::string& field : rowOf(value)) row.push_back(std::move(field));
        rows.push_back(std::move(row));
    }
}

}  // namespace

std::span<const Quantity> allQuantities() {
    return quantities;
}

const Quantity* findQuantity(std::string_view id) {
    const auto found = std::ranges::find(quantities, id, &Quantity::id);
    return found == quantities.end() ? nullptr : &*found;
}

std::string nameOf(const Series& series) {
    if (series.model) return "model";
    return std::string(toString(series.source)) +
           (series.device.empty() ? "" : " " + series.device);
}

std::vector<Series> seriesOf(const Sweep& sweep, const Quantity& quantity) {
    std::vector<Series> all;
    const std::vector<std::string> devices = devicesOf(sweep);
    const auto add = [&](Series series) {
        if (!series.readings.empty()) all.push_back(std::move(series));
    };
    if (const Device* device = copyingDevice(sweep)) {
        Series model{.source = Source::predicted, .model = true, .readings = {}};
        for (std::size_t i = 0; i < sweep.points.size(); ++i) {
            const auto number = modelled(sweep.points[i], quantity, *device->copyRate);
            if (number) model.readings.push_back({i, *number, *number, *number});
        }
        add(std::move(model));
    }
    for (const Source source : measuredSources) {
        const bool ofDevices = source == Source::counted || source == Source::timed;
        for (const std::string& device : ofDevices ? devices : std::vector<std::string>{""}) {
            Series series{.source = source, .device = device, .readings = {}};
            for (std::size_t i = 0; i < sweep.points.size(); ++i) {
                const SweepPoint& point = sweep.points[i];
                const double* const number = numberOf(point, quantity, source);
                if (number == nullptr || !isOf(point, device)) continue;
                series.readings.push_back(readingOf(i, point, quantity, source, *number));
            }
            add(std::move(series));
        }
    }
    return all;
}

std::string modelInWords(const Sweep& sweep) {
    const Device* const device = copyingDevice(sweep);
    if (device == nullptr) return {};
    return "model: every predicted sector moves once, at the copy rate of " + device->name + ", " +
           formatNumber(*device->copyRate, Unit::bytesPerSecond) + " timed";
}

std::vector<Quantity> quantitiesOf(const Sweep& sweep) {
    std::vector<Quantity> found;
    std::ranges::copy_if(quantities, std::back_inserter(found),
                         [&](const Quantity& quantity) { return hasNumbers(sweep, quantity); });
    return found;
}

std::vector<Quantity> tellingQuantities(const Sweep& sweep) {
    std::vector<Quantity> telling;
    const auto take = [&](std::initializer_list<std::string_view> ids, bool evenIfConstant) {
        for (const std::string_view id : ids) {
            const Quantity& quantity = *findQuantity(id);
            if (!hasNumbers(sweep, quantity)) continue;
            if (!evenIfConstant && !varies(sweep, quantity)) continue;
            telling.push_back(quantity);
            return;
        }
    };
    take({"sectors_per_load_request", "sectors_per_store_request", "branch_efficiency",
          "global_load_sectors", "shared_wavefronts_per_request", "achieved_occupancy",
          "theoretical_occupancy"},
         false);
    const bool movesOnce = std::ranges::any_of(
        sweep.points, [](const SweepPoint& p) { return bytesMovedOnce(p).has_value(); });
    if (movesOnce) {
        take({"effective_bandwidth", "time"}, true);
    } else {
        take({"time"}, true);
    }
    if (telling.empty()) take({"sectors_per_load_request", "coalescing_efficiency"}, true);
    return telling;
}

TextRows rowsOf(std::span<const Value> values) {
    TextRows rows{{columns.begin(), columns.end()}};
    add(rows, {}, values);
    return rows;
}

TextRows rowsOf(const Sweep& sweep) {
    TextRows rows{{"point", "launch"}};
    rows.front().insert(rows.front().end(), columns.begin(), columns.end());
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        const SweepPoint& point = sweep.points[i];
        const std::vector<std::string> begin{std::to_string(i + 1), toOptions(point.experiment)};
        if (const PredictedPoint* predicted = point.prediction()) {
            add(rows, begin, predicted->values);
        }
        if (const Measurement* measured = point.measurement()) {
            std::vector<Value> values = measured->values;
            if (point.prediction() != nullptr) {
                std::erase_if(values,
                              [](const Value& value) { return value.source == Source::predicted; });
            }
            add(rows, begin, values);
        }
    }
    return rows;
}

}  // namespace warplens
