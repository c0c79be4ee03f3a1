#pragma once

#include "kernels/programs/program_request.h"

namespace warplens::programs {

/// Compiles the program with NVIDIA's compiler and runs it in the sandbox, its kernels on the
/// machine (kernels/ptx): each launch has lines of both sources, what was written and what the
/// compiler made of it. What goes wrong in the program itself is told in the trace. Throws
/// NoCompiler where there is no nvcc, and as buildWithNvcc and tracedRun.
[[nodiscard]] TracedProgram traceWithNvcc(const TraceRequest& request,
                                          const TraceListener& listener = {});

}  // namespace warplens::programs
