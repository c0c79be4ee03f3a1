#pragma once

#include "app/cli/options.h"
#include "core/measurement/measurement.h"

namespace warplens {

/// Measures through the worker and waits for the result; shows progress where standard error is a
/// terminal. Ctrl-C cancels in order, a second one ends the program. Throws CommandFailed, with
/// ExitCode::impossible where there is no worker or no GPU.
[[nodiscard]] Measurement measureNow(const Experiment& experiment, const WorkerOptions& options);

/// Adds what tracing the kernel on the host predicts, where the measurement does not hold it yet.
void addPredictions(Measurement& measurement);

}  // namespace warplens
