#pragma once

#include <filesystem>
#include <string>

namespace warplens {

/// The CUDA headers and the runtime that traced programs are built with, as files.
struct RuntimeFiles final {
    std::filesystem::path headers;
    std::filesystem::path runtime;  ///< relocatable object
    std::string digest;
};

/// Writes them below `cache` where they are not there yet.
[[nodiscard]] RuntimeFiles runtimeFilesIn(const std::filesystem::path& cache);

}  // namespace warplens
