#pragma once

#include <map>

#include "kernels/ptx/read/flow.h"

namespace warplens::ptx {

/// By instruction, how many loads from shared memory, or stores to it, the assembler may make one
/// with it, 2 or 4, as ptxas 13 does (LDS.64, STS.128): of 4 or 8 bytes each, at neighbouring
/// offsets to one base, with nothing between that others wait for, that writes memory, or, of
/// stores, that may read it, where the code shows that the first address is a multiple of all their
/// bytes. Those of which it does not show are left out. Of global memory ptxas makes none one.
[[nodiscard]] std::map<u32, u8> mergedAccesses(const Function& function, const ControlFlow& flow);

}  // namespace warplens::ptx
