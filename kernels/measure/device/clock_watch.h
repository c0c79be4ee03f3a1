#pragma once

#include <cstdint>

#include "core/measurement/timing.h"

namespace warplens {

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
