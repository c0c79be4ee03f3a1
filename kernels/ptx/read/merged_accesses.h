#pragma once

#include <map>

#include "kernels/ptx/read/flow.h"

namespace warplens::ptx {

/// By instruction, how many loads from shared memory the assembler may make one with it, 2 or 4,
/// as ptxas 13 does (LDS.64, LDS.128): of 4 or 8 bytes each, at neighbouring offsets to one base,
/// with nothing between that others wait for or that writes memory, where the code shows that the
/// first address is a multiple of all their bytes. Those of which it does not show are left out.
[[nodiscard]] std::map<u32, u8> mergedLoads(const Function& function, const ControlFlow& flow);

}  // namespace warplens::ptx
