#pragma once

#include <string>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/subcommand.h"
#include "app/worker/worker_client.h"
#include "core/measurement/measurement.h"
#include "kernels/library/predict.h"

namespace warplens {

/// What a failure of the worker means for the shell.
[[nodiscard]] ExitCode exitCodeFor(FailureKind kind);

/// The worker that the options name. Throws CommandFailed with ExitCode::impossible where there is
/// none.
[[nodiscard]] WorkerClient::Options clientOptions(const WorkerOptions& options);

/// Those that share a sweep, at least one. Throws as `clientOptions`.
[[nodiscard]] std::vector<WorkerClient::Options> sharedOptions(const WorkerOptions& options);

/// `ssh lab-gpu, device 1`.
[[nodiscard]] std::string nameOf(const WorkerClient::Options& options);

/// Measures through the worker and waits for the result; shows progress where standard error is a
/// terminal. A signal cancels in order (progress.h); a result that came all the same is returned.
/// Throws CommandFailed, with ExitCode::impossible where there is no worker or no GPU.
[[nodiscard]] Measurement measureNow(const Experiment& experiment, const WorkerOptions& options);

/// As above, for a launch of a person's program, by a worker that is kept.
/// Compute capability of the worker's device, as 9.0. Throws CommandFailed where there is none.
[[nodiscard]] std::string capabilityOf(WorkerClient& worker);

[[nodiscard]] ProgramMeasurement measureNow(WorkerClient& worker, MeasureProgramRequest request);

/// Says what was skipped before the worker spoke, if anything was.
void tellBanner(const WorkerClient& worker);

/// Predicts, and shows progress where standard error is a terminal.
[[nodiscard]] LaunchReport predictShowing(const Experiment& experiment, PredictOptions how = {});

/// Adds what tracing the kernel on the host predicts, where the measurement does not hold it yet.
void addPredictions(Measurement& measurement);

}  // namespace warplens
