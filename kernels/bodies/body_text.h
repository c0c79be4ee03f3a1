#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/kernel/kernel.h"

namespace warplens {

/// The text of the body file that holds the kernel, as it was compiled.
[[nodiscard]] std::string_view bodyText(const Kernel& kernel);

/// Of the kernel's own part of its body file, comments and blanks left out: the same as long as the
/// same is measured. Empty for a kernel without a body.
[[nodiscard]] std::string kernelDigest(const Kernel& kernel);

/// Line of the body file, from 1, on which the kernel's mark `name` stands (BRANCH or WHILE); 0
/// when there is no such mark.
[[nodiscard]] std::uint32_t markLine(const Kernel& kernel, std::string_view name);

}  // namespace warplens
