#pragma once

#include "core/measurement/worker_protocol.h"
#include "kernels/measure/device/cuda_error.h"

namespace warplens {

/// What an error of CUDA means for a person, and what can be done about it: `invalid` where the
/// request asks for more than the device has, `impossible` where this machine cannot measure,
/// `failed` where this run failed. Errors without words of their own keep the call that gave
/// them.
[[nodiscard]] Failure failureOf(const CudaError& error);

}  // namespace warplens
