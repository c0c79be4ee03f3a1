#include "kernels/library/run/shared_layout.h"

#include <string>

#include "kernels/library/run/unit_row.h"

namespace warplens::library {
namespace {

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

SharedLayout sharedLayoutOf(const Experiment& experiment) {
    const Kernel& kernel = kernelOf(experiment);
    const UnitRow* const unit = unitOf(kernel);
    const FormulaPlace place{.launch = experiment.launch};
    const char* const function =
        unit == nullptr ? nullptr : codeOf(*unit, kernel, experiment.arguments).name;
    SharedLayout layout;
    for (const KernelShared& shared : kernel.shared) {
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
                                                     ? objectOf(*unit, function, shared.name)
                                                     : nullptr;
        if (object == nullptr) continue;
        array.isStatic = true;
        array.from = object->address;
        array.bytes = object->bytes;
        array.place.offset = layout.staticBytes;
        layout.staticBytes += static_cast<std::uint32_t>(object->bytes);
    }
    std::uint64_t end = experiment.launch.dynamicSharedBytes;
    for (std::size_t i = kernel.shared.size(); i-- > 0;) {
        SharedArray& array = layout.arrays[i];
        if (array.isStatic) continue;
        const KernelShared& shared = kernel.shared[i];
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
