#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "app/window/state/command.h"
#include "app/worker/worker_client.h"

namespace warplens::window {

/// Traces a launch of a person's program with its inputs, for a worker to measure on a device of
/// that compute capability; told to stop, it may return or throw anything. `tell` is told how far
/// it is, 0 .. 1 of the trace. Throws what keeps the launch from being measured.
using ProgramPreparer = std::function<MeasureProgramRequest(
    const ProgramSubject& subject, const std::string& computeCapability, std::stop_token stop,
    const std::function<void(std::string stage, double fraction)>& tell)>;

/// Carries out the measurement that the state calls for, with one worker kept warm, on a thread of
/// its own: inputs of hundreds of megabytes go to the worker without holding up a frame.
class Measuring final {
  public:
    /// The worker is started by the first measurement, at the place that the state names then;
    /// `worker` says how, but not where. `said` is called on the thread when something is to be
    /// taken by `step`.
    Measuring(WorkerClient::Options worker, bool counters, ProgramPreparer preparer = {},
              std::function<void()> said = {});
    /// Ends what is under way, and the worker.
    ~Measuring();

    /// Starts or cancels as the state says, and returns what was said since last time. Never
    /// blocks.
    [[nodiscard]] Commands step(const AppState& state);

  private:
    class Desk;
    std::unique_ptr<Desk> desk_;
    // What the desk was last told.
    std::string command_;
    DeviceChoice device_;
    std::uint64_t asked_ = 0;   ///< the state's question for devices
    std::uint64_t number_ = 0;  ///< of the state's measurement under way
    bool cancelled_ = false;
    std::stop_source stop_;  ///< of that measurement
};

}  // namespace warplens::window
