#pragma once

#include "core/program/program_trace.h"

namespace warplens::runtime {

/// Runs all blocks of the launch. A `wanted` one is traced: whole, or a sample of its blocks where
/// that takes too long.
void runGrid(LaunchReport& result, bool wanted);
/// Traces one block for its steps. Blocks before it are run only where it may depend on them.
void runBlockAlone(Index3 block);
/// Traces them once more, from the last to the first.
void runGridBackwards();

}  // namespace warplens::runtime
