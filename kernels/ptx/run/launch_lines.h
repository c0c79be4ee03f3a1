#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/program/launch_report.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::ptx {

/// What each place of the source asked for in a launch: the sums of its instructions, by file,
/// line, column, kind and array; each branch at a place apart, numbered from 1
/// (`ProgramLine::nth`). Of a condition in parts, as of `&&`, its last branch as written is the
/// statement's. `nameOf` names arrays (`ArrayCounts::array`), `addTo` says more of a line, of
/// each of its instructions, the costliest last. Local memory is left out but of compiled
/// code.
[[nodiscard]] std::vector<ProgramLine> linesOf(
    const Program& program, const LaunchResult& result, Source source,
    const std::function<std::string(u32 array)>& nameOf,
    const std::function<void(ProgramLine&, const ArrayCounts&)>& addTo = {});

}  // namespace warplens::ptx
