#pragma once

#include <cstdint>
#include <cupti_activity.h>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/measure/counters/cupti_library.h"

namespace warplens {

/// The device's time stamps cannot be had: why. Events then stand in for them.
class StampsUnavailable final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// When one kernel, or one copy, ran by the device's own clock.
struct KernelStamp final {
    std::uint64_t begin = 0;  ///< nanoseconds, of an arbitrary origin
    std::uint64_t end = 0;
    std::string name;  ///< mangled, as compiled

    [[nodiscard]] std::uint64_t nanoseconds() const { return end - begin; }
};

/// The two ways in which CUPTI stamps kernels. Neither is right for all: on an H200, one that fills
/// the device for 2 microseconds is told as 1.82 by the first and as 3.20 by the second, and one of
/// a million blocks, 1057 microseconds long by events, as 1120 by the first, which really slows it
/// down, and as 1057 by the second. Whichever tells the shorter time disturbs less.
enum class StampKind : std::uint8_t {
    concurrent,  ///< adds next to nothing to a run, and slows down kernels of many blocks
    serial,      ///< adds 1 to 1.4 microseconds to a run, and slows down nothing
};

/// Reads from CUPTI's activity records when kernels of this process began and ended. Needs no
/// rights to the counters and works while another process holds them. The records are on only while
/// `stampsOf` runs: nothing else is slower for them, and the counters may be opened afterwards.
/// Reads no struct beyond the members that every CUPTI since 9 lays out alike.
class ActivityRecords final {
  public:
    /// Throws CountersUnavailable where the library cannot be found or is no CUPTI.
    explicit ActivityRecords(const CuptiLibrary& cupti) : cupti_(cupti) {}

    /// The kernels that `work` launches, in the order in which they began. `work` must return only
    /// when the device is done with them. Some 100 us beside the work itself. One call at a time in
    /// a process. Throws StampsUnavailable, or what `work` throws.
    [[nodiscard]] std::vector<KernelStamp> stampsOf(StampKind kind,
                                                    const std::function<void()>& work) const;

    /// The same of the copies of memory that `work` starts; they have no names.
    [[nodiscard]] std::vector<KernelStamp> copyStampsOf(const std::function<void()>& work) const;

  private:
    [[nodiscard]] std::vector<KernelStamp> recordsOf(CUpti_ActivityKind kind,
                                                     const std::function<void()>& work) const;

    const CuptiLibrary& cupti_;
};

}  // namespace warplens
