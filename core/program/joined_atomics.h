#pragma once

#include <string>

#include "core/program/launch_report.h"
#include "core/program/program_sources.h"
#include "core/program/program_trace.h"

namespace warplens {

/// Of `ProgramLine::isJoined`.
[[nodiscard]] std::string joinedInWords();

/// Whether the address of an atomic is written so that the compiler sees that all threads of a
/// block have the same: what `ProgramLine::isJoined` needs besides addresses that were.
[[nodiscard]] bool isOneAddress(const ProgramLine& line, const ProgramSources& sources);

/// Says of a block's steps which atomics one lane does for its warp, as the lines of their launch
/// have it (`ProgramLine::isJoined`).
void tellJoined(BlockSteps& steps, const LaunchReport& launch);

}  // namespace warplens
