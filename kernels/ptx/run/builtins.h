#pragma once

#include <string_view>

#include "kernels/ptx/run/step.h"

namespace warplens::ptx {

/// Functions that every device has, and no module: `vprintf`, `malloc`, `free`, `__assertfail`.
/// Null for all others.
[[nodiscard]] Handler builtinNamed(std::string_view name);

}  // namespace warplens::ptx
