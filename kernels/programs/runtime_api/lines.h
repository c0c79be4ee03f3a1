#pragma once

#include "kernels/ptx/check/address_formulas.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::programs {

/// What a launch did at each place of the source, by array, from what the machine counted. Local
/// memory is left out. `formulas` are what was learned of the same launch.
[[nodiscard]] std::vector<ProgramLine> linesOf(
    ptx::Program& program, const ptx::KernelLaunch& launch, const ptx::LaunchResult& result,
    Source source, const ptx::check::AddressFormulas* formulas = nullptr);

}  // namespace warplens::programs
