#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/window/state/command.h"
#include "app/worker/worker_client.h"

namespace warplens::window {

/// Carries out the measurement that the state calls for, with one worker kept warm. Never blocks.
class Measuring final {
  public:
    /// The worker is started by the first measurement.
    Measuring(WorkerClient::Options worker, bool counters);

    /// Starts or cancels as the state says, and returns what the worker said since last time.
    [[nodiscard]] Commands step(const AppState& state);

  private:
    [[nodiscard]] Commands start(const Running& run, bool schedule, const TimingRequest& timing);

    WorkerClient::Options worker_;
    bool counters_;
    std::optional<WorkerClient> client_;
    std::uint64_t number_ = 0;   ///< of the state's measurement under way
    std::uint64_t request_ = 0;  ///< the client's id of it
    bool cancelled_ = false;
    bool bannerTold_ = false;  ///< what the worker's connection wrote before it spoke
};

}  // namespace warplens::window
