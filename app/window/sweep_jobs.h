#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "app/window/jobs.h"

namespace warplens::window {

/// Reads the sweeps that travel with the program.
[[nodiscard]] SweepsRead readSweeps();

/// Where the sweep of a session is kept, beside its settings; empty where these are kept nowhere.
[[nodiscard]] std::filesystem::path sweepFileBeside(const std::filesystem::path& settingsFile);

/// What a window does about sweeps beside drawing them, on threads of its own: reads what there is,
/// the sweeps that travel with the program once their tab is open, predicts point after point, and
/// writes the sweep under way into its file after every point.
class SweepJobs final {
  public:
    /// `finished` is called on a job's thread when a command waits to be taken.
    SweepJobs(std::filesystem::path file, const std::function<void()>& finished);

    /// Commands that are ready; begins what the state asks for next.
    [[nodiscard]] Commands step(const AppState& state);
    [[nodiscard]] bool busy() const {
        return reading_.busy() || readingSweeps_.busy() || predicting_.busy();
    }

  private:
    using Snapshot = std::shared_ptr<const Sweep>;
    void keep(const AppState& state);

    NewestJob<std::filesystem::path> reading_;
    NewestJob<std::filesystem::path> readingSweeps_;
    NewestJob<Experiment> predicting_;
    NewestJob<Snapshot> writing_;
    std::filesystem::path file_;
    std::optional<SweepPlan> kept_;  ///< the sweep that was measured last
    std::size_t written_ = 0;        ///< points of it that the file has
};

}  // namespace warplens::window
