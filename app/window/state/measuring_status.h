#pragma once

#include "app/window/state/commands/measuring.h"

/// How measuring goes on, as the worker says.
namespace warplens::window {

/// What WorkerSaid does: progress, a result that is kept, or why there is none.
void takeWorkerSaid(AppState& state, const WorkerSaid& said);

}  // namespace warplens::window
