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

/// What each place of the source asked for in a launch: the sums of its instructions, by file, line,
/// column, kind and array. `arrayOf` names the array that a site's requests went to; empty where that is
/// not known. Branches of one statement are one: a warp that comes to a statement once comes to it once,
/// however many jumps it was made of.
[[nodiscard]] std::vector<ProgramLine> linesOf(Program& program, const KernelLaunch& launch, const LaunchResult& result, Source source,
                                               const std::function<std::string(std::uint32_t site)>& arrayOf = {});

}  // namespace warplens::ptx
