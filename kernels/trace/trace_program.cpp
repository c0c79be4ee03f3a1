#include "kernels/trace/trace_program.h"

#include "kernels/programs/branch_statements.h"
#include "kernels/programs/nvcc/trace_with_nvcc.h"
#include "kernels/programs/proposed_main.h"
#include "kernels/programs/traced_run.h"
#include "kernels/trace/run/source_places.h"

namespace warplens {
TracedProgram traceProgram(const TraceRequest& request, const TraceListener& listener) {
    if (request.withNvcc) return programs::traceWithNvcc(request, listener);
    ProgramSource source = request.source;
    source.launch.grid = request.grid;
    source.launch.block = request.block;
    source.kernel = request.kernel;
    const BuiltProgram built = buildProgram(source, listener.cancelled);
    TracedProgram begun;
    if (!built.unsupported.empty()) {
        begun.trace.program = request.source.files.front().string();
        begun.trace.findings = built.unsupported;
        return begun;
    }
    begun.trace.compileSeconds = built.seconds;
    begun.trace.notes = built.notes;
    begun.hasMain = built.hasMain;
    begun.proposed = built.proposed;
    const SourcePlaces places(built);
    TracedProgram traced =
        tracedRun({.binary = built.binary,
                   .readable = built.reachable.folders,
                   .correct = [&](SourcePlace& place) { places.correct(place); },
                   .ofAddresses = [&](const auto& found) { return places.ofAddresses(found); }},
                  request, listener, std::move(begun));
    if (traced.steps) readStatements(*traced.steps);
    source::refuseWish(traced);
    return traced;
}

}  // namespace warplens
