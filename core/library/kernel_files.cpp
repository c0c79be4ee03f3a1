#include "core/library/kernel_files.h"

#include "embedded/warplens_core.h"

namespace warplens {

std::span<const KernelFile> builtInKernelFiles() {
    static const std::vector<KernelFile> files = [] {
        std::vector<KernelFile> all;
        for (const kernel_texts::EmbeddedFile& file : kernel_texts::embeddedFiles()) {
            all.push_back(parseKernelFile(std::string(file.name), std::string(file.bytes)));
        }
        return all;
    }();
    return files;
}

}  // namespace warplens
