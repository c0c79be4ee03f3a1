#pragma once

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace warplens {

/// Where CUDA's libraries may lie, best first, each ending in a slash, the last one empty (the
/// loader's own path): below CUDA_PATH and CUDA_HOME, /usr/local/cuda, and where pip puts the
/// packages nvidia-cuda-nvrtc and nvidia-cuda-cupti (the virtual environment's,
/// the account's, the system's).
[[nodiscard]] std::vector<std::string> cudaLibraryFolders();

/// Folders of the same roots with CUDA's headers for device code, those that exist: cuda_fp16.h,
/// cooperative_groups.h, and libcu++'s `cuda/std`.
[[nodiscard]] std::vector<std::string> cudaIncludeFolders();

/// Opens the first of the folders' libraries of that name; null where none has it.
[[nodiscard]] void* openCudaLibrary(const std::string& name);

/// No library that compiles CUDA: why, and what would help.
class CompilerUnavailable final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// NVRTC's functions, found with dlopen. Its interface is plain C and stable (NVRTC documentation,
/// "User Interface"), so that no header of it is needed.
class NvrtcLibrary final {
  public:
    struct Program;  ///< opaque

    /// Opens the library once for the process. Throws CompilerUnavailable.
    static const NvrtcLibrary& open();

    int (*version)(int* major, int* minor) = nullptr;
    int (*createProgram)(Program** program, const char* source, const char* name, int headerCount,
                         const char* const* headers, const char* const* includeNames) = nullptr;
    int (*destroyProgram)(Program** program) = nullptr;
    int (*addNameExpression)(Program* program, const char* expression) = nullptr;
    int (*compileProgram)(Program* program, int optionCount, const char* const* options) = nullptr;
    int (*programLogSize)(Program* program, std::size_t* size) = nullptr;
    int (*programLog)(Program* program, char* log) = nullptr;
    int (*ptxSize)(Program* program, std::size_t* size) = nullptr;
    int (*ptx)(Program* program, char* ptx) = nullptr;
    int (*cubinSize)(Program* program, std::size_t* size) = nullptr;
    int (*cubin)(Program* program, char* cubin) = nullptr;
    int (*loweredName)(Program* program, const char* expression, const char** name) = nullptr;
    const char* (*errorString)(int result) = nullptr;

  private:
    NvrtcLibrary();
};

inline constexpr int nvrtcCompilationFailed = 6;  ///< NVRTC_ERROR_COMPILATION

/// The source was refused: the compiler's own words, with the person's files and lines.
class CompileError final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

struct CompileOptions final {
    int computeCapability = 90;  ///< 10 x major + minor
    bool lineInformation = true;
    bool relocatable = false;  ///< for linking (-rdc=true)
};

/// Device code ready to load, and what was compiled.
struct CompiledUnit final {
    std::string ptx;
    std::string cubin;  ///< machine code of the compute capability asked for
    std::string log;    ///< warnings
    /// Of each kernel asked for by name, its symbol in the code. One that the compiler does not
    /// know is absent, and the log says so.
    std::map<std::string, std::string> symbols{};
    int compilerVersion = 0;  ///< 1000 x major + 10 x minor

    /// `NVRTC 13.0`.
    [[nodiscard]] std::string compiler() const;
};

/// Compiles text that is device code and nothing else, as kernel files are: `file` is what errors
/// call it, `kernels` name the instances whose symbols are wanted. Throws CompileError,
/// CompilerUnavailable, the latter also where there is an NVRTC that knows no such compute
/// capability.
/// Cost: 20 ms warm for a small file, some 100 ms for the first of a process.
[[nodiscard]] CompiledUnit compileDeviceCode(const std::string& file, const std::string& text,
                                             const std::vector<std::string>& kernels,
                                             const CompileOptions& options);

}  // namespace warplens
