#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/program/program_trace.h"
#include "kernels/ptx/read/module.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::ptx {

[[nodiscard]] SourcePlace sourcePlace(const Program& program, const Origin& origin);

/// What each place of the source asked for in a launch: the sums of its instructions, by file,
/// line, column, kind and array. Of a condition in parts, as of `&&`, its last branch is the
/// statement's. `nameOf` names arrays (`ArrayCounts::array`), `addTo` says more of a line, of each
/// of its instructions, the costliest last. Local memory is left out.
[[nodiscard]] std::vector<ProgramLine> linesOf(
    const Program& program, const LaunchResult& result, Source source,
    const std::function<std::string(std::uint32_t array)>& nameOf,
    const std::function<void(ProgramLine&, const ArrayCounts&)>& addTo = {});

}  // namespace warplens::ptx
