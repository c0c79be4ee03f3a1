#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/programs/nvcc/cuda_compiler.h"

namespace warplens::programs {

/// A program as its author compiles it.
struct CudaProgram final {
    std::vector<std::filesystem::path> files;  ///< compiled and linked together
    std::vector<std::string> options{};        ///< nvcc's: `-I`, `-D`, `-std`, …
    int computeCapability = 90;                ///< `--cc`
};

struct CompiledProgram final {
    std::filesystem::path binary;  ///< linked with our runtime API, the optimised PTX in it
    std::vector<std::filesystem::path> debugPtx;  ///< of `-G`, a file for each source
    std::string output;                           ///< what nvcc said: warnings
};

/// How a command ended.
struct CommandResult final {
    bool isDone = false;  ///< it returned 0
    std::string output;   ///< both streams
};
/// Runs a command to its end in a folder: the caller's sandbox.
using RunCommand = std::function<CommandResult(const std::vector<std::string>& arguments)>;

/// nvcc refused the program; what() is its words.
class CudaCompileFailed final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Compiles into `folder`, the steps side by side: `run` is called from several threads. Throws
/// CudaCompileFailed, and std::filesystem::filesystem_error where the folder cannot be written.
[[nodiscard]] CompiledProgram compileProgram(const CudaCompiler& compiler,
                                             const CudaProgram& program,
                                             const std::filesystem::path& folder,
                                             const RunCommand& run);

}  // namespace warplens::programs
