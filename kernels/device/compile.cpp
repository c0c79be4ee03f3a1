#include "kernels/device/compile.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <regex>

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

constexpr const char* integers = R"(#pragma once
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
}
)";

/// Owns one NVRTC program.
class NvrtcProgram final {
  public:
    NvrtcProgram(const NvrtcLibrary& nvrtc, const std::string& source, const std::string& name)
        : nvrtc_(nvrtc) {
        // NVRTC finds no header of the host.
        static constexpr std::array names{"cstdint", "stdint.h"};
        static constexpr std::array texts{integers, integers};
        require(nvrtc_.createProgram(&program_, source.c_str(), name.c_str(),
                                     static_cast<int>(names.size()), texts.data(), names.data()),
                "nvrtcCreateProgram");
    }
    NvrtcProgram(NvrtcProgram&&) = delete;
    ~NvrtcProgram() { nvrtc_.destroyProgram(&program_); }

    void require(int result, const char* call) const {
        if (result != 0) {
            throw CompileError(std::string(call) + ": " + nvrtc_.errorString(result));
        }
    }
    [[nodiscard]] NvrtcLibrary::Program* handle() const { return program_; }

    template <class SizeCall, class TextCall>
    [[nodiscard]] std::string text(SizeCall size, TextCall read, const char* call) const {
        std::size_t bytes = 0;
        require(size(program_, &bytes), call);
        std::string found(bytes, '\0');
        if (bytes != 0) require(read(program_, found.data()), call);
        return found;
    }

  private:
    const NvrtcLibrary& nvrtc_;
    NvrtcLibrary::Program* program_ = nullptr;
};

void dropTrailingZero(std::string& text) {
    while (!text.empty() && text.back() == '\0') text.pop_back();
}

std::vector<std::string> nvrtcOptions(const CompileOptions& options) {
    std::vector<std::string> list{
        "--gpu-architecture=sm_" + std::to_string(options.computeCapability), "--std=c++17",
        "-default-device",
        // As every compiler on this system says, and headers ask for.
        "-D__linux__", "-D__unix__", "-D__x86_64__"};
    if (options.lineInformation) list.emplace_back("-lineinfo");
    if (options.relocatable) list.emplace_back("-rdc=true");
    for (const std::string& folder : cudaIncludeFolders()) list.push_back("-I" + folder);
    return list;
}

/// Of NVRTC's words about a name expression that it could not find: the name.
std::string unknownName(const std::string& log) {
    static const std::regex words(R"re(Input name expression was: " ?([^"]*)")re");
    std::smatch match;
    return std::regex_search(log, match, words) ? match[1].str() : std::string();
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

std::string CompiledUnit::compiler() const {
    return "NVRTC " + std::to_string(compilerVersion / 1000) + '.' +
           std::to_string(compilerVersion % 1000 / 10);
}

CompiledUnit compileDeviceCode(const std::string& file, const std::string& text,
                               const std::vector<std::string>& kernels,
                               const CompileOptions& options) {
    const NvrtcLibrary& nvrtc = NvrtcLibrary::open();
    CompiledUnit unit;
    const NvrtcProgram program(nvrtc, text, file);
    for (const std::string& kernel : kernels) {
        program.require(nvrtc.addNameExpression(program.handle(), kernel.c_str()),
                        "nvrtcAddNameExpression");
    }
    const std::vector<std::string> texts = nvrtcOptions(options);
    std::vector<const char*> pointers;
    for (const std::string& option : texts) pointers.push_back(option.c_str());
    const int result =
        nvrtc.compileProgram(program.handle(), static_cast<int>(pointers.size()), pointers.data());
    unit.log = program.text(nvrtc.programLogSize, nvrtc.programLog, "nvrtcGetProgramLog");
    dropTrailingZero(unit.log);
    if (const std::string unknown = unknownName(unit.log); result != 0 && !unknown.empty()) {
        throw CompileError(file + ": no kernel or device variable " + unknown +
                           " that NVRTC can name\n" + unit.log);
    }
    int major = 0;
    int minor = 0;
    program.require(nvrtc.version(&major, &minor), "nvrtcVersion");
    unit.compilerVersion = 1000 * major + 10 * minor;
    if (result != 0 && unit.log.find("invalid value for --gpu-architecture") != std::string::npos) {
        throw CompilerUnavailable(unit.compiler() + " does not compile for compute capability " +
                                  std::to_string(options.computeCapability / 10) + '.' +
                                  std::to_string(options.computeCapability % 10));
    }
    if (result != 0) {
        throw CompileError(unit.log.empty() ? nvrtc.errorString(result) : unit.log);
    }
    unit.ptx = program.text(nvrtc.ptxSize, nvrtc.ptx, "nvrtcGetPTX");
    dropTrailingZero(unit.ptx);
    if (!options.relocatable) {
        unit.cubin = program.text(nvrtc.cubinSize, nvrtc.cubin, "nvrtcGetCUBIN");
    }
    for (const std::string& kernel : kernels) {
        const char* symbol = nullptr;
        if (nvrtc.loweredName(program.handle(), kernel.c_str(), &symbol) == 0) {
            unit.symbols[kernel] = symbol;
        }
    }
    return unit;
}

}  // namespace warplens
