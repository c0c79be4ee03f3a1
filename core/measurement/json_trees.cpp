#include "core/measurement/json_trees.h"

#include <cmath>

namespace warplens::json_reader {
namespace {

Json tree(const Value& value) {
    const MetricInfo& info = metricInfo(value.metric);
    Json object{
        {"metric", info.id}, {"subject", value.subject}, {"source", toString(value.source)}};
    if (value.variant != Variant::none) object["variant"] = toString(value.variant);
    if (const double* number = value.number()) {
        // Counts are whole: written without a decimal point, as they were counted.
        if (*number == std::floor(*number) && std::abs(*number) < 9e15) {
            object["value"] = static_cast<std::int64_t>(*number);
        } else {
            object["value"] = *number;
        }
        object["unit"] = toString(info.unit);
    } else {
        object["unavailable"] = std::get<Unavailable>(value.content).reason;
    }
    return object;
}

Value valueOf(const Json& parent) {
    const Metric metric = named(parent, "metric", metricFromId);
    Value value{metric,
                line(parent, "subject"),
                named(parent, "source", sourceFromString),
                named(parent, "variant", variantFromString, Variant::none),
                {}};
    if (parent.contains("unavailable")) {
        value.content = Unavailable{text(parent, "unavailable")};
    } else {
        value.content = number(parent, "value");
        const std::string unit = text(parent, "unit");
        const MetricInfo& info = metricInfo(metric);
        if (unit != toString(info.unit)) {
            throw MalformedJson("'" + std::string(info.id) + "' in '" + unit + "' instead of '" +
                                std::string(toString(info.unit)) + "'");
        }
    }
    return value;
}

std::vector<std::uint64_t> runTimesOf(const Json& parent, int runs) {
    if (!parent.contains("run_ns")) return {};
    std::vector<std::uint64_t> times = counts(parent, "run_ns", mostTimedRuns);
    if (times.size() != static_cast<std::size_t>(runs)) {
        refuse("run_ns", "has " + std::to_string(times.size()) + " entries: as many as \"runs\", " +
                             std::to_string(runs));
    }
    return times;
}

}  // namespace

Json listOf(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return Json::array({x, y, z});
}

Index3 tripleOf(const Json& parent, const char* name) {
    const Json& found = member(parent, name);
    if (!found.is_array() || found.size() != 3) refuse(name, "is not a list of three numbers");
    const auto at = [&](std::size_t axis) {
        return static_cast<std::uint32_t>(countIn(found[axis], name, UINT32_MAX));
    };
    return {at(0), at(1), at(2)};
}

Json treeOf(const Launch& launch) {
    return {{"grid", listOf(launch.grid.x, launch.grid.y, launch.grid.z)},
            {"block", listOf(launch.block.x, launch.block.y, launch.block.z)},
            {"dynamic_shared_bytes", launch.dynamicSharedBytes}};
}

Launch launchOf(const Json& object) {
    const Index3 grid = tripleOf(object, "grid");
    const Index3 block = tripleOf(object, "block");
    return {.grid = {grid.x, grid.y, grid.z},
            .block = {block.x, block.y, block.z},
            .dynamicSharedBytes = count<std::uint32_t>(object, "dynamic_shared_bytes")};
}

Json treeOf(const Experiment& experiment) {
    Json arguments = Json::object();
    for (const auto& [name, value] : experiment.arguments.entries()) arguments[name] = value;
    Json object{{"scenario", experiment.scenario},
                {"launch", treeOf(experiment.launch)},
                {"arguments", arguments}};
    if (experiment.arrayOffset != 0) object["array_offset"] = experiment.arrayOffset;
    return object;
}

Experiment experimentOf(const Json& parent) {
    Experiment experiment{.scenario = text(parent, "scenario"), .launch = {}, .arguments = {}};
    if (findScenario(experiment.scenario) == nullptr) {
        throw MalformedJson("unknown scenario '" + experiment.scenario + "'");
    }
    experiment.launch = launchOf(member(parent, "launch"));
    const Json& arguments = member(parent, "arguments");
    if (!arguments.is_object()) refuse("arguments", "is not an object");
    // In the kernel's order, whatever the file's: equal experiments are found by comparing them.
    const Kernel& kernel = kernelOf(experiment);
    for (const KernelSize& parameter : kernel.sizes) {
        const std::string name(parameter.name);
        if (!arguments.contains(name)) continue;
        experiment.arguments.set(name, integer(arguments[name], name));
    }
    for (const auto& [name, value] : arguments.items()) {
        experiment.arguments.set(name, integer(value, name));
    }
    if (parent.contains("array_offset")) {
        experiment.arrayOffset = count<std::uint32_t>(parent, "array_offset", mostArrayOffset);
    }
    return experiment;
}

Json treeOf(const Device& device) {
    Json object{{"name", device.name},        {"compute_capability", device.computeCapability},
                {"chip", device.chip},        {"multiprocessors", device.multiprocessors},
                {"l2_bytes", device.l2Bytes}, {"memory_bytes", device.memoryBytes},
                {"driver", device.driver},    {"cuda", device.cuda}};
    if (!device.uuid.empty()) object["uuid"] = device.uuid;
    if (device.copyRate) {
        object["copy_rate"] = {{"value", *device.copyRate},
                               {"unit", "B/s"},
                               {"source", "timed"},
                               {"bytes", device.copyRateBytes},
                               {"runs", device.copyRateRuns}};
    }
    if (device.fp32Rate) {
        object["fp32_rate"] = {{"value", *device.fp32Rate},
                               {"unit", "FLOP/s"},
                               {"source", "timed"},
                               {"runs", device.fp32RateRuns}};
    }
    if (device.theoreticalPeak) {
        object["theoretical_peak"] = {{"value", *device.theoreticalPeak}, {"unit", "B/s"}};
    }
    return object;
}

Device deviceOf(const Json& parent) {
    Device device;
    device.name = line(parent, "name");
    device.computeCapability = line(parent, "compute_capability");
    device.chip = line(parent, "chip");
    device.uuid = lineOrNone(parent, "uuid");
    device.multiprocessors = count<int>(parent, "multiprocessors", 1 << 20);
    device.l2Bytes = count(parent, "l2_bytes");
    device.memoryBytes = count(parent, "memory_bytes");
    device.driver = line(parent, "driver");
    device.cuda = line(parent, "cuda");
    if (parent.contains("copy_rate")) {
        const Json& rate = member(parent, "copy_rate");
        device.copyRate = number(rate, "value");
        device.copyRateBytes = count(rate, "bytes");
        device.copyRateRuns = count<int>(rate, "runs", 1 << 20);
    }
    if (parent.contains("fp32_rate")) {
        const Json& rate = member(parent, "fp32_rate");
        device.fp32Rate = number(rate, "value");
        device.fp32RateRuns = count<int>(rate, "runs", 1 << 20);
    }
    if (parent.contains("theoretical_peak")) {
        device.theoreticalPeak = number(member(parent, "theoretical_peak"), "value");
    }
    return device;
}

Json treeOf(const std::vector<Value>& values) {
    Json list = Json::array();
    for (const Value& value : values) list.push_back(tree(value));
    return list;
}

std::vector<Value> valuesIn(const Json& parent, const char* name) {
    std::vector<Value> values;
    for (const Json& value : list(parent, name)) values.push_back(valueOf(value));
    return values;
}

Json treeOf(const Timing& timing) {
    Json object{{"time_from", toString(timing.from)},
                {"cache", toString(timing.cache)},
                {"warm_up_runs", timing.warmUpRuns},
                {"runs", timing.runs},
                {"median_s", timing.medianSeconds},
                {"minimum_s", timing.minimumSeconds},
                {"maximum_s", timing.maximumSeconds},
                {"spread_percent", timing.spreadPercent},
                {"working_set_bytes", timing.workingSetBytes},
                {"cache_state", timing.cacheState},
                {"clock_state", toString(timing.clockState)},
                {"clocks", timing.clocks}};
    if (!timing.fromReason.empty()) object["time_from_reason"] = timing.fromReason;
    if (!timing.runNanoseconds.empty()) object["run_ns"] = timing.runNanoseconds;
    if (const auto noise = noiseOf(timing)) object["noise"] = *noise;
    return object;
}

/// Recordings of before the device's stamps say nothing of what told the time: events did.
Timing timingOf(const Json& parent) {
    Timing timing{
        .warmUpRuns = count<int>(parent, "warm_up_runs", 1 << 30),
        .runs = count<int>(parent, "runs", 1 << 30),
        .medianSeconds = number(parent, "median_s"),
        .minimumSeconds = number(parent, "minimum_s"),
        .maximumSeconds = number(parent, "maximum_s"),
        .spreadPercent = number(parent, "spread_percent"),
        .workingSetBytes = count(parent, "working_set_bytes"),
        .cacheState = line(parent, "cache_state"),
        .clocks = line(parent, "clocks"),
        .from = named(parent, "time_from", timeFromFromString, TimeFrom::events),
        .cache = named(parent, "cache", cacheBeforeFromString, CacheBefore::warm),
        .clockState = named(parent, "clock_state", clockStateFromString, ClockState::unknown)};
    if (parent.contains("time_from_reason")) timing.fromReason = line(parent, "time_from_reason");
    timing.runNanoseconds = runTimesOf(parent, timing.runs);
    return timing;
}

Json treeOf(const KernelResources& resources) {
    return {{"registers_per_thread", resources.registersPerThread},
            {"static_shared_bytes", resources.staticSharedBytes},
            {"local_bytes_per_thread", resources.localBytesPerThread}};
}

KernelResources resourcesOf(const Json& tree) {
    return {.registersPerThread = count<std::uint32_t>(tree, "registers_per_thread"),
            .staticSharedBytes = count(tree, "static_shared_bytes"),
            .localBytesPerThread = count(tree, "local_bytes_per_thread")};
}

Json treeOf(const Counting& counting) {
    return {
        {"passes", counting.passes}, {"repeats", counting.repeats}, {"seconds", counting.seconds}};
}

Counting countingOf(const Json& tree) {
    return {.passes = count<int>(tree, "passes", 1 << 20),
            .repeats = count<int>(tree, "repeats", 1 << 20),
            .seconds = number(tree, "seconds")};
}

}  // namespace warplens::json_reader
