#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/program/index_derivation.h"
#include "core/program/program_sources.h"
#include "core/program/program_trace.h"

namespace warplens {

/// All that numbers in a launch's kernel may be called by, the likeliest first: parameters, macros
/// and constants, the launch's dimensions.
[[nodiscard]] std::vector<NamedNumber> namedNumbers(const LaunchReport& launch,
                                                    const ProgramSources& sources);

/// Whether a line takes at least twice the sectors or wavefronts that would do, diverges, or has
/// lanes of an atomic that meet at one address.
[[nodiscard]] bool isCostly(const ProgramLine& line);

/// Whether a branch is that of a sum whose working threads lie ever further apart:
/// `t % (2 * stride) == 0`.
[[nodiscard]] bool addsEverFurtherApart(std::string_view statement);

/// How far the elements of an array are apart in whose index something is multiplied: of a member
/// of a structure as far as the structures, else what a lane accesses. In bytes.
[[nodiscard]] std::int64_t elementStep(const AddressFormula& formula, bool isMember);

/// Of `ProgramLine::isJoined`.
[[nodiscard]] std::string joinedInWords();

/// `32 sectors where 4 would do`, `warps diverge 3 of the 4 times that they come to it`.
[[nodiscard]] std::string costInWords(const ProgramLine& line);

/// Whether the address of an atomic is written so that the compiler sees that all threads of a
/// block have the same: what `ProgramLine::isJoined` needs besides addresses that were.
[[nodiscard]] bool isOneAddress(const ProgramLine& line, const LaunchReport& launch,
                                const ProgramSources& sources);

/// Whether a branch only keeps threads out, so that no other way waits: `if (x < 1 || x >= n - 1)
/// return;` by comparisons of what is not read from memory, and without an else or another way to
/// work a value out `if (threadIdx.x < 8)`, whose lanes are neighbours.
[[nodiscard]] bool isGuard(const ProgramLine& line, const LaunchReport& launch,
                           const ProgramSources& sources);

/// Why a costly line of a launch costs what it costs, in the words of its own source: what is
/// beside `threadIdx.x` in the index, and what that comes to. Of each number the name that the
/// source has for it: a parameter, blockDim, a macro or a constant. Empty where the line is not
/// costly, or nothing is known of its addresses.
[[nodiscard]] std::string reasonFor(const ProgramLine& line, const LaunchReport& launch,
                                    const ProgramSources& sources);

}  // namespace warplens
