#pragma once

#include <stdexcept>

#include "core/measurement/measurement.h"
#include "kernels/measure/bound_kernel.h"

namespace warplens {

/// The kernel's output is not what the host computes; names the element and both values.
class WrongResult final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Compares the output array with what the same text gives on the host (kernels/library): every
/// element where that takes some ten milliseconds, otherwise what as many warps write, spread
/// evenly over the grid. Elements that no thread of the launch reaches must still hold what
/// poisonOutputs left. Throws WrongResult, TraceFault or CudaError.
[[nodiscard]] ResultCheck checkResult(const BoundKernel& bound);

}  // namespace warplens
