#include "kernels/library/shared_layout.h"

#include <algorithm>

#include "kernels/library/kernel_program.h"
#include "kernels/ptx/open/signature.h"

namespace warplens::library {

SharedLayout sharedLayoutOf(const Experiment& experiment, const ptx::SharedLayout* there) {
    const Kernel& kernel = kernelOf(experiment);
    const FormulaPlace place{.launch = experiment.launch};
    SharedLayout layout;
    for (const KernelShared& shared : kernel.shared) {
        SharedArray& array = layout.arrays.emplace_back();
        array.place.elementBytes = shared.elementBytes;
        if (!shared.columns.empty()) {
            array.place.columns =
                static_cast<std::uint32_t>(shared.columns(experiment.arguments, place));
        }
        if (there == nullptr) {
            array.isStatic = shared.of.empty();
            array.bytes = UINT32_MAX;
            continue;
        }
        const auto isIt = [&](const ptx::SharedArray& candidate) {
            return candidate.bytes != 0 && !candidate.name.empty() &&
                   ptx::declaredName(candidate.name) == shared.name;
        };
        const auto found = std::ranges::find_if(there->arrays, isIt);
        if (!shared.of.empty() || found == there->arrays.end()) continue;
        array.isStatic = true;
        array.address = found->address;
        array.bytes = found->bytes;
        array.place.offset = layout.staticBytes;
        layout.staticBytes += static_cast<std::uint32_t>(found->bytes);
    }
    std::uint64_t end = experiment.launch.dynamicSharedBytes;
    for (std::size_t i = kernel.shared.size(); i-- > 0;) {
        SharedArray& array = layout.arrays[i];
        if (array.isStatic) continue;
        const KernelShared& shared = kernel.shared[i];
        std::uint64_t from = 0;
        if (!shared.begin.empty()) {
            from = shared.begin(experiment.arguments, place) * shared.elementBytes;
        }
        array.bytes = end > from ? end - from : 0;
        if (there != nullptr) array.address = there->arrays.front().address + from;
        array.from = from;
        array.place.offset = layout.staticBytes + static_cast<std::uint32_t>(from);
        end = from;
    }
    return layout;
}

SharedLayout sharedLayoutOf(const Experiment& experiment) {
    const Kernel& kernel = kernelOf(experiment);
    if (!hasPtx(kernel)) return sharedLayoutOf(experiment, nullptr);
    const TakenProgram program(kernel, ptxOf(kernel, PtxKind::source), false);
    const ptx::Function& function = program->instance(kernel.instance(experiment.arguments));
    const ptx::SharedLayout there =
        program->program().sharedLayout(function, experiment.launch.dynamicSharedBytes);
    return sharedLayoutOf(experiment, &there);
}

}  // namespace warplens::library
