#pragma once

#include "kernels/measure/device/driver.h"

namespace warplens {

/// Owns one CUDA event with timing, on the default stream.
class Event final {
  public:
    Event() { check(Driver::open().eventCreate(&event_, CU_EVENT_DEFAULT), "cuEventCreate"); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event() { Driver::open().eventDestroy(event_); }
    void record() { check(Driver::open().eventRecord(event_, nullptr), "cuEventRecord"); }
    void wait() const { check(Driver::open().eventSynchronize(event_), "cuEventSynchronize"); }
    /// Seconds of device time from `begin` to this event; both must have completed. Resolution:
    /// about half a microsecond (CUDA Driver API, cuEventElapsedTime).
    [[nodiscard]] double secondsSince(const Event& begin) const {
        float milliseconds = 0;
        check(Driver::open().eventElapsedTime(&milliseconds, begin.event_, event_),
              "cuEventElapsedTime");
        return milliseconds * 1e-3;
    }

  private:
    CUevent event_ = nullptr;
};

}  // namespace warplens
