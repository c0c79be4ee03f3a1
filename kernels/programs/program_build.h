#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "core/program/program_sources.h"
#include "kernels/programs/cuda_compiler.h"
#include "kernels/programs/program_request.h"
#include "kernels/programs/reachable_files.h"

namespace warplens::programs {

/// What NVIDIA's compiler made of a program.
struct BuiltProgram final {
    std::filesystem::path binary;           ///< with our CUDA runtime API, both kinds of PTX in it
    bool hasMain = true;                    ///< of its own
    std::string proposedMain{};             ///< text, where it has none
    std::vector<std::string> notes{};       ///< what was proposed
    std::vector<ProposedValue> proposed{};  ///< the same, one by one
    /// By the assembler, `name:56,` of each kernel; empty where the program does not ask for them.
    std::string registers{};
    ProgramSources sources;
    ReachableFiles reachable;
    bool isCut = false;  ///< made now, nvcc having read the device's half alone
    double seconds = 0;
};

/// What a file is called while it is compiled whose name NVIDIA's tools cannot write into PTX: one
/// with quotation marks, say. Empty for all others.
[[nodiscard]] std::string standInName(const std::string& path, std::size_t index);

/// Compiles for `computeCapability` (90 for 9.0) in the sandbox, what does not depend on each other
/// side by side; what was built before of the same files is taken from the cache. Throws
/// InvalidRequest for files that cannot be read and macros that cannot be, CompileFailed with
/// nvcc's words, NotConfined and Cancelled.
[[nodiscard]] BuiltProgram buildProgram(const ProgramSource& source, const CudaCompiler& compiler,
                                        int computeCapability,
                                        const std::function<bool()>& cancelled = {});

}  // namespace warplens::programs
