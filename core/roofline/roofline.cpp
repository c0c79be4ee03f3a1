#include "core/roofline/roofline.h"

#include <algorithm>

#include "core/measurement/json_trees.h"
#include "core/text/format.h"

namespace warplens {
namespace {

using json_reader::Json;

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

Json tree(const Ceilings& ceilings) {
    return {{"device", ceilings.device},
            {"bandwidth", {{"value", ceilings.bandwidth}, {"unit", "B/s"}}},
            {"flop_rate", {{"value", ceilings.flopRate}, {"unit", "FLOP/s"}}},
            {"ridge", {{"value", ceilings.ridge()}, {"unit", "FLOP/B"}}},
            {"source", ceilings.source}};
}

Json tree(const RoofPoint& point) {
    Json object = json_reader::treeOf(point.experiment);
    const auto add = [&](const char* name, std::optional<double> value, const char* unit,
                         const char* source) {
        if (value) object[name] = {{"value", *value}, {"unit", unit}, {"source", source}};
    };
    object["flops"] = point.flops;
    add("requested_bytes", point.requestedBytes, "bytes", "predicted");
    if (point.requestedBytes) object["exact"] = point.exact;
    add("flops_per_access", point.flopsPerAccess(), "FLOP", "predicted");
    add("flops_per_requested_byte", point.flopsPerRequestedByte(), "FLOP/B", "predicted");
    add("dram_bytes", point.dramBytes, "bytes", "counted");
    if (point.cached) object["dram_bytes"] = {{"unavailable", "the arrays stay in the L2"}};
    add("flops_per_dram_byte", point.flopsPerDramByte(), "FLOP/B", "counted");
    add("time", point.seconds, "s", "timed");
    add("flop_rate", point.flopRate(), "FLOP/s", "timed");
    return object;
}

}  // namespace

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

std::string toJson(const Roofline& roofline, int indent) {
    Json object{
        {"version", version()}, {"ceilings", nullptr}, {"textbook", tree(roofline.textbook)}};
    if (roofline.ceilings) object["ceilings"] = tree(*roofline.ceilings);
    object["recorded"] = roofline.recorded;
    if (!roofline.takenAt.empty()) object["taken_at"] = roofline.takenAt;
    object["points"] = Json::array();
    for (const RoofPoint& point : roofline.points) object["points"].push_back(tree(point));
    return json_reader::toText(object, indent);
}

std::string nameOf(const RoofPoint& point) {
    return point.experiment.scenario + "  " + toString(point.experiment.launch.block);
}

}  // namespace warplens
