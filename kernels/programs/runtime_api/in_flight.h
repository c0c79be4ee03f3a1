#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/ptx/run/memory.h"

/// Managed and pinned memory that the device may still write, as far as the program has waited for
/// it. Here all is done when a call returns; so between CUDA's calls the host cannot reach such
/// memory, and where it tries that is told once, and it goes on.
namespace warplens::programs {

/// What the call that is under way has begun, and does not wait for, writes the array.
void beginWriting(const ptx::Allocation& array, const std::string& by);
/// The call that is under way waits for nothing; others are taken to wait for all.
void waitForNothing();

/// A call of CUDA's begins, all memory within reach; it ends.
void enterCall();
void leaveCall();
[[nodiscard]] bool isInCall();

/// Whether an address that the host could not reach is of such memory: it can be now.
[[nodiscard]] bool tellEarlyAccess(std::uint64_t address, bool writes,
                                   const std::vector<std::uint64_t>& callers);

}  // namespace warplens::programs
