#include "kernels/programs/cuda_compiler.h"

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <set>
#include <unistd.h>

#include "core/text/encoding.h"
#include "kernels/programs/compiler.h"
#include "kernels/programs/program_cache.h"
#include "kernels/programs/sandbox.h"

namespace warplens::programs {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

bool canRun(const fs::path& file) {
    std::error_code error;
    return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

std::vector<fs::path> foldersOfPath() {
    std::vector<fs::path> folders;
    const std::string all = environment("PATH");
    for (std::size_t at = 0; at <= all.size();) {
        const std::size_t end = std::min(all.find(':', at), all.size());
        if (end > at) folders.emplace_back(all.substr(at, end - at));
        at = end + 1;
    }
    return folders;
}

/// nvcc of NVIDIA's Python packages: `nvidia/cu13/bin/nvcc` among a Python's packages. Those for
/// CUDA 12 have none.
std::optional<fs::path> inPackages(const fs::path& packages) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(packages / "nvidia", error)) {
        const fs::path nvcc = entry.path() / "bin" / "nvcc";
        if (canRun(nvcc)) return nvcc;
    }
    return std::nullopt;
}

/// As it is named and where links lead. Packages of CUDA 12 need one another.
std::vector<fs::path> foldersOf(const fs::path& nvcc) {
    std::vector<fs::path> all;
    std::error_code error;
    for (const fs::path& path : {fs::absolute(nvcc, error), fs::canonical(nvcc, error)}) {
        fs::path toolkit = path.parent_path().parent_path();
        if (toolkit.parent_path().filename() == "nvidia") toolkit = toolkit.parent_path();
        const bool isOne = fs::exists(path.parent_path() / "nvcc.profile", error);
        if (isOne && !isOfTheSystem(toolkit)) all.push_back(std::move(toolkit));
    }
    return all;
}

std::optional<fs::path> ofPython() {
    for (const fs::path& folder : foldersOfPath()) {
        std::error_code error;
        const fs::path python = fs::canonical(folder / "python3", error);
        if (error) continue;
        for (const char* library : {"lib", "local/lib"}) {
            const fs::path root = folder.parent_path() / library;
            for (const fs::directory_entry& entry : fs::directory_iterator(root, error)) {
                for (const char* packages : {"site-packages", "dist-packages"}) {
                    if (const auto nvcc = inPackages(entry.path() / packages)) return nvcc;
                }
            }
        }
        return std::nullopt;  // the Python in use, no other
    }
    return std::nullopt;
}

}  // namespace

fs::path ownCompilerFolder() {
    const std::string data = environment("XDG_DATA_HOME");
    const fs::path root =
        data.empty() ? fs::path(environment("HOME")) / ".local" / "share" : fs::path(data);
    return root / "warplens" / "compiler";
}

std::optional<CudaCompiler> compilerIn(const fs::path& packages) {
    const auto nvcc = inPackages(packages);
    if (!nvcc) return std::nullopt;
    return CudaCompiler{*nvcc, "warplens setup-compiler", foldersOf(*nvcc)};
}

std::vector<CudaCompiler> cudaCompilers() {
    std::vector<CudaCompiler> found;
    std::set<fs::path> known;
    const auto add = [&](const fs::path& nvcc, const char* by) {
        std::error_code error;
        if (!canRun(nvcc) || !known.insert(fs::canonical(nvcc, error)).second) return;
        found.push_back({nvcc, by, foldersOf(nvcc)});
    };
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
        const std::string folder = environment(name);
        if (!folder.empty()) add(fs::path(folder) / "bin" / "nvcc", name);
    }
    for (const fs::path& folder : foldersOfPath()) add(folder / "nvcc", "PATH");
    add("/usr/local/cuda/bin/nvcc", "/usr/local/cuda");
    if (const auto nvcc = inPackages(ownCompilerFolder())) add(*nvcc, "warplens setup-compiler");
    if (const auto nvcc = ofPython()) add(*nvcc, "Python's packages");
    return found;
}

std::optional<CudaCompiler> findCudaCompiler(const fs::path& given) {
    if (!given.empty()) {
        std::error_code error;
        const fs::path whole = fs::absolute(given, error);
        const fs::path nvcc = fs::is_directory(whole, error) ? whole / "bin" / "nvcc" : whole;
        if (!canRun(nvcc) || nvcc.filename().string().find("nvcc") == std::string::npos)
            return std::nullopt;
        return CudaCompiler{nvcc, "--compiler", foldersOf(nvcc)};
    }
    std::vector<CudaCompiler> all = cudaCompilers();
    if (all.empty()) return std::nullopt;
    return std::move(all.front());
}

namespace {

/// What nvcc says to the option; empty where it cannot be asked.
std::string saidTo(const CudaCompiler& compiler, const char* option) {
    try {
        // It lists nothing where it has no folder for what it does not write.
        const TemporaryFolder folder(programCache() / "work");
        return runCompiler({.arguments = {compiler.nvcc.string(), option},
                            .folder = folder.path(),
                            .readable = compiler.folders,
                            .most = std::chrono::seconds(10)})
            .output;
    } catch (const std::exception&) {
        return {};
    }
}

}  // namespace

std::string versionOf(const CudaCompiler& compiler) {
    const std::string output = saidTo(compiler, "--version");
    const std::size_t at = output.find("release ");
    if (at == std::string::npos) return {};
    return output.substr(at + 8, output.find(',', at) - at - 8);
}

std::vector<int> capabilitiesOf(const CudaCompiler& compiler) {
    static const std::regex form(R"(compute_(\d+))");
    const std::string output = saidTo(compiler, "--list-gpu-arch");
    std::vector<int> all;
    for (std::sregex_iterator at(output.begin(), output.end(), form), end; at != end; ++at)
        all.push_back(std::stoi(at->str(1)));
    std::ranges::sort(all);
    return all;
}

}  // namespace warplens::programs
