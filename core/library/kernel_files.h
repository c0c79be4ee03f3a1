#pragma once

#include <span>
#include <vector>

#include "core/library/kernel_file.h"

namespace warplens {

/// The built-in kernels' files, and after them those that were added.
[[nodiscard]] std::span<const KernelFile> kernelFiles();

/// Adds a course's. Before anybody has asked for files, kernels or scenarios: those never change.
void addKernelFiles(std::vector<KernelFile> files);

}  // namespace warplens
