#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "app/window/state/command.h"
#include "app/worker/worker_client.h"

namespace warplens::window {

/// Carries out the measurement that the state calls for, with one worker kept warm. Never blocks.
class Measuring final {
  public:
    /// The worker is started by the first measurement, at the place that the state names then;
    /// `worker` says how, but not where.
    Measuring(WorkerClient::Options worker, bool counters);

    /// Starts or cancels as the state says, and returns what the worker said since last time.
    [[nodiscard]] Commands step(const AppState& state);

  private:
    [[nodiscard]] Commands start(const Running& run, bool schedule, const TimingRequest& timing);
    /// The worker of the place that the state names. Another place's is let go on a thread of its
    /// own: a cluster takes a moment to end its job.
    void moveTo(const Places& places);
    void askForDevices(const Places& places);

    WorkerClient::Options worker_;
    bool counters_;
    std::unique_ptr<WorkerClient> client_;
    std::vector<std::jthread> leaving_;
    std::uint64_t asked_ = 0;     ///< the state's question for devices under way
    std::uint64_t question_ = 0;  ///< the client's id of it
    std::string whereabouts_;
    std::uint64_t number_ = 0;   ///< of the state's measurement under way
    std::uint64_t request_ = 0;  ///< the client's id of it
    bool cancelled_ = false;
    bool bannerTold_ = false;  ///< what the worker's connection wrote before it spoke
};

}  // namespace warplens::window
