#pragma once

#include "core/program/program_sources.h"
#include "core/program/program_trace.h"

namespace warplens {

/// Names what findings are about by what the array is declared as: `p[256].vx` in place of
/// `p[1539]` of a structure of six floats, and `t[1][0]` of shared arrays of several sizes that are
/// known by number or name, where the line indexes them so.
void nameElements(ProgramTrace& trace, const ProgramSources& sources);

/// `p[i].vz`: of several members of an array that a line accesses, that which its address is of;
/// empty where that is not sure.
[[nodiscard]] std::string addressedIn(const ProgramLine& line, const LaunchReport& launch,
                                      const ProgramSources& sources);

}  // namespace warplens
