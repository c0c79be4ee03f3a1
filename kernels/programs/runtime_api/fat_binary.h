#pragma once

#include <string>
#include <vector>

namespace warplens::programs {

/// The PTX texts in what nvcc hands to `__cudaRegisterFatBinary`, in their order. Compressed ones
/// are left out: programs are compiled with `--no-compress`.
[[nodiscard]] std::vector<std::string> ptxIn(const void* wrapper);

}  // namespace warplens::programs
