#pragma once

#include <optional>

#include "core/scenario/scenario.h"

namespace warplens::tests {

/// What a kernel must compute, written down a second time and independently of its file.
struct Reference final {
    double value = 0;
    /// Largest deviation allowed, relative to the value; 0 where the arithmetic is exact or in the
    /// same order as the kernel's.
    double tolerance = 0;
};

/// Value that `element` of the output array must hold; of an array of float4, its float number
/// `element`. Nothing for a kernel that is not told here.
[[nodiscard]] std::optional<Reference> referenceOf(const Kernel& kernel,
                                                   const Experiment& experiment,
                                                   std::uint64_t element);

}  // namespace warplens::tests
