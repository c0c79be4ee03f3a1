#pragma once

#include <memory>

#include "kernels/turns/turn_queue.h"
#include "kernels/worker/request_loop.h"

namespace warplens {

class Watchdog;

/// A worker's work: describes and measures on the device that the requests name, one in a process:
/// a request for another than the first throws RenewalNeeded. Each has its turn among all processes
/// that measure on the device (kernels/turns). `watchdog` may be null.
class MeasuringWork final {
  public:
    explicit MeasuringWork(Watchdog* watchdog = nullptr, TurnLimits limits = {});

    [[nodiscard]] Answer operator()(const WorkerRequest& request, const ReportProgress& report,
                                    std::stop_token stop) const;

    /// To be called now and then while nothing is asked for: keeps the counters for a moment more,
    /// unless somebody waits for a turn. False once there is nothing to let go of.
    [[nodiscard]] bool rest() const;

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace warplens
