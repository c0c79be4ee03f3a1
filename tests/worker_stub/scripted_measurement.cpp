#include "tests/worker_stub/scripted_measurement.h"

#include <functional>
#include <utility>

#include "core/text/format.h"

namespace warplens::tests {
namespace {

/// 20 runs with the median, the extremes and the spread that stand beside them.
std::vector<std::uint64_t> scriptedRuns() {
    std::vector<std::uint64_t> runs;
    for (std::uint64_t run = 0; run < 18; ++run) runs.push_back(987'500 + run * 25'000 / 17);
    runs.push_back(900'000);
    runs.push_back(1'200'000);
    return runs;
}

}  // namespace

Measurement scriptedMeasurement(const Experiment& experiment) {
    Measurement made{{.device = {.name = "scripted worker",
                                 .computeCapability = "0.0",
                                 .chip = "none",
                                 .multiprocessors = 1,
                                 .l2Bytes = 1 << 20,
                                 .memoryBytes = 1 << 30,
                                 .driver = "0.0",
                                 .cuda = "0.0",
                                 .copyRate = 1e9,
                                 .copyRateBytes = 1 << 22,
                                 .copyRateRuns = 5,
                                 .theoreticalPeak = 2e9,
                                 .uuid = "GPU-00000000-scripted"},
                      .takenAt = "2000-01-01T00:00:00Z",
                      .version = version(),
                      .timing = {.warmUpRuns = 3,
                                 .runs = 20,
                                 .medianSeconds = 0.001,
                                 .minimumSeconds = 0.0009,
                                 .maximumSeconds = 0.0012,
                                 .spreadPercent = 1.5,
                                 .workingSetBytes = 1 << 20,
                                 .cacheState = "scripted",
                                 .clocks = "scripted",
                                 .from = TimeFrom::deviceStamps,
                                 .runNanoseconds = scriptedRuns()},
                      .counting = Counting{2, 1, 0.01},
                      .totalSeconds = 0.1,
                      .notes = {"Invented by a test; no GPU was involved."},
                      .values = {}},
                     experiment,
                     "scripted",
                     {1, 1, 0, 1e-6, "scripted, nothing was checked"},
                     {{"inside", BranchForm::exit}},
                     KernelResources{40, 0, 0}};
    const auto add = [&](Metric metric, Source source, double number,
                         Variant variant = Variant::none, const char* subject = "kernel") {
        made.values.push_back({metric, subject, source, variant, number});
    };
    add(Metric::globalLoadRequests, Source::compiled, 100);
    add(Metric::globalLoadSectors, Source::compiled, 400);
    add(Metric::globalLoadSectors, Source::counted, 400);
    add(Metric::sectorsPerRequest, Source::counted, 4, Variant::load);
    add(Metric::coalescingEfficiency, Source::compiled, 100);
    add(Metric::effectiveBandwidth, Source::timed, 5e8);
    add(Metric::bandwidthUtilization, Source::timed, 50, Variant::copyRate);
    add(Metric::bandwidthUtilization, Source::timed, 25, Variant::theoreticalPeak);
    add(Metric::branchEfficiency, Source::counted, 87.5);
    add(Metric::laneEfficiency, Source::counted, 99.96, Variant::active);
    add(Metric::time, Source::timed, 0.001);
    add(Metric::mappingMismatches, Source::counted, 0);
    made.values.push_back({Metric::dramBandwidth, "kernel", Source::counted, Variant::none,
                           Unavailable{"scripted: this worker has no counters for DRAM"}});
    return made;
}

namespace {

using Falsify = std::function<void(Measurement&)>;

Falsify withValue(Metric metric, Source source, double number) {
    return [=](Measurement& m) {
        for (Value& value : m.values) {
            if (value.metric == metric && value.source == source) {
                value.content = number;
                return;
            }
        }
        m.values.push_back({metric, "kernel", source, Variant::none, number});
    };
}

const std::vector<std::pair<std::string, Falsify>>& falsifications() {
    static const std::vector<std::pair<std::string, Falsify>> all{
        {"negative-requests", withValue(Metric::globalLoadRequests, Source::compiled, -16384)},
        {"efficiency", withValue(Metric::coalescingEfficiency, Source::compiled, 400)},
        {"few-sectors", withValue(Metric::globalLoadSectors, Source::compiled, 7)},
        {"negative-time", withValue(Metric::time, Source::timed, -4.432e-6)},
        {"other-time", withValue(Metric::time, Source::timed, 1)},
        {"predicted", withValue(Metric::globalStoreSectors, Source::predicted, 7)},
        {"twice", [](Measurement& m) { m.values.push_back(m.values.front()); }},
        {"minimum", [](Measurement& m) { m.timing.minimumSeconds = 1; }},
        {"other-runs", [](Measurement& m) { m.timing.runNanoseconds.front() = 5; }},
        {"no-runs",
         [](Measurement& m) {
             m.timing.runs = 0;
             m.timing.runNanoseconds.clear();
         }},
        {"yesterday", [](Measurement& m) { m.takenAt = "yesterday"; }},
        {"long-ago", [](Measurement& m) { m.takenAt = "2000-01-01T00:00:00Z"; }},
        {"no-such-day", [](Measurement& m) { m.takenAt = "2026-02-30T00:00:00Z"; }},
        {"version", [](Measurement& m) { m.version = "99"; }},
        {"error",
         [](Measurement& m) {
             m.check = {1, 1, 5, 0, "scripted"};
         }},
        {"checked", [](Measurement& m) { m.check.checked = 2; }},
        {"no-device", [](Measurement& m) { m.device.multiprocessors = 0; }},
        {"copy-rate", [](Measurement& m) { m.device.copyRate = -1; }}};
    return all;
}

}  // namespace

Measurement scriptedAsSent(const Experiment& experiment, const Measurement& sent) {
    Measurement made = scriptedMeasurement(experiment);
    made.takenAt = sent.takenAt;
    made.version = version();
    made.kernelDigest = sent.kernelDigest;
    return made;
}

Measurement implausible(Measurement measurement, const std::string& lie) {
    for (const auto& [name, falsify] : falsifications()) {
        if (name == lie) falsify(measurement);
    }
    return measurement;
}

const std::vector<std::string>& lies() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> found;
        for (const auto& [name, falsify] : falsifications()) found.push_back(name);
        return found;
    }();
    return names;
}

}  // namespace warplens::tests
