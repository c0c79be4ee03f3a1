#pragma once

#include <string>
#include <vector>

#include "core/sweep/quantity.h"

namespace warplens {

/// The sweep for a person: what is varied, a table of each quantity with a column for each source,
/// and where the numbers come from.
[[nodiscard]] std::string reportOf(const Sweep& sweep, const std::vector<Quantity>& quantities,
                                   bool recorded);

}  // namespace warplens
