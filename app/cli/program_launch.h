#pragma once

#include <memory>

#include "core/program/block_steps.h"
#include "core/program/program_trace.h"
#include "kernels/trace/trace_program.h"

namespace warplens {

/// The launch of a program that a command speaks of: the one that was asked for, or the first, and
/// then standard error says which it is and how to choose. Throws CommandFailed where there is
/// none.
[[nodiscard]] const LaunchReport& launchSpokenOf(const ProgramTrace& trace);

/// What the launch's first block does, step by step, for which the program is run again. Throws
/// CommandFailed where it cannot be told.
[[nodiscard]] std::shared_ptr<const BlockSteps> stepsOf(TraceRequest request,
                                                        const LaunchReport& launch);

}  // namespace warplens
