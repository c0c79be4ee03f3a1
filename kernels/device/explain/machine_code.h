#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "kernels/device/explain/compiled_launch.h"

namespace warplens {

/// What became of each line of the user's files: the PTX of its accesses and branches, and its
/// machine code where nvdisasm is found (the toolkit's `bin`, or on PATH). `notes` says where not.
[[nodiscard]] std::vector<CompiledLine> codeByLine(const ProgramCode& code,
                                                   std::span<const PtxInstruction> instructions,
                                                   const std::set<std::string>& files,
                                                   std::vector<std::string>& notes);

}  // namespace warplens
