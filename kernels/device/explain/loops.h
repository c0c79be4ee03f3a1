#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace warplens {

/// The source with `#pragma unroll 1` on every loop whose lines hold one of `lines`, in place of
/// unrolling that it asks for itself; all lines where they were. The same text where no loop does.
[[nodiscard]] std::string withoutUnrolling(const std::string& source,
                                           const std::set<std::uint32_t>& lines);

}  // namespace warplens
