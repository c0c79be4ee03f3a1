#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/program/program_measurement.h"
#include "kernels/device/run/program_code.h"

namespace warplens {

/// What became of each line of the person's files: the PTX of its accesses and branches, and its
/// machine code where nvdisasm is found (the toolkit's `bin`, or on PATH). `notes` says where not.
[[nodiscard]] std::vector<CompiledLine> codeText(const ProgramCode& code,
                                                 const std::set<std::string>& files,
                                                 std::vector<std::string>& notes);

}  // namespace warplens
