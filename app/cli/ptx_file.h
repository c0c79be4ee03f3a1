#pragma once

#include "kernels/programs/trace_program.h"

namespace warplens {

/// Launches the kernels of a PTX file, or the one that was asked for, and counts what they do: of
/// the source where it was compiled with -G, else of the compiled code. Throws CommandFailed where
/// the file cannot be read, and InvalidRequest for a launch that does not fit.
[[nodiscard]] TracedProgram tracePtxFile(const TraceRequest& request);

}  // namespace warplens
