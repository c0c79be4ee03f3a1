#include "app/cli/measure_program.h"

#include "app/cli/measuring.h"
#include "app/cli/output.h"
#include "app/cli/overwriting.h"
#include "app/cli/program_measurement_report.h"
#include "app/cli/program_options.h"
#include "core/program/measured_program.h"
#include "core/text/atomic_file.h"
#include "kernels/trace/measure_request.h"

namespace warplens {
namespace {

/// Its inputs come with a trace of its own.
ProgramMeasurement measuredNow(WorkerClient& worker, const TraceRequest& request,
                               const ProgramSources& sources, const ProgramLaunch& launch,
                               const WorkerOptions& options) {
    try {
        MeasureProgramRequest measure = measureRequestFor(request, sources, launch.index);
        measure.counters = !options.noCounters;
        measure.timing = options.timing;
        return measureNow(worker, std::move(measure));
    } catch (const NotMeasurable& why) {
        throw CommandFailed(ExitCode::failed, why.what());
    }
}

}  // namespace

ExitCode measureProgram(const TraceRequest& request, const WorkerOptions& options,
                        const MeasuredOutput& output) {
    if (output.save) requireNothingLost("--save", *output.save, output.force);
    const ProgramSources sources = sourcesOf(request);
    WorkerClient worker(clientOptions(options));  // before anything is run: there may be none
    TracedProgram traced = tracedShowing(request);
    MeasuredProgram program{.program = traced.trace.program,
                            .digest = programDigest(request, sources),
                            .notes = std::move(traced.trace.notes)};
    std::string text;
    for (ProgramLaunch& launch : traced.trace.launches) {
        if (!launch.traced) continue;
        ProgramMeasurement measured = measuredNow(worker, request, sources, launch, options);
        text += reportOf(launch, measured) + '\n';
        program.launches.push_back({std::move(launch), std::move(measured)});
    }
    if (program.launches.empty()) {
        throw CommandFailed(ExitCode::failed, program.program + ": no launch to measure");
    }
    const std::string document = toDocument(Document::programMeasurement, program) + '\n';
    if (output.json) {
        print(document);
    } else {
        print(text);
    }
    if (output.save) {
        writeFileAtomically(*output.save, document);
        complain("kept in " + *output.save);
    }
    return ExitCode::done;
}

}  // namespace warplens
