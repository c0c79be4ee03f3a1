#pragma once

#include "kernels/programs/program_request.h"
#include "kernels/trace/build/program_build.h"

namespace warplens {

/// Compiles and runs the program with its kernels traced. Throws as buildProgram, and
/// InvalidRequest where an array of a file without main cannot be made as asked for; what goes
/// wrong in the program itself is told in the trace. Kernels of a file without main are launched as
/// wished and proposed (proposed_main.h), which the trace's notes say.
[[nodiscard]] TracedProgram traceProgram(const TraceRequest& request,
                                         const TraceListener& listener = {});

}  // namespace warplens
