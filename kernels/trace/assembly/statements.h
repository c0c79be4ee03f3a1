#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "kernels/trace/assembly/unit.h"

namespace warplens::assembly {

/// Conditions that are counted as the source states them, whole: `row < n && col < n` is one.
struct Statements final {
    std::set<std::uint32_t> lines;  ///< of the program's own files: one condition on each
};

/// The conditional jumps of these statements in the function, by instruction, and where each leads
/// (Outcome, tables.h): the bits of a site's `outcomes`.
[[nodiscard]] std::map<std::size_t, std::uint32_t> statementOutcomes(const Unit& unit,
                                                                     const Function& function,
                                                                     const Statements& statements);

/// The same for every conditional jump, each part of a condition by itself: never Outcome::within;
/// with `jumpIsAhead`. Of statements that leave, as by return, what holds is the contrary
/// (branch_statements.h).
[[nodiscard]] std::map<std::size_t, std::uint32_t> partOutcomes(const Unit& unit,
                                                                const Function& function);

}  // namespace warplens::assembly
