#pragma once

#include "core/program/program_sources.h"
#include "core/program/program_trace.h"

namespace warplens {

/// What may be why a program says that its results are wrong: of one that does, and with which
/// nothing else is wrong, adds what its text shows; of all others takes away what its run has.
void settleClues(ProgramTrace& trace, const ProgramSources& sources);

}  // namespace warplens
