#pragma once

#include "app/window/state/app_state.h"
#include "app/window/state/commands/measuring.h"
#include "app/window/state/commands/program.h"

/// How measuring goes on, as the worker says.
namespace warplens::window {

/// What WorkerSaid does: progress, a result that is kept, or why there is none.
void takeWorkerSaid(AppState& state, const WorkerSaid& said);

/// A measurement of the launch that Measure was asked for; says where the file is another by now,
/// and where the GPU computes something else than the host.
void keepMeasured(AppState& state, const ProgramSubject& subject,
                  const ProgramMeasurement& measurement);

/// Nobody waits for a measurement of a file that is closed.
void giveUpProgram(AppState& state);

/// Asks for a kept measurement, beside the file that is open.
void openKept(AppState& state, const std::string& path);
void takeRead(AppState& state, const MeasurementRead& read);

}  // namespace warplens::window
