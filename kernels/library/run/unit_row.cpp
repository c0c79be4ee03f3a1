#include "kernels/library/run/unit_row.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <stdexcept>
#include <string>

namespace warplens::library {
namespace {

/// `scan<16>` of `void scan<16>(float const*, int)`.
std::string instanceName(const char* mangled) {
    int status = 0;
    char* const demangled = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
    std::string name = status == 0 ? demangled : mangled;
    std::free(demangled);
    name = name.substr(0, name.find('('));
    if (const std::size_t blank = name.find(' '); blank != std::string::npos) {
        name = name.substr(blank + 1);
    }
    return name;
}

}  // namespace

const UnitRow* unitOf(const Kernel& kernel) {
    if (!kernel.course.empty()) return nullptr;
    const auto found = std::ranges::find(libraryUnits(), kernel.file, &LibraryUnit::file);
    return found == libraryUnits().end() ? nullptr : found->row;
}

const runtime::KernelRow& codeOf(const UnitRow& unit, const Kernel& kernel,
                                 const Arguments& arguments) {
    if (unit.kernelsEnd - unit.kernels == 1) return *unit.kernels;
    const std::string instance = kernel.instance(arguments);
    for (const runtime::KernelRow* row = unit.kernels; row != unit.kernelsEnd; ++row) {
        if (instanceName(row->name) == instance) return *row;
    }
    throw std::logic_error("no code of " + instance);
}

}  // namespace warplens::library
