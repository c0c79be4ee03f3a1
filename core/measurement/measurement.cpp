#include "core/measurement/measurement.h"

#include <algorithm>
#include <cmath>

#include "core/json/archive.h"
#include "core/text/format.h"

namespace warplens {
namespace {

/// A number with its unit.
void describeRate(Archive& v, double& value, const char* unit) {
    v("value", value, "The rate.");
    v.constant("unit", unit, "Of the rate.");
}

void describeTimedRate(Archive& v, double& value, const char* unit) {
    describeRate(v, value, unit);
    v.constant("source", "timed", "How it is known.");
}

std::string seconds(double value) {
    if (value >= 1) return significantDigits(value) + " s";
    if (value >= 1e-3) return significantDigits(value * 1e3) + " ms";
    if (value >= 1e-6) return significantDigits(value * 1e6) + " µs";
    return significantDigits(value * 1e9) + " ns";
}

/// Never so round that almost all reads as all, or almost nothing as nothing.
std::string percent(double value) {
    const double size = std::abs(value);
    int decimals = 1;
    if (size > 99.9 && size < 100) {
        // As many as tell it from 100.
        decimals = std::min(9, static_cast<int>(std::ceil(-std::log10(100 - size))));
    } else if (size > 0 && size < 1) {
        decimals = std::min(9, 1 - static_cast<int>(std::floor(std::log10(size))));
    }
    return fixedNumber(value, decimals) + " %";
}

}  // namespace

void describe(Archive& v, CompiledBranch& branch) {
    v("branch", branch.branch, "Its name.");
    v("form", branch.form,
      "branch: an instruction at which warps can diverge; exit: the other side ends at a "
      "predicated EXIT; predicated: no branch is left.");
}

void describeSource(Archive& v, Source& source) {
    v("source", source,
      "Who says so: the trace of the source without a GPU, the compiler's optimised code, the "
      "hardware's counters, or its clock. `probed` stands in documents of former versions alone.");
    std::string by;
    v.optional("by", by,
               "Of `compiled`: `device probe`, where instrumented code counted on the device; left "
               "out where the code was run without a GPU.");
    // What instrumented code counted on the device is what the compiled code asks for.
    if (v.reads() && source == Source::probed) source = Source::compiled;
}

void describe(Archive& v, Value& value) {
    v.type("value", "A number from one source, or why it is missing.");
    v("metric", value.metric, "Id of the metric; docs/json.md lists them.");
    v("subject", value.subject, "`kernel`, or the name of one array or branch.", {.oneLine = true});
    describeSource(v, value.source);
    // Read back from the device, as former versions did not say.
    if (v.reads() && value.metric == Metric::mappingMismatches && value.source == Source::compiled)
        value.source = Source::counted;
    v.optional("variant", value.variant, "What of the metric, where there are several.");
    const auto number = [&](double& content) {
        v("value", content, "The number, in the unit beside it.", {.wholeAsCounted = true});
        const MetricInfo& info = metricInfo(value.metric);
        Unit unit = info.unit;
        v("unit", unit, "Of the value. 1: a plain ratio.");
        if (unit != info.unit) {
            Archive::refuse("'" + std::string(info.id) + "' in '" + std::string(toString(unit)) +
                            "' instead of '" + std::string(toString(info.unit)) + "'");
        }
    };
    const auto unavailable = [&](Unavailable& content) {
        v("unavailable", content.reason, "Why there is no number.", {.notEmpty = true});
    };
    v.oneOf(value.content, {"value", "unavailable"}, Match{number, unavailable});
}

void describe(Archive& v, Device& device) {
    v.type("device", "The GPU.");
    v("name", device.name, "As the driver calls it.", {.oneLine = true});
    v("compute_capability", device.computeCapability, "As in 9.0.", capabilityText);
    v("chip", device.chip, "As CUPTI calls it, as in GH100; empty without CUPTI.",
      {.oneLine = true});
    v("multiprocessors", device.multiprocessors, "SMs.", {.most = 1 << 20});
    v("l2_bytes", device.l2Bytes, "Size of the L2 cache, in bytes.");
    v("memory_bytes", device.memoryBytes, "Size of its memory, in bytes.");
    v("driver", device.driver, "Newest CUDA version that the driver supports.", {.oneLine = true});
    v("cuda", device.cuda, "CUDA version of the worker.", {.oneLine = true});
    v.optional("uuid", device.uuid, "Of this very device, as the driver knows it.",
               {.oneLine = true});
    v.object("copy_rate", device.copyRate,
             "Device-to-device copy, bytes read plus bytes written over its median time.",
             [&](double& rate) {
                 describeTimedRate(v, rate, "B/s");
                 v("bytes", device.copyRateBytes, "Moved by one copy, read plus written.");
                 v("runs", device.copyRateRuns, "Copies timed.", {.most = 1 << 20});
             });
    v.object("fp32_rate", device.fp32Rate,
             "Float multiply-adds in registers on every SM, two operations each.",
             [&](double& rate) {
                 describeTimedRate(v, rate, "FLOP/s");
                 v("runs", device.fp32RateRuns, "Runs timed.", {.most = 1 << 20});
             });
    v.object("theoretical_peak", device.theoreticalPeak, "Memory clock times bus width times two.",
             [&](double& rate) { describeRate(v, rate, "B/s"); });
}

void describe(Archive& v, Counting& counting) {
    v.type("counting", "How the counters were read.");
    v("passes", counting.passes, "Replays of the kernel for one set of counters.",
      {.most = 1 << 20});
    v("repeats", counting.repeats, "Sets.", {.most = 1 << 20});
    v("seconds", counting.seconds, "All of it, in seconds.", {.least = 0});
}

void describe(Archive& v, ResultCheck& check) {
    v.type("check", "The kernel's output compared with the host's.");
    v("checked", check.checked, "Elements compared.");
    v("elements", check.elements, "Elements there are.");
    v("largest_error", check.largestError,
      "Largest difference, relative to the largest magnitude expected.", {.least = 0});
    v("tolerance", check.tolerance, "Up to which it is right.", {.least = 0});
    v("method", check.method, "`every element`, or how a sample was drawn.", {.oneLine = true});
}

void describe(Archive& v, KernelResources& resources) {
    v.type("resources", "What the compiled kernel takes of an SM.");
    v("registers_per_thread", resources.registersPerThread, "Registers.");
    v("static_shared_bytes", resources.staticSharedBytes,
      "Static shared memory of a block, in bytes.");
    v("local_bytes_per_thread", resources.localBytesPerThread, "Local memory, in bytes.");
}

void describe(Archive& v, Measurement& measurement) {
    v.type("measurement", "What one measurement of one launch found.");
    describe(v, measurement.experiment);
    v("device", measurement.device, "The GPU.");
    describeResults(v, measurement, true);
}

void describeResults(Archive& v, Measurement& measurement, bool withSchedule) {
    v("taken_at", measurement.takenAt, "When, in UTC: 2026-11-21T09:30:00Z.", timeStampText);
    v("version", measurement.version, "The version of Warplens that made it, as in 0.2.0.",
      versionText);
    v.optional("kernel_digest", measurement.kernelDigest,
               "Digest of the kernel's source as it was measured; left out in recordings made "
               "before there was one.",
               {.oneLine = true});
    v("check", measurement.check, "The kernel's output compared with the host's.");
    v("timing", measurement.timing, "The timed runs.");
    v.added("compiled_branches", measurement.compiledBranches,
            "What became of the kernel's named branches in the code that ran.");
    v("resources", measurement.resources, "What the compiled kernel takes of an SM.");
    if (withSchedule) {
        v("schedule", measurement.schedule,
          "Which SM ran which block of the launch, and when. The lists of one run for each block "
          "go together.");
    }
    v("counting", measurement.counting, "How the counters were read.");
    v("total_s", measurement.totalSeconds, "From request to result, in the worker, in seconds.",
      {.least = 0});
    v("notes", measurement.notes, "What a reader must know to read the numbers.");
    v("values", measurement.values, "Every number, and every one that is missing.");
}

const Value* findValue(const std::vector<Value>& values, Metric metric, Source source,
                       Variant variant, std::string_view subject) {
    const auto found = std::ranges::find_if(values, [&](const Value& value) {
        return value.metric == metric && value.source == source && value.variant == variant &&
               value.subject == subject;
    });
    return found == values.end() ? nullptr : &*found;
}

std::string formatNumber(double value, Unit unit) {
    static constexpr std::array<const char*, 5> decimal{"", "k", "M", "G", "T"};
    switch (unit) {
        case Unit::percent:
            return percent(value);
        case Unit::bytesPerSecond:
            return prefixedNumber(value, 1000, decimal, "B/s");
        case Unit::flopsPerSecond:
            return prefixedNumber(value, 1000, decimal, "FLOP/s");
        case Unit::seconds:
            return seconds(value);
        case Unit::one:
            return fixedNumber(value, 3);
        case Unit::bytes:
            return fixedNumber(value, 1) + " bytes";
        case Unit::count:
        case Unit::requests:
        case Unit::sectors:
        case Unit::lines:
        case Unit::threads: {
            const std::string number = value >= 0 && value == std::floor(value) && value < 1.8e19
                                           ? groupedDigits(static_cast<std::uint64_t>(value))
                                           : fixedNumber(value, 2);
            if (unit == Unit::count) return number;
            std::string things(toString(unit));
            if (value == 1) things.pop_back();
            return number + ' ' + things;
        }
    }
    return {};
}

std::string formatValue(const Value& value) {
    if (const double* number = value.number()) {
        return formatNumber(*number, metricInfo(value.metric).unit);
    }
    return std::get<Unavailable>(value.content).reason;
}

std::string dayOf(const std::string& takenAt) {
    return takenAt.substr(0, takenAt.find('T'));
}

std::string takenOn(const Measurement& measurement) {
    return measurement.device.name + ", " + dayOf(measurement.takenAt);
}

}  // namespace warplens
