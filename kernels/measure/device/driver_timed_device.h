#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "kernels/measure/device/event_timer.h"
#include "kernels/measure/device/l2_spoiler.h"
#include "kernels/measure/device/stream_gate.h"
#include "kernels/measure/timing/timed_device.h"

namespace warplens {

/// A kernel launched on the default stream of this thread's context.
class DriverTimedDevice final : public TimedDevice {
  public:
    /// `l2Bytes` of the device; `launch` and the gate of its default stream must outlive this.
    /// Throws CudaError.
    DriverTimedDevice(const std::function<void()>& launch, std::uint64_t l2Bytes, StreamGate& gate)
        : launch_(launch), l2Bytes_(l2Bytes), gate_(gate) {}

    void launch() override { launch_(); }
    void spoilCache() override;
    void wait() override;
    void mark(std::size_t place) override { marks_.at(place).record(); }
    [[nodiscard]] double secondsBetween(std::size_t from, std::size_t to) override {
        return marks_.at(to).secondsSince(marks_.at(from));
    }
    [[nodiscard]] bool hold() override { return gate_.close(); }
    void release() noexcept override { gate_.open(); }

  private:
    const std::function<void()>& launch_;
    std::uint64_t l2Bytes_;
    std::optional<L2Spoiler> spoiler_;  ///< from the first need on
    std::vector<Event> marks_{mostMarks};
    StreamGate& gate_;
};

}  // namespace warplens
