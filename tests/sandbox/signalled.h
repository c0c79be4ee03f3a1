#pragma once

#include <sys/types.h>
#include <vector>

namespace warplens::tests {

/// Whom this program has tried to signal though it was no child of it that is still to be reaped:
/// -1 would be every process of the user. Such signals are recorded and not sent.
[[nodiscard]] std::vector<pid_t>& signalledOthers();

}  // namespace warplens::tests
