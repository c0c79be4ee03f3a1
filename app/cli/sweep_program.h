#pragma once

#include "app/cli/program_options.h"
#include "app/cli/subcommand.h"
#include "core/sweep/axis.h"

namespace warplens {

/// Predicts the program once for each point of the axis, a macro (of a file without main: a number
/// of its kernels), `grid`, `block.x` or the block's shape, and prints its launches' totals. What
/// keeps one point from being predicted is told there. Throws CommandFailed where no point could
/// be.
ExitCode sweepProgram(const TraceRequest& base, const Axis& axis, const TableOptions& table,
                      bool json);

}  // namespace warplens
