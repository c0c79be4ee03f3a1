#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/cuda_tokens.h"

namespace warplens::source {

/// One parameter of a kernel as written.
struct KernelParameter final {
    std::string type;  ///< `const float*`, without the name
    std::string name;  ///< empty where it has none
    bool isPack = false;
};

/// A __global__ function with a body.
struct KernelSource final {
    std::string name;
    TextPlace place;                                ///< of the name
    std::optional<std::string> templateParameters;  ///< `int N`; of no template: none
    std::vector<KernelParameter> parameters;
    std::size_t bodyBegin = 0;  ///< one past its {
    std::size_t bodyEnd = 0;
};

/// `unsigned int*` of `const unsigned int* __restrict__`: without what does not change its size.
[[nodiscard]] std::string unqualified(std::string_view type);

/// In the order of the text, which is a masked one.
[[nodiscard]] std::vector<KernelSource> kernelsIn(std::string_view masked);

/// Functions of the host, told in the same way, that launch kernels, or call others that do, and
/// that none of the text calls.
[[nodiscard]] std::vector<KernelSource> launchersIn(std::string_view masked);

}  // namespace warplens::source
