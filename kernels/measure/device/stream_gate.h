#pragma once

#include <cstdint>

#include "kernels/measure/device/driver.h"

namespace warplens {

/// Keeps the default stream from going on until the host says so: what is queued behind a closed
/// gate starts only when all of it is queued, however slow the host is. The device waits for a word
/// in the host's memory (cuStreamWaitValue32), so that no kernel spins and no time is guessed.
class StreamGate final {
  public:
    StreamGate();  ///< Some 2 ms with its end: to be kept. Throws CudaError.
    StreamGate(const StreamGate&) = delete;
    StreamGate& operator=(const StreamGate&) = delete;
    ~StreamGate();  ///< Opens it.

    /// Queues the wait. False, and nothing queued, where the driver does not wait for values.
    [[nodiscard]] bool close();
    void open() noexcept;

  private:
    std::uint32_t* word_ = nullptr;  ///< in host memory that the device reads
    CUdeviceptr wordOnDevice_ = 0;
    std::uint32_t closed_ = 0;  ///< how often; the word's value that opens the last one
    bool waits_ = true;         ///< until the driver has refused to
};

}  // namespace warplens
