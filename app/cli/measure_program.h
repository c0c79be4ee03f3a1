#pragma once

#include "app/cli/exit_code.h"
#include "app/cli/options.h"
#include "kernels/trace/trace_program.h"

namespace warplens {

/// `measure FILE.cu`: runs the program on the host with its launches traced, then each of them that
/// `request` chooses on the device, with the program's own inputs, and prints what came of it.
/// Throws as traceProgram, and CommandFailed where there is no worker or no GPU.
ExitCode measureProgram(const TraceRequest& request, const WorkerOptions& options, bool json);

}  // namespace warplens
