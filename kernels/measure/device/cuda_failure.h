#pragma once

#include <string>

#include "core/measurement/worker_protocol.h"
#include "kernels/measure/device/driver.h"

namespace warplens {

/// What this machine is called: who reads a worker's words may sit at another one. `this machine`
/// where it has no name.
[[nodiscard]] std::string hostName();

/// What an error of CUDA means for a person, and what can be done about it: `invalid` where the
/// request asks for more than the device has, `impossible` where this machine cannot measure,
/// `failed` where this run failed. Errors without words of their own keep the call that gave
/// them.
[[nodiscard]] Failure failureOf(const CudaError& error);

}  // namespace warplens
