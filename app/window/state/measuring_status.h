#pragma once

#include "app/window/state/app_state.h"
#include "app/window/state/commands.h"

/// Where measuring goes on, and how, as the worker says.
namespace warplens::window {

/// Progress, a result that is kept, or why there is none.
void perform(AppState& state, const WorkerSaid& said);

/// A measurement of the launch that Measure was asked for; says where the file is another by now,
/// and where the GPU computes something else than the host.
void keepMeasured(AppState& state, const ProgramSubject& subject,
                  const ProgramMeasurement& measurement);

/// Nobody waits for a measurement of a file that is closed.
void giveUpProgram(AppState& state);

/// Asks for a kept measurement, beside the file that is open.
void openKept(AppState& state, const std::string& path);
void perform(AppState& state, const MeasurementRead& read);

/// What the worker is started with; empty where nothing can be measured.
[[nodiscard]] const std::string& placeInUse(const Places& places);
/// Where it measures unless another place is chosen: `this machine`, or as the command line has it.
[[nodiscard]] std::string nameOfHere(const Places& places);
/// `this machine`, `ssh lab-gpu`, with the GPU where one is chosen: `ssh lab-gpu, GPU 1`.
[[nodiscard]] std::string nameOfPlace(const Places& places);

/// Measures at this place from now on, which is kept among the known; not while something runs.
void perform(AppState& state, const ChoosePlace& command);
void perform(AppState& state, const ForgetPlace& command);
void perform(AppState& state, const ChooseDevice& command);
/// Asks the worker for the GPUs there are, which starts it.
void perform(AppState& state, const AskForDevices& command);
void perform(AppState& state, const DevicesListed& listed);
void perform(AppState& state, const WhereaboutsSaid& said);

}  // namespace warplens::window
