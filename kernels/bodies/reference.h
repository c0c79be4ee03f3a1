#pragma once

#include <cstdint>

#include "core/scenario/scenario.h"

namespace warplens {

/// What a kernel must compute, written down a second time and independently of its body.
struct Reference final {
    double value = 0;
    /// Largest deviation allowed, relative to the value; 0 where the arithmetic is exact or in the
    /// same order as the kernel's.
    double tolerance = 0;
};

/// Value that `element` of the output array must hold; of an array of float4, its float number
/// `element`. Cost: `referenceCost` steps.
[[nodiscard]] Reference referenceOf(const Kernel& kernel, const Experiment& experiment,
                                    std::uint64_t element);

/// Arithmetic steps for one element, to decide how many elements to check.
[[nodiscard]] std::uint64_t referenceCost(const Kernel& kernel, const Experiment& experiment);

}  // namespace warplens
