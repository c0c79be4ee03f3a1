#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/program/line_costs.h"
#include "core/program/program_trace.h"

/// What one line of a person's file comes to in a launch, in words.
namespace warplens {

/// `10.27`: units of a request on average.
[[nodiscard]] std::string perRequest(std::uint64_t units, std::uint64_t requests);

/// The one that wastes most. Not of none.
[[nodiscard]] const ProgramLine& worstOf(const std::vector<ProgramLine>& all);

/// `4.00 of 4.00`: what each of a line's requests takes, and would at best. Where its accesses take
/// different numbers, those of each, `4 | 32 of 4`. Not of none.
[[nodiscard]] std::string eachOf(const std::vector<ProgramLine>& all);
/// The mean of all of the line's requests. Not of none.
[[nodiscard]] std::string eachOfAll(const std::vector<ProgramLine>& all);
/// `loads 4, stores 32 a request`; empty where they take the same.
[[nodiscard]] std::string eachApart(const std::vector<ProgramLine>& all);

/// What a line's accesses cost, `16 sectors` and what `least` makes of the fewest there could be,
/// turns where lanes of an atomic meet;
/// where they take different numbers, those of each, too.
[[nodiscard]] std::vector<std::string> memoryCosts(
    const LineCosts& costs, const std::function<std::string(const std::string&)>& least);
/// `3 of 8 branches diverge`.
[[nodiscard]] std::string branchesInWords(const LineCosts& costs);

/// What a line's requests come to, in a sentence or two: each access that it makes, those that cost
/// most first. Of a line with a finding only what costs is told, and nothing where nothing does:
/// nothing about it is fine.
[[nodiscard]] std::string meaningOfLine(const LaunchReport& launch, const std::string& file,
                                        std::uint32_t line, bool hasFinding = false);

/// Of what was written, and of local memory as compiled.
[[nodiscard]] LineCosts costsOfLine(const LaunchReport& launch, const std::string& file,
                                    std::uint32_t line);

/// The access that makes the line bad: that with the most sectors, else the most wavefronts, beyond
/// the fewest possible, but for what a branch makes it waste. Nothing where none is.
[[nodiscard]] std::optional<ProgramLine> worstAccessOfLine(const LaunchReport& launch,
                                                           const std::string& file,
                                                           std::uint32_t line);

}  // namespace warplens
