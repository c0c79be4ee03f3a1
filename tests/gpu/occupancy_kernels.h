#pragma once

#include <span>

#include "kernels/measure/device/driver.h"

namespace warplens {

/// Kernels that differ only in how many registers and how much static shared memory they take, from
/// few to as many as a thread can have; the compiler has the last word on how many.
[[nodiscard]] std::span<const CUfunction> kernelsOfManySizes();

}  // namespace warplens
