#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/program/program_trace.h"
#include "kernels/ptx/read/module.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::ptx {

/// Where an instruction stands in what the person wrote: code of a library's header counts where it was
/// inlined, as far as that is known.
[[nodiscard]] SourcePlace sourcePlace(const Module& module, const Instruction& instruction);

}  // namespace warplens::ptx
