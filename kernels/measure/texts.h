#pragma once

#include <string_view>

namespace warplens {

/// A CUDA text of this folder that NVRTC compiles, by its name: `device_kernels.cu`.
[[nodiscard]] std::string_view measureText(std::string_view name);

}  // namespace warplens
