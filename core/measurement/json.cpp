#include "core/measurement/json.h"

#include "core/measurement/json_reader.h"
#include "core/schedule/json.h"

namespace warplens {
namespace {

using namespace json_reader;

Json tree(Extents extents) {
    return Json::array({extents.x, extents.y, extents.z});
}

Extents extentsOf(const Json& parent, const char* name) {
    const Json& found = member(parent, name);
    if (!found.is_array() || found.size() != 3) {
        throw MalformedJson(std::string("\"") + name + "\" is not a list of three extents");
    }
    const auto extent = [&](std::size_t axis) {
        const std::int64_t value = integer(found[axis], name);
        if (value < 0 || value > UINT32_MAX) {
            throw MalformedJson(std::string("\"") + name + "\" holds an extent out of range");
        }
        return static_cast<std::uint32_t>(value);
    };
    return {extent(0), extent(1), extent(2)};
}

Json tree(const Experiment& experiment) {
    Json arguments = Json::object();
    for (const auto& [name, value] : experiment.arguments.entries()) arguments[name] = value;
    Json object{{"scenario", experiment.scenario},
                {"launch",
                 {{"grid", tree(experiment.launch.grid)},
                  {"block", tree(experiment.launch.block)},
                  {"dynamic_shared_bytes", experiment.launch.dynamicSharedBytes}}},
                {"arguments", arguments}};
    if (experiment.arrayOffset != 0) object["array_offset"] = experiment.arrayOffset;
    return object;
}

Experiment experimentOf(const Json& parent) {
    Experiment experiment{.scenario = text(parent, "scenario"), .launch = {}, .arguments = {}};
    if (findScenario(experiment.scenario) == nullptr) {
        throw MalformedJson("unknown scenario '" + experiment.scenario + "'");
    }
    const Json& launch = member(parent, "launch");
    experiment.launch.grid = extentsOf(launch, "grid");
    experiment.launch.block = extentsOf(launch, "block");
    experiment.launch.dynamicSharedBytes =
        static_cast<std::uint32_t>(count(launch, "dynamic_shared_bytes", UINT32_MAX));
    const Json& arguments = member(parent, "arguments");
    if (!arguments.is_object()) throw MalformedJson("\"arguments\" is not an object");
    // In the kernel's order, whatever the file's: equal experiments are found by comparing them.
    const Kernel& kernel = kernelOf(scenarioNamed(experiment.scenario).kernel);
    for (const Parameter& parameter : kernel.parameters) {
        const std::string name(parameter.name);
        if (!arguments.contains(name)) continue;
        experiment.arguments.set(name, integer(arguments[name], name.c_str()));
    }
    for (const auto& [name, value] : arguments.items()) {
        experiment.arguments.set(name, integer(value, name.c_str()));
    }
    if (parent.contains("array_offset")) {
        experiment.arrayOffset =
            static_cast<std::uint32_t>(count(parent, "array_offset", mostArrayOffset));
    }
    return experiment;
}

Json tree(const Device& device) {
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
    device.multiprocessors = static_cast<int>(count(parent, "multiprocessors", 1 << 20));
    device.l2Bytes = count(parent, "l2_bytes");
    device.memoryBytes = count(parent, "memory_bytes");
    device.driver = line(parent, "driver");
    device.cuda = line(parent, "cuda");
    if (parent.contains("copy_rate")) {
        const Json& rate = member(parent, "copy_rate");
        device.copyRate = number(rate, "value");
        device.copyRateBytes = count(rate, "bytes");
        device.copyRateRuns = static_cast<int>(count(rate, "runs", 1 << 20));
    }
    if (parent.contains("fp32_rate")) {
        const Json& rate = member(parent, "fp32_rate");
        device.fp32Rate = number(rate, "value");
        device.fp32RateRuns = static_cast<int>(count(rate, "runs", 1 << 20));
    }
    if (parent.contains("theoretical_peak")) {
        device.theoreticalPeak = number(member(parent, "theoretical_peak"), "value");
    }
    return device;
}

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
    const std::string id = text(parent, "metric");
    const auto metric = metricFromId(id);
    if (!metric) throw MalformedJson("unknown metric '" + id + "'");
    const auto source = sourceFromString(text(parent, "source"));
    if (!source) throw MalformedJson("unknown source '" + text(parent, "source") + "'");
    Value value{*metric, line(parent, "subject"), *source, Variant::none, {}};
    if (parent.contains("variant")) {
        const auto variant = variantFromString(text(parent, "variant"));
        if (!variant) throw MalformedJson("unknown variant '" + text(parent, "variant") + "'");
        value.variant = *variant;
    }
    if (parent.contains("unavailable")) {
        value.content = Unavailable{text(parent, "unavailable")};
    } else {
        value.content = number(parent, "value");
        const std::string unit = text(parent, "unit");
        if (unit != toString(metricInfo(*metric).unit)) {
            throw MalformedJson("'" + id + "' in '" + unit + "' instead of '" +
                                std::string(toString(metricInfo(*metric).unit)) + "'");
        }
    }
    return value;
}

Json tree(const std::vector<Value>& values) {
    Json list = Json::array();
    for (const Value& value : values) list.push_back(tree(value));
    return list;
}

Json tree(const Timing& timing) {
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

/// The member as one of an enum's names; `absent` where there is no such member.
template <class Enum>
Enum named(const Json& parent, const char* name,
           std::optional<Enum> (*fromString)(std::string_view), Enum absent) {
    if (!parent.contains(name)) return absent;
    const std::string given = text(parent, name);
    const std::optional<Enum> found = fromString(given);
    if (!found) throw MalformedJson(std::string("unknown \"") + name + "\" '" + given + "'");
    return *found;
}

std::vector<std::uint64_t> runTimesOf(const Json& parent, int runs) {
    if (!parent.contains("run_ns")) return {};
    const Json& list = member(parent, "run_ns");
    if (!list.is_array()) throw MalformedJson("\"run_ns\" is not a list");
    if (list.size() != static_cast<std::size_t>(runs) || runs > mostTimedRuns) {
        throw MalformedJson("\"run_ns\" has " + std::to_string(list.size()) +
                            " entries: as many as \"runs\", " + std::to_string(runs) +
                            ", and at most " + std::to_string(mostTimedRuns));
    }
    std::vector<std::uint64_t> times;
    for (const Json& time : list) {
        const std::int64_t nanoseconds = integer(time, "run_ns");
        if (nanoseconds < 0) throw MalformedJson("\"run_ns\" holds a time below 0");
        times.push_back(static_cast<std::uint64_t>(nanoseconds));
    }
    return times;
}

/// Recordings of before the device's stamps say nothing of what told the time: events did.
Timing timingOf(const Json& parent) {
    Timing timing{
        .warmUpRuns = static_cast<int>(count(parent, "warm_up_runs", 1 << 30)),
        .runs = static_cast<int>(count(parent, "runs", 1 << 30)),
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

std::string toJson(const Experiment& experiment, int indent) {
    return tree(experiment).dump(indent);
}

Experiment experimentFromJson(std::string_view text) {
    return experimentOf(parseObject(text));
}

std::string toJson(const Device& device, int indent) {
    return tree(device).dump(indent);
}

Device deviceFromJson(std::string_view text) {
    return deviceOf(parseObject(text));
}

std::string toJson(const Timing& timing, int indent) {
    return tree(timing).dump(indent, ' ', false, Json::error_handler_t::replace);
}

Timing timingFromJson(std::string_view source) {
    return timingOf(parseObject(source));
}

std::string toJson(const std::vector<Value>& values, int indent) {
    return tree(values).dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::vector<Value> valuesFromJson(std::string_view list) {
    const Json tree = Json::parse(list, nullptr, false);
    if (!tree.is_array()) throw MalformedJson("not a list of values");
    std::vector<Value> values;
    for (const Json& value : tree) values.push_back(valueOf(value));
    return values;
}

std::string toJson(const Measurement& measurement, int indent) {
    Json object = tree(measurement.experiment);
    object["device"] = tree(measurement.device);
    object["taken_at"] = measurement.takenAt;
    object["version"] = measurement.version;
    if (!measurement.kernelDigest.empty()) object["kernel_digest"] = measurement.kernelDigest;
    object["check"] = tree(measurement.check);
    object["timing"] = tree(measurement.timing);
    object["compiled_branches"] = Json::array();
    for (const CompiledBranch& branch : measurement.compiledBranches) {
        object["compiled_branches"].push_back(
            {{"branch", branch.branch}, {"form", toString(branch.form)}});
    }
    if (measurement.resources) {
        object["resources"] = {
            {"registers_per_thread", measurement.resources->registersPerThread},
            {"static_shared_bytes", measurement.resources->staticSharedBytes},
            {"local_bytes_per_thread", measurement.resources->localBytesPerThread}};
    }
    if (measurement.schedule) object["schedule"] = tree(*measurement.schedule);
    if (measurement.counting) {
        object["counting"] = {{"passes", measurement.counting->passes},
                              {"repeats", measurement.counting->repeats},
                              {"seconds", measurement.counting->seconds}};
    }
    object["total_s"] = measurement.totalSeconds;
    object["notes"] = measurement.notes;
    object["values"] = tree(measurement.values);
    return object.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Measurement measurementFromJson(std::string_view source) {
    const Json object = parseObject(source);
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
                            .notes = {},
                            .values = {}};
    if (object.contains("resources")) {
        const Json& resources = member(object, "resources");
        measurement.resources = KernelResources{
            static_cast<std::uint32_t>(count(resources, "registers_per_thread", UINT32_MAX)),
            count(resources, "static_shared_bytes"), count(resources, "local_bytes_per_thread")};
    }
    if (object.contains("schedule")) {
        measurement.schedule = scheduleOf(member(object, "schedule"));
    }
    if (object.contains("counting")) {
        const Json& counting = member(object, "counting");
        measurement.counting = Counting{static_cast<int>(count(counting, "passes", 1 << 20)),
                                        static_cast<int>(count(counting, "repeats", 1 << 20)),
                                        number(counting, "seconds")};
    }
    const Json branches = object.value("compiled_branches", Json::array());
    if (!branches.is_array()) throw MalformedJson("\"compiled_branches\" is not a list");
    for (const Json& branch : branches) {
        const auto form = branchFormFromString(text(branch, "form"));
        if (!form) throw MalformedJson("unknown form of branch '" + text(branch, "form") + "'");
        measurement.compiledBranches.push_back({text(branch, "branch"), *form});
    }
    const Json& notes = member(object, "notes");
    const Json& values = member(object, "values");
    if (!notes.is_array() || !values.is_array()) {
        throw MalformedJson("\"notes\" or \"values\" is not a list");
    }
    for (const Json& note : notes) {
        if (!note.is_string()) throw MalformedJson("\"notes\" holds something not a string");
        measurement.notes.push_back(sanitized(note.get<std::string>()));
    }
    for (const Json& value : values) measurement.values.push_back(valueOf(value));
    if (measurement.version == "0.1.0") withdrawFormerIdeals(measurement.values);
    return measurement;
}

}  // namespace warplens
