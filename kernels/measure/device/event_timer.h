#pragma once

#include <cuda_runtime_api.h>

#include "kernels/measure/device/cuda_error.h"

namespace warplens {

/// Owns one CUDA event with timing.
class Event final {
  public:
    Event() { check(cudaEventCreate(&event_), "cudaEventCreate"); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event() { cudaEventDestroy(event_); }
    void record() { check(cudaEventRecord(event_), "cudaEventRecord"); }
    void wait() const { check(cudaEventSynchronize(event_), "cudaEventSynchronize"); }
    /// Seconds of device time from `begin` to this event; both must have completed. Resolution:
    /// about half a microsecond (CUDA Runtime API, cudaEventElapsedTime).
    [[nodiscard]] double secondsSince(const Event& begin) const {
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "cudaEventElapsedTime");
        return milliseconds * 1e-3;
    }

  private:
    cudaEvent_t event_ = nullptr;
};

}  // namespace warplens
