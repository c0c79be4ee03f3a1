#pragma once

#include "kernels/programs/compiler.h"
#include "kernels/programs/program_request.h"

namespace warplens {

/// The program as it is compiled for these launches.
[[nodiscard]] ProgramSource sourceOf(const TraceRequest& request);

/// Compiles the program with NVIDIA's compiler and runs it in the sandbox, its kernels on the
/// machine (kernels/ptx): each launch has lines of both sources, what was written and what the
/// compiler made of it. What goes wrong in the program itself is told in the trace. Throws
/// NoCompiler where there is no nvcc, and as buildProgram and tracedRun.
[[nodiscard]] TracedProgram traceProgram(const TraceRequest& request,
                                         const TraceListener& listener = {});

}  // namespace warplens
