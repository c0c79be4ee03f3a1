#include "kernels/trace/build/runtime_files.h"

#include "core/text/atomic_file.h"
#include "core/text/digest.h"

#include "embedded/warplens_trace.h"

namespace warplens {

RuntimeFiles runtimeFilesIn(const std::filesystem::path& cache) {
    static const std::string digest = [] {
        std::string all;
        for (const traced::EmbeddedFile& file : traced::embeddedFiles()) {
            all += file.name;
            all += digestOf(file.bytes);
        }
        return digestOf(all);
    }();
    const std::filesystem::path folder = cache / ("runtime-" + digest);
    RuntimeFiles files{folder / "include", folder / "runtime.o", digest};
    const std::filesystem::path complete = folder / "complete";
    if (std::filesystem::exists(complete)) return files;
    for (const traced::EmbeddedFile& file : traced::embeddedFiles()) {
        const std::filesystem::path path = folder / std::string(file.name);
        std::filesystem::create_directories(path.parent_path());
        writeFileAtomically(path, file.bytes);
    }
    writeFileAtomically(complete, "");
    return files;
}

}  // namespace warplens
