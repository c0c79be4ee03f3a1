#include "kernels/library/library_kernel.h"

#include <string>
#include <vector>

#include "core/kernel/kernel.h"

namespace warplens::library {
namespace {

std::vector<LibraryKernel> readAll() {
    std::vector<LibraryKernel> kernels;
    for (const Kernel& kernel : allKernels()) {
        LibraryKernel& made = kernels.emplace_back(kernel);
        for (const LibraryUnit& unit : libraryUnits()) {
            if (kernel.course.empty() && unit.file == kernel.file) made.unit = unit.row;
        }
    }
    return kernels;
}

}  // namespace

std::span<const LibraryKernel> libraryKernels() {
    static const std::vector<LibraryKernel> kernels = readAll();
    return kernels;
}

const LibraryKernel& libraryKernelOf(std::string_view scenario) {
    return libraryKernels()[static_cast<std::size_t>(scenarioNamed(scenario).kernel)];
}

std::shared_ptr<const ArrayMemory> memoryFor(const Experiment& experiment) {
    const LibraryKernel& kernel = libraryKernelOf(experiment.scenario);
    if (kernel.unit == nullptr) return nullptr;
    return std::make_shared<ArrayMemory>(kernel.kernel, experiment, false);
}

}  // namespace warplens::library
