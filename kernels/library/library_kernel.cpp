#include "kernels/library/library_kernel.h"

#include <string>
#include <vector>

#include "core/library/kernel_files.h"

namespace warplens::library {
namespace {

std::vector<LibraryKernel> readAll() {
    std::vector<LibraryKernel> kernels;
    for (const KernelFile& file : kernelFiles()) {
        LibraryKernel& kernel = kernels.emplace_back(file);
        for (const LibraryUnit& unit : libraryUnits()) {
            if (file.course.empty() && unit.file == file.file) kernel.unit = unit.row;
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
    for (const LibraryKernel& kernel : libraryKernels()) {
        for (const FileScenario& each : kernel.file.scenarios) {
            if (each.id == scenario) return kernel;
        }
    }
    throw InvalidRequest(
        {{"scenario", "'" + std::string(scenario) + "'", "one of a kernel's file"}});
}

std::shared_ptr<const ArrayMemory> memoryFor(const Experiment& experiment) {
    const LibraryKernel& kernel = libraryKernelOf(experiment.scenario);
    if (kernel.unit == nullptr) return nullptr;
    return std::make_shared<ArrayMemory>(kernel.file, experiment, false);
}

}  // namespace warplens::library
