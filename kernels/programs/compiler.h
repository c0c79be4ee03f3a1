#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/programs/run_child.h"

namespace warplens {

/// The compiler refused the program; what() is its words, with file, line and column.
class CompileFailed final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// There is no compiler on this machine; what() says how to get one.
class NoCompiler final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Somebody asked for the end.
class Cancelled final : public std::runtime_error {
  public:
    Cancelled() : std::runtime_error("cancelled") {}
};

/// What compiles host code: $WARPLENS_CXX, or g++ in PATH; empty where there is none.
[[nodiscard]] std::string hostCompiler();
/// The same; throws NoCompiler where there is none.
[[nodiscard]] std::string requiredCompiler();
/// Another one after an update.
[[nodiscard]] std::string identityOf(const std::string& compiler);

/// One run of a compiler, within the sandbox (sandbox.h).
struct Compilation final {
    std::vector<std::string> arguments{};           ///< the first is the compiler's path
    std::filesystem::path folder{};                 ///< where it runs, which it sees
    std::vector<std::string> outputs{};             ///< the files of that folder that it writes
    std::vector<std::filesystem::path> readable{};  ///< what else it sees
    std::vector<std::filesystem::path> unread{};    ///< in there, what it must not open
    std::chrono::seconds most{120};
    int startsAfter = -1;  ///< as of a ChildCommand
};
/// Runs it to its end. Throws NotConfined.
[[nodiscard]] ChildResult runCompiler(const Compilation& compilation,
                                      const std::function<bool()>& cancelled = {});

/// Throws where it did not come to a good end: Cancelled, else CompileFailed with its words, or
/// with `what` has failed.
void requireDone(const ChildResult& result, const std::string& what);

}  // namespace warplens
