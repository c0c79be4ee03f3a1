#pragma once

#include <span>
#include <string_view>

#include "core/library/kernel_file.h"
#include "kernels/library/run/unit_row.h"

namespace warplens::library {

/// A built-in kernel: its file, and its code for the host.
struct LibraryKernel final {
    const KernelFile& file;
    const UnitRow* unit = nullptr;
};

/// All of them, by file. Read once, when first asked for.
[[nodiscard]] std::span<const LibraryKernel> libraryKernels();
/// The one that shows the scenario. Throws InvalidRequest where none does.
[[nodiscard]] const LibraryKernel& libraryKernelOf(std::string_view scenario);

}  // namespace warplens::library
