#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "kernels/programs/runtime_api/device.h"
#include "kernels/programs/runtime_api/report.h"
#include "kernels/programs/runtime_api/source_run.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::programs {

/// The time that the program's launches may take, all together: the host's own work needs the rest.
class LaunchBudget final {
  public:
    /// None is left where it is used up; kernels that were not run yet get a little even then.
    [[nodiscard]] double left() const {
        const double all = options().secondsOfAll;
        return std::min(all * 0.55 - spent_, all * 0.85 - (secondsNow() - begin));
    }
    /// Of running a launch as it was compiled. Once one was cut short nothing that follows is what
    /// a device would give, and launches like one before are left out.
    [[nodiscard]] double ofLaunch() const { return std::max(0.2, left() * (wasCut_ ? 0.1 : 0.5)); }
    /// Of running it as it is written: what is left of a share, and a little for a kernel that was
    /// not seen before.
    [[nodiscard]] double ofSource(bool isNew) const {
        const double most = options().secondsPerLaunch;
        const double share = std::min(options().secondsOfAll * 0.3 - spentOnSource_, left());
        if (share > 0) return std::min(most, std::max(0.05, share * 0.25));
        return isNew ? std::min(most, 0.3) : 0;
    }
    void spend(double seconds) { spent_ += seconds; }
    void spendOnSource(double seconds) { spentOnSource_ += seconds; }
    void cut() {
        wasCut_ = true;
        doubtFindings();
    }
    [[nodiscard]] bool wasCut() const { return wasCut_; }

  private:
    inline static const double begin = secondsNow();  // of the program
    double spent_ = 0;
    double spentOnSource_ = 0;
    bool wasCut_ = false;
};

/// A launch by all that it depends on but memory, and whether it would do anything if it came
/// again.
class SeenLaunch final {
  public:
    std::uint32_t times = 0;
    LaunchReport told;  ///< of one that changes nothing

    /// Of the launch that is done; `hasEffect` where it changed memory or printed.
    void learn(const LaunchReport& report, const ptx::LaunchResult& result, bool hasEffect);
    /// Whether it would leave the memory that there is now as it is. Cost: one pass over the arrays
    /// that it uses and the host may write without a call.
    [[nodiscard]] bool changesNothing() const;

  private:
    bool changesNothing_ = false;     ///< of the memory that there was
    std::uint64_t changes_ = 0;       ///< RuntimeDevice::changes then
    std::set<std::uint32_t> shared_;  ///< arrays that it uses and the host may write
    std::uint64_t digest_ = 0;        ///< of these
};

/// The same for launches that differ only in which arrays of the same size they are given.
[[nodiscard]] std::string likeOf(const ptx::KernelLaunch& launch, const ptx::Memory& memory);

/// Whether an array that was written since has other bytes now, or there are others.
[[nodiscard]] bool hasChanged(const ptx::Memory& memory, const ptx::Memory::Snapshot& before);

/// A launch whose blocks all wait for what the host or another launch writes. It runs in a thread
/// of its own, but only while somebody who has locked the device waits for it in `resume`.
class WaitingLaunch final {
  public:
    WaitingLaunch(LaunchReport report, ptx::KernelLaunch what, cuda::Stream in,
                  ptx::Surroundings around);
    WaitingLaunch(const WaitingLaunch&) = delete;
    WaitingLaunch& operator=(const WaitingLaunch&) = delete;
    /// Of one that is done.
    ~WaitingLaunch() { thread_.join(); }

    /// Until all its blocks wait again or it has ended, of which it must where it `isLast`. Whether
    /// it did anything.
    bool resume(double seconds, bool isLast = false);
    [[nodiscard]] bool isDone() const { return isDone_; }
    [[nodiscard]] const ptx::LaunchResult& result() const { return result_; }
    [[nodiscard]] unsigned workspace() const { return around_.gridWorkspace; }

    LaunchReport told;
    const ptx::KernelLaunch launch;
    const cuda::Stream stream;
    const std::vector<std::uint64_t> calledFrom = callers();

  private:
    void yield();

    ptx::Surroundings around_;
    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable turn_;
    bool isRunning_ = false;
    bool isLast_ = false;
    bool isDone_ = false;
    bool hasMoved_ = false;
    double latest_ = 0;
    ptx::LaunchResult result_;
};

/// All that a launch reads, kept from before it until what came of it is there: what it needs to be
/// run elsewhere. Cost: a copy of the device's memory.
class KeptInputs final {
  public:
    /// Nothing is kept, and a note says so, where the launch `index` would have more than
    /// mostLaunchInputBytes.
    KeptInputs(RuntimeDevice& device, std::uint32_t index);
    /// Sends them with what arrays hold now. `instance` is the kernel's name expression,
    /// `parameters` are the names of its parameters.
    void send(const ptx::KernelLaunch& launch, const std::string& instance,
              const std::vector<std::string>& parameters) const;

  private:
    RuntimeDevice& device_;
    std::uint32_t index_;
    bool areKept_ = false;
    ptx::Memory::Snapshot before_;
};

}  // namespace warplens::programs
