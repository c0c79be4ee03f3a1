#pragma once

#include <optional>
#include <string>

#include "app/cli/exit_code.h"
#include "app/cli/options.h"
#include "kernels/trace/trace_program.h"

namespace warplens {

/// What becomes of the numbers.
struct MeasuredOutput final {
    bool json = false;
    std::optional<std::string> save{};  ///< a file to keep them in, as the document of --json
    bool force = false;                 ///< whatever the file holds
};

/// `measure FILE.cu`: runs the program on the host with its launches traced, then each of them that
/// `request` chooses on the device, with the program's own inputs, and prints what came of it.
/// Throws as traceProgram, and CommandFailed where there is no worker or no GPU.
ExitCode measureProgram(const TraceRequest& request, const WorkerOptions& options,
                        const MeasuredOutput& output);

}  // namespace warplens
