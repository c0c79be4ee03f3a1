#pragma once

#include <linux/filter.h>
#include <vector>

namespace warplens {

/// Which system calls a child may make.
enum class SystemCalls {
    all,
    ofCompiler,  ///< none of those for sockets, namespaces, mounts, keys, tracing, shared memory
                 ///< that belongs to nobody
    ofProgram,   ///< and none that starts a process; threads may be started
};

/// As seccomp(2) takes it; empty for `all`.
[[nodiscard]] std::vector<sock_filter> filterOf(SystemCalls calls);

/// From now on this process and what it starts keeps to the filter. Makes system calls only; false
/// where the system refuses. An empty filter changes nothing.
[[nodiscard]] bool keepTo(const std::vector<sock_filter>& filter);

}  // namespace warplens
