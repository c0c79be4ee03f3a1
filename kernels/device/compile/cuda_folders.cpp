#include "kernels/device/compile/cuda_folders.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>

namespace warplens {
namespace {

namespace fs = std::filesystem;

/// `.../site-packages/nvidia/cu13` for each Python below `lib`.
void appendWheelRoots(std::vector<std::string>& roots, const fs::path& lib) {
    std::error_code ignored;
    std::vector<std::string> found;
    for (const auto& python : fs::directory_iterator(lib, ignored)) {
        if (!python.path().filename().string().starts_with("python3")) continue;
        for (const char* packages : {"site-packages", "dist-packages"}) {
            const fs::path root = python.path() / packages / "nvidia" / "cu13";
            if (fs::is_directory(root, ignored)) found.push_back(root.string());
        }
    }
    std::ranges::sort(found);
    roots.insert(roots.end(), found.begin(), found.end());
}

std::vector<std::string> cudaRoots() {
    std::vector<std::string> roots;
    for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
        if (const char* root = std::getenv(variable)) roots.emplace_back(root);
    }
    roots.insert(roots.end(), {"/usr/local/cuda", "/usr/local/cuda-13"});
#ifdef WARPLENS_CUDA_ROOT
    roots.emplace_back(WARPLENS_CUDA_ROOT);  // whose headers this was built with
#endif
    if (const char* environment = std::getenv("VIRTUAL_ENV")) {
        appendWheelRoots(roots, fs::path(environment) / "lib");
    }
    if (const char* home = std::getenv("HOME")) {
        appendWheelRoots(roots, fs::path(home) / ".local/lib");
    }
    for (const char* lib : {"/usr/local/lib", "/usr/lib"}) appendWheelRoots(roots, lib);
    return roots;
}

}  // namespace

std::vector<std::string> cudaLibraryFolders() {
    std::vector<std::string> folders;
    for (const std::string& root : cudaRoots()) {
        folders.push_back(root + "/lib64/");
        folders.push_back(root + "/lib/");
        folders.push_back(root + "/extras/CUPTI/lib64/");
    }
    folders.emplace_back();
    return folders;
}

std::vector<std::string> cudaIncludeFolders() {
    std::vector<std::string> folders;
    std::error_code ignored;
    std::vector<std::string> roots = cudaRoots();
    roots.emplace_back("/usr");  // Debian's own package
    for (const std::string& root : roots) {
        const std::string include = root + "/include";
        if (!fs::exists(include + "/cuda_fp16.h", ignored)) continue;
        folders.push_back(include);
        if (fs::is_directory(include + "/cccl", ignored)) folders.push_back(include + "/cccl");
        break;  // headers of two releases do not mix
    }
    return folders;
}

void* openCudaLibrary(const std::string& name) {
    for (const std::string& folder : cudaLibraryFolders()) {
        if (void* library = dlopen((folder + name).c_str(), RTLD_NOW)) return library;
    }
    return nullptr;
}

}  // namespace warplens
