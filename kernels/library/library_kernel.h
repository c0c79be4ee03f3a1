#pragma once

#include <span>
#include <string_view>

#include "core/kernel/kernel.h"
#include "kernels/library/run/array_memory.h"
#include "kernels/library/run/unit_row.h"

namespace warplens::library {

/// A kernel, and, of a built-in one, its code for the host.
struct LibraryKernel final {
    const Kernel& kernel;
    const UnitRow* unit = nullptr;  ///< null of a course's (remote_tracer.h)
};

/// All of them, by file. Read once, when first asked for.
[[nodiscard]] std::span<const LibraryKernel> libraryKernels();
/// The one that shows the scenario. Throws InvalidRequest where none does.
[[nodiscard]] const LibraryKernel& libraryKernelOf(std::string_view scenario);

/// The arrays of the experiment's launch, without values; null where its kernel runs elsewhere.
[[nodiscard]] std::shared_ptr<const ArrayMemory> memoryFor(const Experiment& experiment);

}  // namespace warplens::library
