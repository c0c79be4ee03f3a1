#pragma once

#include <memory>
#include <vector>

#include "kernels/trace/runtime/warp.h"

namespace warplens::runtime {

/// A block of the launch: its lanes and warps, from its first thread to its last. They serve one
/// block after another.
class BlockRun final {
  public:
    explicit BlockRun(Extents extents);

    void begin(Index3 block);

    /// Runs until every thread has ended, or waits for the grid. The launch may have failed then.
    void advance();
    [[nodiscard]] bool ended() const;
    /// Threads that wait for the grid go on.
    void passGridBarrier();

  private:
    void passBarrier();

    Index3 block_;
    std::vector<Lane> lanes_;
    std::vector<Warp> warps_;
    std::vector<std::uint8_t> shared_;  ///< its shared memory while other blocks run
    std::uint32_t tag_ = 0;
    bool told_ = false;
};

}  // namespace warplens::runtime
