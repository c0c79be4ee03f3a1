#include "core/library/kernel_files.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "embedded/warplens_core.h"

namespace warplens {
namespace {

std::vector<KernelFile>& addedFiles() {
    static std::vector<KernelFile> files;
    return files;
}
bool handedOut = false;

}  // namespace

std::span<const KernelFile> kernelFiles() {
    static const std::vector<KernelFile> files = [] {
        handedOut = true;
        std::vector<KernelFile> all;
        for (const kernel_texts::EmbeddedFile& file : kernel_texts::embeddedFiles()) {
            all.push_back(parseKernelFile(std::string(file.name), std::string(file.bytes)));
        }
        std::ranges::move(addedFiles(), std::back_inserter(all));
        return all;
    }();
    return files;
}

void addKernelFiles(std::vector<KernelFile> files) {
    if (handedOut) throw std::logic_error("kernels' files have been asked for before");
    std::ranges::move(files, std::back_inserter(addedFiles()));
}

}  // namespace warplens
