#pragma once

#include <string>
#include <vector>

namespace warplens {

/// Where CUDA's libraries may lie, best first, each ending in a slash, the last one empty (the
/// loader's own path): below CUDA_PATH and CUDA_HOME, /usr/local/cuda, and where pip puts the
/// packages nvidia-cuda-nvrtc, nvidia-cuda-cupti and nvidia-nvjitlink (the virtual environment's,
/// the account's, the system's).
[[nodiscard]] std::vector<std::string> cudaLibraryFolders();

/// Folders of the same roots with CUDA's headers for device code, those that exist: cuda_fp16.h,
/// cooperative_groups.h, and libcu++'s `cuda/std`.
[[nodiscard]] std::vector<std::string> cudaIncludeFolders();

/// Opens the first of the folders' libraries of that name; null where none has it.
[[nodiscard]] void* openCudaLibrary(const std::string& name);

}  // namespace warplens
