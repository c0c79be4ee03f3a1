#pragma once

#include <cstdint>
#include <vector>

#include "core/scenario/scenario.h"
#include "core/trace/warp_observer.h"
#include "kernels/ptx/run/program.h"

namespace warplens::library {

/// One array in a block's shared memory.
struct SharedArray final {
    trace::SharedPlace place;
    std::uint64_t bytes = 0;
    bool isStatic = false;
    std::uint64_t address = 0;  ///< of its first byte, in the machine's window
    std::uint64_t from = 0;     ///< of a part: where it begins in dynamic memory
};

/// The shared memory of a block: static arrays in the order of their declaration, then the launch's
/// dynamic memory, of which a part ends where the next begins.
struct SharedLayout final {
    std::vector<SharedArray> arrays;  ///< in the kernel's order
    std::uint32_t staticBytes = 0;
};

/// Of the experiment's kernel, whose arrays lie in the machine as `there`; null where that is not
/// known: then declared arrays have no end.
[[nodiscard]] SharedLayout sharedLayoutOf(const Experiment& experiment,
                                          const ptx::SharedLayout* there);
[[nodiscard]] SharedLayout sharedLayoutOf(const Experiment& experiment);

}  // namespace warplens::library
