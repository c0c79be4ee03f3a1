#include "kernels/device/compile/nvrtc_library.h"

#include <dlfcn.h>
#include <filesystem>
#include <string>

#include "kernels/device/compile/cuda_folders.h"

namespace warplens {
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
