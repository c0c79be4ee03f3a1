#pragma once

#include "core/kernel/kernel.h"
#include "core/library/kernel_file.h"

namespace warplens {

/// The facts that a kernel's file tells. `file` must outlive them.
[[nodiscard]] Kernel kernelOfFile(const KernelFile& file);

}  // namespace warplens
