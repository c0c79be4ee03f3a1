#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/kernel/kernel.h"

namespace warplens {

/// One line of a kernel as CUDA C++ has it.
struct CudaLine final {
    std::uint32_t line = 0;  ///< where it stands in the body file, from 1
    std::string text;
    friend bool operator==(const CudaLine&, const CudaLine&) = default;
};

/// The kernel's body with the words of the bodies replaced by what they become on the device
/// (kernels/measure/plain_dialect.cuh), and the comment above it. Lines that become nothing are
/// left out.
[[nodiscard]] std::vector<CudaLine> cudaText(const Kernel& kernel);

}  // namespace warplens
