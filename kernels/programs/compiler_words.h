#pragma once

#include <string>

namespace warplens::programs {

/// nvcc's words with places as other compilers write them: `my.cu:3: error` in place of
/// `my.cu(3): error`, and `__global__` and its like as they are written. What only counts the
/// errors, or follows from another, is left out.
[[nodiscard]] std::string withPlaces(const std::string& words);

}  // namespace warplens::programs
