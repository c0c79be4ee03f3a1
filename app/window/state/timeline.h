#pragma once

#include <cstddef>
#include <optional>

#include "app/window/state/app_state.h"

/// The steps of the warp in focus in time, all of them or those to one array.
namespace warplens::window {

/// The steps that can be shown now; a view, valid while the state stays as it is.
class Timeline final {
  public:
    explicit Timeline(const AppState& state);

    [[nodiscard]] std::size_t size() const;
    /// Of the step shown, from 0; 0 where there is none.
    [[nodiscard]] std::size_t position() const { return position_; }
    /// A step's place in the trace.
    [[nodiscard]] std::size_t stepAt(std::size_t position) const;

  private:
    const WarpTrace* trace_;
    const std::vector<std::uint32_t>* only_ = nullptr;  ///< null: all steps
    std::size_t position_ = 0;
};

/// The step shown; null where there is none.
[[nodiscard]] const WarpStep* stepShown(const AppState& state);

/// Shows the step at `position` of the timeline, the last where there are fewer.
void showPosition(AppState& state, std::size_t position);
/// So many steps on, round from the last to the first.
void moveOn(AppState& state, std::int64_t steps);
/// Starts or stops the steps going by; from the last one they start over.
void togglePlay(AppState& state);
/// Lets time pass. Ends with the last step.
void passTime(AppState& state, double seconds);

/// Seconds until playing shows the next step; nullopt while it does not play.
[[nodiscard]] std::optional<double> secondsToNextStep(const AppState& state);

}  // namespace warplens::window
