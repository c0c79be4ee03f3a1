#pragma once

#include <string_view>
#include <vector>

#include "core/program/program_sources.h"
#include "core/program/program_trace.h"

namespace warplens {

/// What the words of a race say that an atomic ends, and no barrier.
inline constexpr std::string_view withoutAtomic = "without an atomic";

/// Says so of races in which a line reads, changes and writes one element: `bins[key]++`; and of
/// shared memory that has no value where threads left before they gave it one.
void tellLostChanges(std::vector<Finding>& findings, const ProgramSources& sources);

}  // namespace warplens
