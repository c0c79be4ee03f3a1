#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/trace/assembly/control_flow.h"
#include "kernels/trace/assembly/function_copy.h"

namespace warplens::assembly {

/// For each branch among a function's sites, whose first has the number `firstSite`: its arms, and
/// the label of a row of bits, one for each of the sites, set where lanes may come to before they
/// meet again. Returns the text of these rows.
[[nodiscard]] std::string placeRegions(const ControlFlow& flow, std::size_t firstSite,
                                       std::vector<PlannedSite>& sites);

}  // namespace warplens::assembly
