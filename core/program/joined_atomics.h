#pragma once

#include "core/program/launch_report.h"
#include "core/program/program_trace.h"

namespace warplens {

/// Says of a block's steps which atomics one lane does for its warp, as the lines of their launch
/// have it (`ProgramLine::isJoined`).
void tellJoined(BlockSteps& steps, const LaunchReport& launch);

}  // namespace warplens
