#pragma once

#include <string>

namespace warplens {

/// The source with the pointers among the kernels' parameters pointing to volatile elements: no
/// access through them can be dropped, merged or moved. Those that a kernel hands on to a function
/// stay as they are. All lines where they were; the same text where no kernel has one.
[[nodiscard]] std::string withVolatileParameters(const std::string& source);

}  // namespace warplens
