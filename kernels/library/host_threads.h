#pragma once

#include <algorithm>
#include <thread>

namespace warplens {

/// Threads of the host to trace with: as many as asked for, one for each core for 0; at least 1.
inline unsigned hostThreads(unsigned wanted) {
    // Asking the system takes as long as tracing a small block.
    static const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    return wanted == 0 ? cores : wanted;
}

}  // namespace warplens
