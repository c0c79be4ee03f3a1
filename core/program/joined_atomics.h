#pragma once

#include <string>

#include "core/program/launch_report.h"
#include "core/program/program_sources.h"
#include "core/program/program_trace.h"

namespace warplens {

/// Of `ProgramLine::isJoined`.
[[nodiscard]] std::string joinedInWords(AccessKind kind);

/// Whether a code has the same value in all threads of a block, and the compiler sees that; `code`
/// is of the function that it stands in.
[[nodiscard]] bool isOneValue(std::string_view text, std::string_view code);

/// Whether an atomic is written so that the assembler lets one lane do it, what
/// `ProgramLine::isJoined` needs besides addresses that were the same: it sees that all threads of
/// a block have one address, and nothing needs what was there before; or it is a sum of one value,
/// or, where all lanes of its warps take part, of any 32-bit ones.
[[nodiscard]] bool isJoinedByAssembler(const ProgramLine& line, const LaunchReport& launch,
                                       const ProgramSources& sources);

/// Says of a block's steps which atomics one lane does for its warp, and which branches are guards
/// or have no other way, as the lines of their launch have it (`ProgramLine::isJoined`,
/// `ProgramLine::isGuard`, `ProgramLine::hasNoElse`).
void tellJoined(BlockSteps& steps, const LaunchReport& launch);

}  // namespace warplens
