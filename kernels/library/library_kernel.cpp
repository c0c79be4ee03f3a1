#include "kernels/library/library_kernel.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "embedded/warplens_library.h"

namespace warplens::library {
namespace {

std::vector<LibraryKernel> readAll() {
    std::vector<LibraryKernel> kernels;
    for (const LibraryUnit& unit : libraryUnits()) {
        for (const EmbeddedFile& file : embeddedFiles()) {
            if (file.name != unit.file) continue;
            kernels.push_back(
                {parseKernelFile(std::string(file.name), std::string(file.bytes)), unit.row});
        }
    }
    return kernels;
}

}  // namespace

std::span<const LibraryKernel> libraryKernels() {
    static const std::vector<LibraryKernel> kernels = readAll();
    return kernels;
}

const LibraryKernel& libraryKernelNamed(std::string_view function) {
    for (const LibraryKernel& kernel : libraryKernels()) {
        if (kernel.file.kernel == function) return kernel;
    }
    throw std::logic_error("no built-in kernel " + std::string(function));
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
