#pragma once

#include <cstddef>

namespace warplens {

/// What timing asks of a device: one kernel, launched on one stream, in order. No CUDA in it, so
/// that the rules of timing can be judged without a GPU. Every member but `release` may throw what
/// the device's calls throw.
class TimedDevice {
  public:
    TimedDevice() = default;
    TimedDevice(const TimedDevice&) = delete;
    TimedDevice& operator=(const TimedDevice&) = delete;
    virtual ~TimedDevice() = default;

    /// Queues one run of the kernel, which must be the only kernel that it launches.
    virtual void launch() = 0;
    /// Queues what fills the L2 with other data. Launches no kernel of the timed one's name.
    virtual void spoilCache() = 0;
    /// Waits until everything queued is done.
    virtual void wait() = 0;

    /// Queues an event; `place` below `mostMarks`.
    virtual void mark(std::size_t place) = 0;
    /// Device time between two marks that were passed, seconds.
    [[nodiscard]] virtual double secondsBetween(std::size_t from, std::size_t to) = 0;
    static constexpr std::size_t mostMarks = 64;

    /// Keeps what is queued from now on from starting before `release`; `wait` would not return.
    /// At most some hundred launches may be queued meanwhile. False where the device cannot.
    [[nodiscard]] virtual bool hold() = 0;
    virtual void release() noexcept = 0;
};

/// Holds the device while it lives.
class HeldDevice final {
  public:
    explicit HeldDevice(TimedDevice& device) : device_(device), held_(device.hold()) {}
    HeldDevice(const HeldDevice&) = delete;
    HeldDevice& operator=(const HeldDevice&) = delete;
    ~HeldDevice() {
        if (held_) device_.release();
    }
    [[nodiscard]] bool held() const { return held_; }

  private:
    TimedDevice& device_;
    bool held_;
};

}  // namespace warplens
