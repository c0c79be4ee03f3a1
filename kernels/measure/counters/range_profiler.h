#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/program/launch_report.h"
#include "kernels/measure/counters/chip_counters.h"

namespace warplens {

/// What a measurement does about counters that another process has: it tries again, later and
/// later. Who shares the GPU may be in another container or an account that takes no turns.
struct RetryPolicy final {
    std::chrono::milliseconds longest{3'000};
    /// Told how it ended: whether they were still busy.
    std::function<void(bool busy)> note{};
    /// Who is known to keep the GPU and may have them: added to the reason.
    std::string suspects{};
};

/// Calls `attempt` until it no longer throws CountersBusy, for as long as the policy says, then
/// throws that. `waits` is called before each wait with its length and returns after it; it may
/// throw.
void withRetry(const RetryPolicy& patience, const std::function<void()>& attempt,
               const std::function<void(std::chrono::milliseconds)>& waits);

/// What the hardware counted for one kernel.
struct CounterReadings final {
    /// One value for each repeat; a counter this GPU lacks, or whose unit is not available to this
    /// process (CUPTI gives NaN), is absent.
    std::map<Counter, std::vector<double>> values;
    int passes = 0;
    int repeats = 0;
};

/// Reads hardware counters of kernels launched on the current context, through CUPTI's Range
/// Profiler. Made once for a device: the first costs some 650 ms, a reading some tens of ms. No
/// other process can read them between `acquire` and `release`.
class RangeProfiler final {
  public:
    /// Asks for the rights at once. Throws CountersUnavailable with the reason and the remedy.
    RangeProfiler();
    RangeProfiler(RangeProfiler&&) = delete;
    ~RangeProfiler();

    [[nodiscard]] const std::string& chip() const { return chip_->chip(); }

    /// May have the counters from now on: the first reading acquires them. Throws
    /// CountersUnavailable.
    void acquire();
    void release();
    [[nodiscard]] bool isAcquired() const { return profiler_ != nullptr; }

    /// Launches the kernel `repeats` times in each pass, every launch a range of its own. The
    /// kernel must do the same each time. What `before` queues, where there is one, runs before
    /// each launch and is not counted. The counters are to be acquired. Throws CountersBusy where
    /// another process has them, CountersUnavailable, or what `launch` throws.
    [[nodiscard]] CounterReadings read(const std::function<void()>& launch, int repeats,
                                       const std::function<void()>& before = {});

  private:
    /// Of the image that takes so many ranges. CUPTI takes 2 to 3 ms to tell.
    [[nodiscard]] std::size_t imageBytes(std::size_t ranges);
    void replay(const std::function<void()>& launch, int repeats,
                const std::function<void()>& before);

    const CuptiLibrary& cupti_;
    CUcontext context_ = nullptr;
    std::unique_ptr<ChipCounters> chip_;
    CUpti_RangeProfiler_Object* profiler_ = nullptr;
    std::vector<std::uint8_t> image_;
    std::map<std::size_t, std::size_t> imageBytes_;  ///< by ranges
};

/// The readings as values with Source::counted: one for every quantity that counters can give, each
/// a number (the median of the repeats) or the reason it is missing. `medianSeconds` is the time
/// the bandwidths are over. Whether lanes of a request share bytes the counters cannot see.
/// Appends a note for every counter whose repeats disagreed.
[[nodiscard]] std::vector<Value> countedValues(const CounterReadings& readings,
                                               double medianSeconds, bool lanesShareBytes,
                                               bool mergedSharedLoads,
                                               std::vector<std::string>& notes);

/// Whether lanes of a request share bytes anywhere in the launch.
[[nodiscard]] bool haveSharedBytes(const std::vector<ProgramLine>& lines);

/// The same list with every value missing for one reason.
[[nodiscard]] std::vector<Value> countedValuesMissing(const std::string& reason);

}  // namespace warplens
