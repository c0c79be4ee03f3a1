#pragma once

#include <string>

#include "core/library/kernel_file.h"

namespace warplens {

/// Of the words of the file's code, comments and blanks left out: the same as long as the same is
/// measured.
[[nodiscard]] std::string kernelDigest(const Kernel& file);

}  // namespace warplens
