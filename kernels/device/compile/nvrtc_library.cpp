#include "kernels/device/compile/nvrtc_library.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <string>

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

namespace {

template <class Function>
void findNvrtc(void* library, Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) {
        throw CompilerUnavailable(std::string("libnvrtc.so.13 has no ") + name +
                                  "; NVRTC of CUDA 13.0 or newer is needed");
    }
}

/// NVRTC opens its second half by plain name, and PyPI's does not say where it lies: beside it.
/// What is open already is found by that name.
void openBuiltinsBeside(int (*version)(int* major, int* minor)) {
    Dl_info library{};
    int major = 0;
    int minor = 0;
    if (dladdr(reinterpret_cast<void*>(version), &library) == 0 || version(&major, &minor) != 0) {
        return;
    }
    const std::string name =
        "libnvrtc-builtins.so." + std::to_string(major) + "." + std::to_string(minor);
    dlopen(std::filesystem::path(library.dli_fname).replace_filename(name).c_str(), RTLD_NOW);
}

}  // namespace

NvrtcLibrary::NvrtcLibrary() {
    void* const library = openCudaLibrary("libnvrtc.so.13");
    if (library == nullptr) {
        throw CompilerUnavailable(
            "libnvrtc.so.13 not found; install the CUDA Toolkit 13, or `pip install "
            "nvidia-cuda-nvrtc`, or set CUDA_PATH to the toolkit's folder");
    }
    findNvrtc(library, version, "nvrtcVersion");
    openBuiltinsBeside(version);
    findNvrtc(library, createProgram, "nvrtcCreateProgram");
    findNvrtc(library, destroyProgram, "nvrtcDestroyProgram");
    findNvrtc(library, addNameExpression, "nvrtcAddNameExpression");
    findNvrtc(library, compileProgram, "nvrtcCompileProgram");
    findNvrtc(library, programLogSize, "nvrtcGetProgramLogSize");
    findNvrtc(library, programLog, "nvrtcGetProgramLog");
    findNvrtc(library, ptxSize, "nvrtcGetPTXSize");
    findNvrtc(library, ptx, "nvrtcGetPTX");
    findNvrtc(library, cubinSize, "nvrtcGetCUBINSize");
    findNvrtc(library, cubin, "nvrtcGetCUBIN");
    findNvrtc(library, loweredName, "nvrtcGetLoweredName");
    findNvrtc(library, errorString, "nvrtcGetErrorString");
}

const NvrtcLibrary& NvrtcLibrary::open() {
    static const NvrtcLibrary library;  // a failed attempt throws and is made again next time
    return library;
}

}  // namespace warplens
