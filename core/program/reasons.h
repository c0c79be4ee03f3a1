#pragma once

#include <span>
#include <string>

#include "core/program/program_sources.h"
#include "core/program/program_trace.h"

namespace warplens {

/// Whether a line takes twice the sectors, from 1.9 times, or 1.5 times the wavefronts that would
/// do, diverges, or has lanes of an atomic that meet at one address; not one whose lanes data alone
/// leave out.
[[nodiscard]] bool isCostly(const ProgramLine& line);

/// Whether each of the lines takes less than that of what would do, or as much as data decides.
[[nodiscard]] bool isMild(std::span<const ProgramLine> lines);

/// How far the elements of an array are apart in whose index something is multiplied: of a member
/// of a structure as far as the structures, else what a lane accesses. In bytes.
[[nodiscard]] std::int64_t elementStep(const AddressFormula& formula, bool isMember);

/// `32 sectors where 4 would do`, `warps diverge 3 of the 4 times that they come to it`.
[[nodiscard]] std::string costInWords(const ProgramLine& line);
/// `the assembler may load 4 of these at once`, or store them, where `atOnce` says so.
[[nodiscard]] std::string atOnceInWords(const ProgramLine& line);

/// Sets why a costly line of a launch costs what it costs, in the words of its own source: what is
/// beside `threadIdx.x` in the index, and what that comes to. Of each number the name that the
/// source has for it: a parameter, blockDim, a macro or a constant. Empty where the line is not
/// costly, or nothing is known of its addresses.
void addReason(ProgramLine& line, const LaunchReport& launch, const ProgramSources& sources);

}  // namespace warplens
