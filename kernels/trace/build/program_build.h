#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/program/program_trace.h"
#include "kernels/trace/source/program_source.h"
#include "kernels/trace/source/proposed_main.h"

namespace warplens {

/// A person's program and how it is compiled.
struct ProgramSource final {
    std::vector<std::filesystem::path> files;  ///< .cu, at least one
    std::vector<std::string> includes{};       ///< -I
    std::vector<std::string> defines{};        ///< -D: `N=64`
    std::string standard{};                    ///< `c++20`; empty: gnu++17, nvcc's own
    /// `N=64`: macros of a program; of a file without main, the values of kernels' parameters.
    std::vector<std::string> settings{};
    source::LaunchWishes launch{};  ///< for files without main
    std::string kernel{};           ///< for files without main: the only one to launch
};

/// The compiler refused the program; what() is its words, with file, line and column.
class CompileFailed final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// There is no compiler on this machine, or one that is too old; what() says how to get one.
class NoCompiler final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A program made ready to be traced.
struct BuiltProgram final {
    std::filesystem::path binary;
    std::vector<source::KernelSource> kernels;
    std::vector<source::LaunchSource> launches;                      ///< by place in the source
    std::map<std::string, std::vector<source::ColumnShift>> shifts;  ///< by file as reported
    std::vector<Finding> unsupported;                                ///< then there is no binary
    std::vector<std::string> notes;                                  ///< what was proposed
    std::vector<ProposedValue> proposed;                             ///< the same, one by one
    bool hasMain = false;                                            ///< of its own
    bool fromCache = false;
    double seconds = 0;
};

/// Rewrites, compiles, instruments and links; what was built before of the same files and options
/// is taken from the cache. Throws InvalidRequest for files that cannot be read or hold no kernel,
/// CompileFailed and NoCompiler.
[[nodiscard]] BuiltProgram buildProgram(const ProgramSource& source,
                                        const std::function<bool()>& cancelled = {});

/// The compiler: $WARPLENS_CXX, or g++ in PATH; empty where there is none.
[[nodiscard]] std::string hostCompiler();

/// The compiler; throws NoCompiler where there is none.
[[nodiscard]] std::string requiredCompiler();

/// Throws for what a compiler that failed said: NoCompiler where it is too old, else CompileFailed.
[[noreturn]] void refuseWith(const std::string& words);

}  // namespace warplens
