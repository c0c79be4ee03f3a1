#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/program/program_trace.h"
#include "kernels/ptx/read/module.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::ptx {

/// Whether the file came with the toolkit or the system.
[[nodiscard]] bool isLibrary(std::string_view path);
/// Whether the file came with the toolkit or the system.
[[nodiscard]] bool isLibrary(std::string_view path);

/// Where an instruction stands in what the person wrote: code of a library's header counts where it
/// was inlined, as far as that is known.
[[nodiscard]] SourcePlace sourcePlace(const Module& module, const Place& place,
                                      const Place& inlinedAt);
[[nodiscard]] SourcePlace sourcePlace(const Module& module, const Instruction& instruction);

[[nodiscard]] SourcePlace sourcePlace(const Module& module, const Site& site);

/// What each place of the source asked for in a launch: the sums of its instructions, by file,
/// line, column, kind and array. Of a condition in parts, as of `&&`, its last branch is the
/// statement's. `nameOf` names arrays (`ArrayCounts::array`). Local memory is left out.
[[nodiscard]] std::vector<ProgramLine> linesOf(
    const Program& program, const LaunchResult& result, Source source,
    const std::function<std::string(std::uint32_t array)>& nameOf);

}  // namespace warplens::ptx
