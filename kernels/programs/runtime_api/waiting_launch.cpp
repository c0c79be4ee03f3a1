#include "kernels/programs/runtime_api/waiting_launch.h"

#include <utility>

#include "kernels/programs/runtime_api/source_run.h"

namespace warplens::programs {

WaitingLaunch::WaitingLaunch(LaunchReport report, ptx::KernelLaunch what, cuda::Stream in,
                             ptx::Surroundings around)
    : told(std::move(report)), launch(std::move(what)), stream(in), around_(std::move(around)) {
    around_.isStopped = [this] { return secondsNow() > latest_; };
    around_.waitForOthers = [this](bool hasMoved) {
        hasMoved_ = hasMoved;
        yield();
        return !isLast_ || secondsNow() > latest_;
    };
    thread_ = std::thread([this] {
        std::unique_lock lock(mutex_);
        turn_.wait(lock, [this] { return isRunning_; });
        lock.unlock();
        result_ = ptx::run(RuntimeDevice::instance().compiled(), launch, around_);
        isDone_ = hasMoved_ = true;
        lock.lock();
        isRunning_ = false;
        turn_.notify_all();
    });
}

bool WaitingLaunch::resume(double seconds, bool isLast) {
    latest_ = secondsNow() + seconds;
    isLast_ = isLast;
    std::unique_lock lock(mutex_);
    isRunning_ = true;
    turn_.notify_all();
    turn_.wait(lock, [this] { return !isRunning_; });
    return hasMoved_;
}

void WaitingLaunch::yield() {
    std::unique_lock lock(mutex_);
    isRunning_ = false;
    turn_.notify_all();
    turn_.wait(lock, [this] { return isRunning_; });
}

}  // namespace warplens::programs
