#pragma once

#include <cstdint>
#include <set>
#include <string>

/// Changes of the source that show what a difference comes from.
namespace warplens {

/// The source with `#pragma unroll 1` on every loop whose lines hold one of `lines`, in place of
/// unrolling that it asks for itself; all lines where they were. The same text where no loop does.
[[nodiscard]] std::string withoutUnrolling(const std::string& source,
                                           const std::set<std::uint32_t>& lines);

/// The source with the pointers among the kernels' parameters pointing to volatile elements: no
/// access through them can be dropped, merged or moved. Those that a kernel hands on to a function
/// stay as they are. All lines where they were; the same text where no kernel has one.
[[nodiscard]] std::string withVolatileParameters(const std::string& source);

/// The source without the statements on `lines` that do nothing but call, `grid.sync();`; all lines
/// where they were. The same text where there is none.
[[nodiscard]] std::string withoutCalls(const std::string& source,
                                       const std::set<std::uint32_t>& lines);

}  // namespace warplens
