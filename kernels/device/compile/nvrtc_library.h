#pragma once

#include <cstddef>
#include <stdexcept>

namespace warplens {

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

}  // namespace warplens
