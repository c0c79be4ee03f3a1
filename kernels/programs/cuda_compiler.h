#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warplens::programs {

/// NVIDIA's compiler on this machine.
struct CudaCompiler final {
    std::filesystem::path nvcc;
    std::string foundBy;  ///< `CUDA_HOME`, `PATH`, …
    /// What must be seen of it beside the system's own files: its toolkit, or NVIDIA's packages.
    std::vector<std::filesystem::path> folders{};
};

/// Those of $CUDA_HOME, $CUDA_PATH, PATH, /usr/local/cuda, the folder that `warplens
/// setup-compiler` fills, and NVIDIA's packages of the Python that PATH names, each once.
[[nodiscard]] std::vector<CudaCompiler> cudaCompilers();
/// What is given, a file or a toolkit's folder, or the first of all. Nothing where there is none:
/// what is given, and is not one, is not replaced by another.
[[nodiscard]] std::optional<CudaCompiler> findCudaCompiler(const std::filesystem::path& given = {});
/// `13.0`; empty where it does not say. Cost: a process.
[[nodiscard]] std::string versionOf(const CudaCompiler& compiler);
/// Compute capabilities that it compiles for, 75 of 7.5, the lowest first; none where it does not
/// say. Cost: a process.
[[nodiscard]] std::vector<int> capabilitiesOf(const CudaCompiler& compiler);

/// Where `warplens setup-compiler` puts what it fetches: $XDG_DATA_HOME/warplens/compiler, or below
/// ~/.local/share.
[[nodiscard]] std::filesystem::path ownCompilerFolder();
/// That of NVIDIA's packages that lie unpacked in a folder so.
[[nodiscard]] std::optional<CudaCompiler> compilerIn(const std::filesystem::path& packages);

/// For who has none: what brings one, in a sentence.
inline constexpr const char* howToGetCompiler =
    "`warplens setup-compiler` fetches NVIDIA's compiler; a CUDA toolkit in PATH or CUDA_HOME "
    "serves as well";

}  // namespace warplens::programs
