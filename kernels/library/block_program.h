#pragma once

#include <stop_token>

#include "core/scenario/scenario.h"
#include "core/schedule/sm_model.h"

namespace warplens {

/// What the warps of a block execute, by the kernel's optimized PTX, and what their accesses ask
/// for: sectors that the block has read before come from the L1. Loads of parameters, moves and
/// conversions of addresses are left out, as ptxas does. Throws TraceFault (predict.h).
[[nodiscard]] BlockProgram blockProgramOf(const Experiment& experiment, Index3 block,
                                          const std::stop_token& stop = {});

}  // namespace warplens
