#pragma once

#include <cstdint>
#include <map>

#include "kernels/trace/assembly/unit.h"

namespace warplens::assembly {

/// The conditional jumps of the function, by instruction, and where each leads (Outcome, tables.h):
/// the bits of a site's `outcomes`, with `jumpIsAhead`; each part of a condition by itself. Of
/// statements that leave, as by return, what holds is the contrary (branch_statements.h).
[[nodiscard]] std::map<std::size_t, std::uint32_t> partOutcomes(const Unit& unit,
                                                                const Function& function);

}  // namespace warplens::assembly
