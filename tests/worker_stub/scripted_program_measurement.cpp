#include "tests/worker_stub/scripted_program_measurement.h"

namespace warplens::tests {

ProgramMeasurement scriptedProgramMeasurement() {
    ProgramMeasurement m;
    m.kernel = "scan<true>";
    m.launch = {.grid = {4, 2, 1}, .block = {32, 8, 1}, .dynamicSharedBytes = 512};
    m.device.name = "a GPU";
    m.device.computeCapability = "9.0";
    m.device.multiprocessors = 132;
    m.takenAt = "2026-11-22T08:00:00Z";
    m.version = "0.2.0";
    m.compiler = "NVRTC 13.0";
    m.checks = {{.array = "out",
                 .equal = 98,
                 .within = 1,
                 .different = 1,
                 .firstDifferent = 7,
                 .largestError = 1e-6,
                 .tolerance = 1e-4}};
    m.timing.runs = 3;
    m.timing.medianSeconds = 1.8e-6;
    m.timing.minimumSeconds = 1.79e-6;
    m.timing.maximumSeconds = 1.81e-6;
    m.resources = {.registersPerThread = 40, .staticSharedBytes = 2048, .localBytesPerThread = 8};
    m.counting = Counting{.passes = 3, .repeats = 3, .seconds = 0.01};
    m.values = {{Metric::time, "kernel", Source::timed, Variant::none, 1.8e-6}};
    ProgramLine line;
    line.place = {"my.cu", 7, 3};
    line.kind = AccessKind::load;
    line.source = Source::counted;
    line.requests = 8;
    line.sectors = 32;
    line.idealSectors = 32;
    m.lines = {line};
    m.comparedLines = 12;
    m.differences = {{.file = "my.cu",
                      .line = 7,
                      .kind = AccessKind::load,
                      .quantity = "sectors",
                      .predicted = 32,
                      .compiled = 40,
                      .counted = 40,
                      .cause = DifferenceCause::unrolling,
                      .words = "why",
                      .intervention = "how"}};
    m.code = {{.file = "my.cu",
               .line = 7,
               .ptx = {"ld.global.f32 %f1, [%rd1]"},
               .sass = {"LDG.E R2, [R4.64]"}}};
    m.notes = {"a note"};
    m.totalSeconds = 0.2;
    return m;
}

ProgramMeasurement scriptedProgramMeasurement(const MeasureProgramRequest& request) {
    ProgramMeasurement m = scriptedProgramMeasurement();
    m.kernel = request.inputs.kernel;
    m.launch = request.inputs.launch;
    m.checks = {{.array = "out", .equal = 100}};
    m.lines.clear();
    m.differences.clear();
    m.code.clear();
    m.comparedLines = request.predicted.size();
    for (const Source source : {Source::compiled, Source::counted}) {
        bool isFirst = true;
        for (ProgramLine line : request.predicted) {
            line.source = source;
            if (line.kind == AccessKind::load && isFirst && line.requests > 1) {
                isFirst = false;
                if (source == Source::compiled) {
                    m.differences.push_back({.file = line.place.file,
                                             .line = line.place.line,
                                             .kind = line.kind,
                                             .quantity = "requests",
                                             .predicted = line.requests,
                                             .compiled = line.requests - 1,
                                             .counted = line.requests - 1,
                                             .cause = DifferenceCause::removedAccesses,
                                             .words = "scripted: one request less",
                                             .intervention = "scripted: without it, as many"});
                    m.code.push_back({.file = line.place.file,
                                      .line = line.place.line,
                                      .ptx = {"ld.global.f32 %f1, [%rd1];"},
                                      .sass = {"LDG.E R2, [R4.64]"}});
                }
                --line.requests;
            }
            m.lines.push_back(line);
        }
    }
    return m;
}

}  // namespace warplens::tests
