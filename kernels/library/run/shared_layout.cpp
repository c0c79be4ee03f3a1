#include "kernels/library/run/shared_layout.h"

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

/// The object that is the static local variable `name` of the function.
const runtime::ObjectRow* objectOf(const UnitRow& unit, const char* function,
                                   const std::string& name) {
    const std::string symbol =
        "_ZZ" + std::string(function).substr(2) + 'E' + std::to_string(name.size()) + name;
    for (const runtime::ObjectRow* row = unit.objects; row != unit.objectsEnd; ++row) {
        if (row->symbol == symbol) return row;
    }
    return nullptr;
}

}  // namespace

const runtime::KernelRow& codeOf(const LibraryKernel& kernel, const Arguments& arguments) {
    if (kernel.unit->kernelsEnd - kernel.unit->kernels == 1) return *kernel.unit->kernels;
    const std::string instance = kernel.kernel.instance(arguments);
    for (const runtime::KernelRow* row = kernel.unit->kernels; row != kernel.unit->kernelsEnd;
         ++row) {
        if (instanceName(row->name) == instance) return *row;
    }
    throw std::logic_error("no code of " + instance);
}

SharedLayout sharedLayoutOf(const LibraryKernel& kernel, const Experiment& experiment) {
    const Kernel& file = kernel.kernel;
    const FormulaPlace place{.launch = experiment.launch};
    const char* const function =
        kernel.unit == nullptr ? nullptr : codeOf(kernel, experiment.arguments).name;
    SharedLayout layout;
    for (const KernelShared& shared : file.shared) {
        SharedArray& array = layout.arrays.emplace_back();
        array.place.elementBytes = shared.elementBytes;
        if (!shared.columns.empty()) {
            array.place.columns =
                static_cast<std::uint32_t>(shared.columns(experiment.arguments, place));
        }
        // Of a course's kernel, whose code for the host is elsewhere, only the places of parts.
        if (function == nullptr && shared.of.empty()) {
            array.isStatic = true;
            array.bytes = UINT32_MAX;
            continue;
        }
        const runtime::ObjectRow* const object = shared.of.empty() && function != nullptr
                                                     ? objectOf(*kernel.unit, function, shared.name)
                                                     : nullptr;
        if (object == nullptr) continue;
        array.isStatic = true;
        array.from = object->address;
        array.bytes = object->bytes;
        array.place.offset = layout.staticBytes;
        layout.staticBytes += static_cast<std::uint32_t>(object->bytes);
    }
    std::uint64_t end = experiment.launch.dynamicSharedBytes;
    for (std::size_t i = file.shared.size(); i-- > 0;) {
        SharedArray& array = layout.arrays[i];
        if (array.isStatic) continue;
        const KernelShared& shared = file.shared[i];
        if (!shared.begin.empty()) {
            array.from = shared.begin(experiment.arguments, place) * shared.elementBytes;
        }
        array.bytes = end > array.from ? end - array.from : 0;
        array.place.offset = layout.staticBytes + static_cast<std::uint32_t>(array.from);
        end = array.from;
    }
    return layout;
}

}  // namespace warplens::library
