#pragma once

#include <string>
#include <string_view>

#include "core/program/program_sources.h"
#include "core/program/program_trace.h"
#include "core/program/source_edit.h"

namespace warplens {

/// Whether memory, or what other lanes have, is in a condition of the code or in what its names are
/// set to.
[[nodiscard]] bool readsData(std::string_view condition, std::string_view code);

/// Whether the condition of a line's first `if`, `while` or `for` is of what memory has.
[[nodiscard]] bool conditionReadsData(std::string_view statement, std::string_view code);

/// Whether a branch is that of a sum whose working threads lie ever further apart:
/// `t % (2 * stride) == 0`.
[[nodiscard]] bool addsEverFurtherApart(std::string_view statement);

/// Whether the branch of a line is an `if` that has no else, nor leaves what is behind it to the
/// others, or a loop's condition: lanes that do not go in have nothing to run meanwhile.
[[nodiscard]] bool hasNoElse(const source::SourceEdit& text, std::uint32_t line);

/// Whether a line with one branch has it as a loop's condition: `for`, `while`, or what ends a
/// `do`.
[[nodiscard]] bool isLoopCondition(std::string_view statement);

/// What each way from a line's `switch` is called, in the order in which the code asks for them:
/// `case 0`, `case 5, 6` where these share their code, by value, and in the end what is left,
/// `default`. Nothing where a value is no number.
[[nodiscard]] std::vector<std::string> casesOf(const source::SourceEdit& text, std::uint32_t line);

/// `if (a) ... else if (b) ... else ...`
struct IfChain final {
    std::vector<std::string> ways;     ///< `a`, `b`, and in the end what is left, `else`
    std::vector<std::uint32_t> lines;  ///< of the conditions
};
/// The one that a line's condition is in; nothing of an `if` that stands by itself, and of a chain
/// that has two conditions on a line.
[[nodiscard]] IfChain chainOf(const source::SourceEdit& text, std::uint32_t line);

/// Whether a branch only keeps threads out, so that no second path is run: `if (x < 1 || x >= n -
/// 1) return;` by comparisons of what is not read from memory, and without an else or another way
/// to work a value out `if (threadIdx.x < 8)`, whose lanes are neighbours.
[[nodiscard]] bool isGuard(const ProgramLine& line, const LaunchReport& launch,
                           const ProgramSources& sources);

/// Behind the names of what is called, in the reason of a branch that is its own.
inline constexpr std::string_view goesByArgument =
    " goes another way for some of the lanes' numbers";
/// Why the warps that come to a branch diverge; empty where nothing is known of their lanes.
[[nodiscard]] std::string branchReason(ProgramLine& line, const LaunchReport& launch,
                                       const ProgramSources& sources);

/// Of the branches of each place (`ProgramLine::nth`) those that diverge become one line, and those
/// that do not; so do, apart from these, those of what a statement with conditions calls.
void joinBranches(std::vector<ProgramLine>& lines, const ProgramSources& sources);

}  // namespace warplens
