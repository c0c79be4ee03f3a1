#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace warplens {

/// The source without the statements on `lines` that do nothing but call, `grid.sync();`; all lines
/// where they were. The same text where there is none.
[[nodiscard]] std::string withoutCalls(const std::string& source,
                                       const std::set<std::uint32_t>& lines);

}  // namespace warplens
