#include "core/roofline/roofline.h"

#include <algorithm>

#include "core/json/archive.h"
#include "core/json/json.h"

namespace warplens {
namespace {

constexpr double bytesPerAccess = 4;

std::optional<double> quotient(std::optional<double> of, std::optional<double> by) {
    if (!of || !by || *by <= 0) return std::nullopt;
    return *of / *by;
}

std::optional<double> numberOf(const std::vector<Value>& values, Metric metric, Source source) {
    const Value* const value = findValue(values, metric, source);
    if (value == nullptr || value->number() == nullptr) return std::nullopt;
    return *value->number();
}

/// Each sector counts the bytes that lanes asked of it.
std::optional<double> requestedBytes(const std::vector<Value>& values) {
    const auto perSector = numberOf(values, Metric::requestedBytesPerSector, Source::predicted);
    if (!perSector) return std::nullopt;
    const double loads = numberOf(values, Metric::globalLoadSectors, Source::predicted).value_or(0);
    const double stores =
        numberOf(values, Metric::globalStoreSectors, Source::predicted).value_or(0);
    return *perSector * (loads + stores);
}

/// A number with its unit and source.
struct RoofNumber final {
    double value = 0;
    const char* unit = "";
    Source source = Source::predicted;
};

void describe(Archive& v, RoofNumber& quantity) {
    v.type("quantity", "A number with its unit and source.");
    v("value", quantity.value, "The number.");
    std::string unit = quantity.unit;
    v("unit", unit, "Its unit.");
    v("source", quantity.source, "Who says so.");
}

/// A number with its unit.
void describeRate(Archive& v, const char* name, double value, const char* unit, const char* about) {
    v.object(name, about, [&] {
        v("value", value, "The number.");
        v.constant("unit", unit, "Its unit.");
    });
}

}  // namespace

void describe(Archive& v, Ceilings& ceilings) {
    v.type("ceilings", "What bounds a device.");
    v("device", ceilings.device, "Its name.");
    describeRate(v, "bandwidth", ceilings.bandwidth, "B/s", "Bytes that memory can move.");
    describeRate(v, "flop_rate", ceilings.flopRate, "FLOP/s", "Operations it can do.");
    describeRate(v, "ridge", ceilings.ridge(), "FLOP/B", "Where the two limits meet.");
    v("source", ceilings.source, "Where the rates come from.");
}

void describe(Archive& v, RoofPoint& point) {
    describe(v, point.experiment);
    const auto add = [&](const char* name, std::optional<double> value, const char* unit,
                         Source source, const char* about) {
        v.derived(name, value ? std::optional(RoofNumber{*value, unit, source}) : std::nullopt,
                  about);
    };
    v("flops", point.flops, "Operations of the launch.", {.least = 0});
    add("requested_bytes", point.requestedBytes, "bytes", Source::predicted,
        "Bytes that lanes ask of global memory.");
    v.onlyIf(point.requestedBytes.has_value(), "exact", point.exact,
             "Whether every block was traced for that.");
    add("flops_per_access", point.flopsPerAccess(), "FLOP", Source::predicted,
        "Operations for each 4 bytes asked for.");
    add("flops_per_requested_byte", point.flopsPerRequestedByte(), "FLOP/B", Source::predicted,
        "Operations for each byte asked for.");
    add("dram_bytes", point.dramBytes, "bytes", Source::counted, "Bytes that memory moved.");
    std::optional<std::string> none;
    if (point.cached) none = "the arrays stay in the L2";
    v.object("dram_bytes", none, "Bytes that memory moved.", [&](std::string& reason) {
        v("unavailable", reason, "Why there is none.", {.notEmpty = true});
    });
    add("flops_per_dram_byte", point.flopsPerDramByte(), "FLOP/B", Source::counted,
        "Operations for each of them.");
    add("time", point.seconds, "s", Source::timed, "Median time.");
    add("flop_rate", point.flopRate(), "FLOP/s", Source::timed, "Operations in a second.");
}

void describe(Archive& v, Roofline& roofline) {
    describeVersion(v);
    v.nullable("ceilings", roofline.ceilings,
               "Those of the device that was measured; null where none was.");
    v("textbook", roofline.textbook, "Those of the device in the lecture.");
    v("recorded", roofline.recorded, "Whether the numbers are from recordings.");
    v.optional("taken_at", roofline.takenAt, "When, in UTC: 2026-11-21T09:30:00Z.", timeStampText);
    v("points", roofline.points, "One for each product.");
}

double Ceilings::at(double flopsPerByte) const {
    return std::min(flopRate, flopsPerByte * bandwidth);
}

std::optional<Ceilings> ceilingsOf(const Device& device) {
    if (!device.copyRate || !device.fp32Rate) return std::nullopt;
    return Ceilings{device.name, *device.copyRate, *device.fp32Rate,
                    "timed: device-to-device copy, and chains of multiply-adds"};
}

Ceilings textbookCeilings() {
    return {"textbook device", 200e9, 1500e9, "as lecture slides give it"};
}

std::optional<double> RoofPoint::flopsPerAccess() const {
    const auto perByte = flopsPerRequestedByte();
    return perByte ? std::optional(*perByte * bytesPerAccess) : std::nullopt;
}

std::optional<double> RoofPoint::flopsPerRequestedByte() const {
    return quotient(flops, requestedBytes);
}

std::optional<double> RoofPoint::flopsPerDramByte() const {
    return quotient(flops, dramBytes);
}

std::optional<double> RoofPoint::flopRate() const {
    return quotient(flops, seconds);
}

std::vector<Experiment> rooflineExperiments() {
    std::vector<Experiment> experiments;
    for (const char* scenario : {"matmul-swapped", "matmul-coalesced"}) {
        experiments.push_back(initialExperiment(scenarioNamed(scenario)));
    }
    // Too large for an L2 cache, as those are: the bytes that DRAM moves are to be seen.
    const auto square = [&](const char* scenario, std::uint32_t tile) {
        ExperimentRequest request{.scenario = scenario};
        request.block = Extents{tile, tile};
        request.set.set("n", 4096);
        if (std::string_view(scenario) == "matmul-tiled") request.set.set("tile", tile);
        experiments.push_back(complete(request));
    };
    square("matmul-global", 16);
    for (const std::uint32_t tile : {8u, 16u, 32u}) square("matmul-tiled", tile);
    return experiments;
}

bool hasRoofPoint(const Experiment& experiment) {
    return !kernelOf(experiment).flops.empty();
}

RoofPoint roofPointOf(const Experiment& experiment, const std::vector<Value>* predicted, bool exact,
                      const Measurement* measured) {
    const Kernel& kernel = kernelOf(experiment);
    RoofPoint point{
        .experiment = experiment,
        .flops = static_cast<double>(kernel.flops(experiment.arguments, experiment.launch)),
        .requestedBytes = {},
        .exact = exact,
        .dramBytes = {},
        .seconds = {}};
    if (predicted != nullptr) point.requestedBytes = requestedBytes(*predicted);
    if (measured != nullptr) {
        point.seconds = numberOf(measured->values, Metric::time, Source::timed);
        const auto rate = numberOf(measured->values, Metric::dramBandwidth, Source::counted);
        if (rate && point.seconds) point.dramBytes = *rate * *point.seconds;
        const auto needed =
            static_cast<double>(kernel.algorithmBytes(experiment.arguments, experiment.launch));
        point.cached = point.dramBytes && *point.dramBytes < needed / 2;
        if (point.cached) point.dramBytes.reset();
    }
    return point;
}

std::string nameOf(const RoofPoint& point) {
    return point.experiment.scenario + "  " + toString(point.experiment.launch.block);
}

}  // namespace warplens
