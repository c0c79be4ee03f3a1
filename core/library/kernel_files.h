#pragma once

#include <span>

#include "core/library/kernel_file.h"

namespace warplens {

/// The files of kernels/library, by name, read once. Throws MalformedKernelFile for one that the
/// build should not have let pass.
[[nodiscard]] std::span<const KernelFile> builtInKernelFiles();

}  // namespace warplens
