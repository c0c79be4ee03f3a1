#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "kernels/programs/runtime_api/device.h"
#include "kernels/programs/runtime_api/report.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::programs {

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

}  // namespace warplens::programs
