#pragma once

#include <string>
#include <vector>

#include "kernels/ptx/run/memory.h"

namespace warplens::programs {

/// One sentence for each array whose bytes are others than the snapshot's, beyond what the order
/// and the fusing of additions may change in numbers with a fraction. The snapshot holds what
/// optimised code made of them, the memory what code without optimisation did.
[[nodiscard]] std::vector<std::string> differences(const ptx::Memory& memory,
                                                   const ptx::Memory::Snapshot& snapshot);

}  // namespace warplens::programs
