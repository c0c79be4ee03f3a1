#pragma once

#include <cstdint>

#include "kernels/measure/device/device_buffer.h"

namespace warplens {

/// Fills the L2 with other data. Reads a buffer of its own rather than writing it: lines that were
/// written would have to go to memory in the time of whoever comes next.
class L2Spoiler final {
  public:
    /// Throws CudaError, and what deviceKernel does.
    explicit L2Spoiler(std::uint64_t l2Bytes);

    /// Queues the reading on the default stream. Throws CudaError.
    void spoil();

    /// What is read for an L2 of that size: twice as much.
    [[nodiscard]] static constexpr std::uint64_t bytesFor(std::uint64_t l2Bytes) {
        return 2 * l2Bytes;
    }

  private:
    DeviceBuffer data_;
    CUfunction kernel_;
};

}  // namespace warplens
