#pragma once

#include <chrono>

namespace warplens {

/// Queues a kernel of one thread that does nothing for `duration` (at most 10 ms). Work queued
/// meanwhile then runs back to back, however slowly the host submits it. Asynchronous; throws
/// CudaError.
void holdDevice(std::chrono::microseconds duration);

}  // namespace warplens
