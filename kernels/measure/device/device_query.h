#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/measurement/measurement.h"
#include "core/measurement/timing.h"
#include "core/measurement/worker_protocol.h"
#include "kernels/measure/device/driver.h"

namespace warplens {

/// The devices that CUDA shows this process, by their numbers. Makes no context. Throws NoDevice.
[[nodiscard]] std::vector<DeviceName> allDevices();

/// The number of the device that is meant. Throws InvalidRequest with what there is to choose from.
[[nodiscard]] int deviceNumber(const DeviceChoice& choice, std::span<const DeviceName> devices);

/// The device of this thread's context. Throws CudaError.
[[nodiscard]] CUdevice currentDevice();
[[nodiscard]] int attributeOf(CUdevice device, CUdevice_attribute attribute);
/// Of this thread's device, 90 for 9.0. Throws CudaError.
[[nodiscard]] int computeCapabilityNumber();

/// The device of this number as the driver describes it: everything but chip and copy rate. From
/// now on it is this thread's, with its primary context. Throws NoDevice, CompilerUnavailable where
/// there is no NVRTC, CudaError.
[[nodiscard]] Device queryDevice(int number = 0);

/// Copies within the device's memory, a buffer of four times the L2, at least 256 MiB: fills the
/// copy rate members. About 20 ms. Throws CudaError.
void measureCopyRate(Device& device);

/// Sets `fp32Rate` and `fp32RateRuns`. Cost: a few milliseconds. Throws CudaError.
void measureFp32Rate(Device& device);

/// The place of this thread's device on the bus, `0000:17:00.0`, by which NVML knows it. Throws
/// CudaError.
[[nodiscard]] std::string pciBusId();

/// Reads the device's clocks while something runs, and what set them. Changes nothing. Through NVML
/// (NVIDIA Management Library), which belongs to the driver and is opened, not linked.
class ClockWatch final {
  public:
    /// `pciBusId` as CUDA tells it, `0000:17:00.0`. The first of a device takes some ms, the others
    /// the better part of one.
    explicit ClockWatch(const char* pciBusId);

    /// Reads the clocks now: some 20 us.
    void look();

    /// Sets the timing's `clockState` and `clocks` to what was seen since this was made.
    void tell(Timing& timing) const;

    /// What one look found; clocks in MHz, 0 where the driver does not tell.
    struct Seen final {
        unsigned smLowest = 0;
        unsigned smHighest = 0;
        unsigned smMost = 0;  ///< what the device can
        unsigned memory = 0;
        bool applicationClocksSet = false;  ///< to others than the device's own
        std::uint64_t reasons = 0;          ///< nvmlClocksEventReasons, all that were seen
        friend bool operator==(const Seen&, const Seen&) = default;
    };

  private:
    void* device_ = nullptr;  ///< NVML's handle, null where it cannot be reached
    Seen seen_{};
};

/// What held the clock, from what was seen of it.
[[nodiscard]] ClockState clockStateOf(const ClockWatch::Seen& seen);
/// `SM 1980 MHz while timed, of at most 1980; memory 3201 MHz; free, nothing held it back`.
[[nodiscard]] std::string inWords(const ClockWatch::Seen& seen);

}  // namespace warplens
