#pragma once

#include <cstddef>

namespace warplens {

/// A CUPTI parameter struct with its size set and everything else zero, as every call wants it.
template <class Params>
[[nodiscard]] Params cuptiParams(std::size_t structSize) {
    Params params{};
    params.structSize = structSize;
    return params;
}

}  // namespace warplens

#define WARPLENS_CUPTI_PARAMS(name) warplens::cuptiParams<name>(name##_STRUCT_SIZE)
