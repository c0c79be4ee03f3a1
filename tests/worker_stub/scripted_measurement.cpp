#include "tests/worker_stub/scripted_measurement.h"

namespace warplens::tests {

Measurement scriptedMeasurement(const Experiment& experiment) {
    Measurement made{.experiment = experiment,
                     .device = {.name = "scripted worker",
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
                                .theoreticalPeak = 2e9},
                     .takenAt = "2000-01-01T00:00:00Z",
                     .version = "scripted",
                     .check = {1, 1, 0, 1e-6, "scripted, nothing was checked"},
                     .timing = {.warmUpRuns = 3,
                                .runs = 20,
                                .medianSeconds = 0.001,
                                .minimumSeconds = 0.0009,
                                .maximumSeconds = 0.0012,
                                .spreadPercent = 1.5,
                                .workingSetBytes = 1 << 20,
                                .cacheState = "scripted",
                                .clocks = "scripted"},
                     .compiledBranches = {{"inside", BranchForm::exit}},
                     .resources = KernelResources{40, 0, 0},
                     .counting = Counting{2, 1, 0.01},
                     .totalSeconds = 0.1,
                     .notes = {"Invented by a test; no GPU was involved."},
                     .values = {}};
    const auto add = [&](Metric metric, Source source, double number,
                         Variant variant = Variant::none, const char* subject = "kernel") {
        made.values.push_back({metric, subject, source, variant, number});
    };
    add(Metric::globalLoadRequests, Source::probed, 100);
    add(Metric::globalLoadSectors, Source::probed, 400);
    add(Metric::globalLoadSectors, Source::counted, 400);
    add(Metric::sectorsPerRequest, Source::counted, 4, Variant::load);
    add(Metric::coalescingEfficiency, Source::probed, 100);
    add(Metric::effectiveBandwidth, Source::timed, 5e8);
    add(Metric::bandwidthUtilization, Source::timed, 50, Variant::copyRate);
    add(Metric::bandwidthUtilization, Source::timed, 25, Variant::theoreticalPeak);
    add(Metric::branchEfficiency, Source::counted, 87.5);
    add(Metric::laneEfficiency, Source::counted, 99.96, Variant::active);
    add(Metric::time, Source::timed, 0.001);
    add(Metric::mappingMismatches, Source::probed, 0);
    made.values.push_back({Metric::dramBandwidth, "kernel", Source::counted, Variant::none,
                           Unavailable{"scripted: this worker has no counters for DRAM"}});
    return made;
}

}  // namespace warplens::tests
