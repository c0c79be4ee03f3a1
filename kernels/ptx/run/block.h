#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/ptx/run/warp.h"

namespace warplens::ptx {

class Worker;

/// One of a block's 16 barriers.
struct Barrier final {
    std::uint32_t arrived = 0;   ///< threads, those included that can no longer come
    std::uint32_t expected = 0;  ///< threads; 0: all of the block that have not ended
    std::uint32_t holding = 0;   ///< threads for which a reduction's predicate held
    std::uint32_t without = 0;   ///< and those for which it did not
};

/// A block while it runs.
struct BlockRun final {
    Worker* worker = nullptr;
    Index3 index;
    std::uint64_t rank = 0;  ///< of the block in its grid, x first
    std::vector<Warp> warps;
    std::vector<CacheLine> shared;
    std::vector<CacheLine> values;  ///< the block's bank
    std::array<Barrier, 16> barriers{};
    std::uint32_t threads = 0;  ///< that have not ended
    std::uint32_t phase = 0;    ///< barriers of all threads that were passed
    std::uint64_t clock = 0;

    /// A time stamp: later than the one before.
    std::uint64_t tick() { return clock += 40; }
};

}  // namespace warplens::ptx
