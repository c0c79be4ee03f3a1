#pragma once

#include <string>

namespace warplens {

/// The source with every pointer among the kernels' parameters pointing to volatile elements: no
/// access through them can be dropped, merged or moved. All lines where they were; the same text
/// where no kernel has one.
[[nodiscard]] std::string withVolatileParameters(const std::string& source);

}  // namespace warplens
