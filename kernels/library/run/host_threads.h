#pragma once

#include <algorithm>
#include <thread>

#include "kernels/trace/runtime/sanitized_fiber.h"

namespace warplens {

/// Threads of the host to trace with: as many as asked for, one for each core for 0; at least 1.
inline unsigned hostThreads(unsigned wanted) {
    if (wanted == 0) wanted = std::max(1U, std::thread::hardware_concurrency());
    return std::min(wanted, mostSanitizedThreads);
}

}  // namespace warplens
