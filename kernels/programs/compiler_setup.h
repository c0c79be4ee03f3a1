#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "kernels/programs/cuda_compiler.h"

namespace warplens::programs {

[[nodiscard]] std::uint64_t bytesToFetch();
/// What they take on the disk once they are unpacked.
inline constexpr std::uint64_t bytesUnpacked = std::uint64_t{485} << 20;

/// The compiler could not be had; what() says in one sentence what is missing.
class CompilerNotSetUp final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Why nothing can be fetched here, which is known before anybody is asked; empty where it can be.
[[nodiscard]] std::string whyNotFetched();

/// The compiler that lies in Warplens' own folder.
struct OwnCompiler final {
    CudaCompiler compiler;
    std::string version;      ///< `13.5`; empty where no program may be run here
    std::uint64_t bytes = 0;  ///< on the disk
};
[[nodiscard]] std::optional<OwnCompiler> ownCompiler();

/// How much is done, from 0 to 1, and what. What it throws ends the work.
using SetupProgress = std::function<void(double, const std::string&)>;

/// Puts NVIDIA's compiler into `ownCompilerFolder()`, in place of one that is there: fetched with
/// the pip of the Python in use, or, where `from` is not empty, out of a folder that holds the
/// packages as wheels or unpacked, or a toolkit. It is made beside the folder and renamed, so that
/// nothing half-made is ever there. Throws InvalidRequest for a folder without one, Cancelled, and
/// CompilerNotSetUp.
OwnCompiler setUpCompiler(const std::filesystem::path& from, const SetupProgress& progress = {});

/// Removes it; the bytes that it took, nothing where there was none. Throws CompilerNotSetUp.
std::optional<std::uint64_t> removeOwnCompiler();

}  // namespace warplens::programs
