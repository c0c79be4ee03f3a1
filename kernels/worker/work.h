#pragma once

#include <memory>

#include "kernels/turns/gpu_lock.h"
#include "kernels/worker/request_loop.h"

namespace warplens {

class WatchedLine;

/// A worker's work: describes and measures on the device that the requests name, one in a process:
/// a request for another than the first throws FreshProcessNeeded. Each has its turn among all
/// processes that measure on the device (kernels/turns). `watched` may be null.
class MeasuringWork final {
  public:
    explicit MeasuringWork(const WatchedLine* watched = nullptr, LockLimits limits = {});

    [[nodiscard]] Answer operator()(const WorkerRequest& request, const ReportProgress& report,
                                    std::stop_token stop) const;

    /// To be called now and then while nothing is asked for: keeps the counters for a moment more,
    /// unless somebody waits for a turn. False once there is nothing to release.
    [[nodiscard]] bool rest() const;

  private:
    struct State;
    std::shared_ptr<State> state_;
};

/// What a child of superviseRequests does: MeasuringWork.
[[nodiscard]] int measureRequests(std::istream& in, std::ostream& out, const WatchedLine& watched);

}  // namespace warplens
