#pragma once

#include <span>
#include <string_view>

#include "core/kernel/kernel.h"
#include "kernels/trace/runtime/tables.h"

namespace warplens::library {

/// What the build's tool says of one kernel's code (build/kernel_unit.h).
struct UnitRow final {
    const runtime::SiteRow* sites;
    const runtime::SiteRow* sitesEnd;
    const runtime::KernelRow* kernels;
    const runtime::KernelRow* kernelsEnd;
    const runtime::ObjectRow* objects;
    const runtime::ObjectRow* objectsEnd;
};

struct LibraryUnit final {
    std::string_view file;  ///< `copy_vector.cu`
    const UnitRow* row;
};

/// Of every built-in kernel, by file.
[[nodiscard]] std::span<const LibraryUnit> libraryUnits();

/// The kernel's code for the host; null of a course's, which runs elsewhere (remote_tracer.h).
[[nodiscard]] const UnitRow* unitOf(const Kernel& kernel);

/// The unit's code of the kernel: its template's instance, if it has one.
[[nodiscard]] const runtime::KernelRow& codeOf(const UnitRow& unit, const Kernel& kernel,
                                               const Arguments& arguments);

}  // namespace warplens::library
