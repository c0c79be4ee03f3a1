#include "kernels/library/library_kernel.h"

#include <string>
#include <vector>

#include "core/library/kernel_files.h"

namespace warplens::library {
namespace {

std::vector<LibraryKernel> readAll() {
    std::vector<LibraryKernel> kernels;
    for (const KernelFile& file : builtInKernelFiles()) {
        for (const LibraryUnit& unit : libraryUnits()) {
            if (unit.file == file.file) kernels.push_back({file, unit.row});
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
    throw InvalidRequest({{"scenario", "'" + std::string(scenario) + "'", "a built-in one"}});
}

}  // namespace warplens::library
