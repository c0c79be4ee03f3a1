#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

#include "app/window/state/app_state.h"

/// The steps of the warp in focus in time, all of them or those to one array; and those of the
/// chosen block of a person's own launch.
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
/// So many steps on, round from the last to the first; presented, it says that there are no more.
void moveOn(AppState& state, std::int64_t steps);
/// Starts or stops the steps going by; from the last one they start over.
void togglePlay(AppState& state);
/// Lets time pass. Ends with the last step.
void passTime(AppState& state, double seconds);

/// Seconds until playing shows the next step; nullopt while it does not play.
[[nodiscard]] std::optional<double> secondsToNextStep(const AppState& state);

/// The block whose steps are to be there; nothing where no own launch is shown that was traced.
[[nodiscard]] std::optional<StepsPlace> wantedSteps(const AppState& state);
/// They, or why there are none; null while they are traced.
[[nodiscard]] const ProgramSteps* shownSteps(const AppState& state);
/// What the steps shown speak of, of whatever launch.
[[nodiscard]] StepSubjects shownSubjects(const AppState& state);

/// Takes over what was traced, unless something else is wanted by now. Where the block never comes
/// to the chosen line and nobody chose it, another is: the one in the middle, the last, the second.
/// The same where all that is to be told of the line is that warps diverge, and none of the block
/// does.
void takeSteps(AppState& state, std::shared_ptr<const ProgramSteps> steps);
/// The block of what is wrong at the chosen line, where no other than the first was chosen.
void showFoundBlock(AppState& state);
/// Of the block that is shown, the warps that diverge at a branch of the chosen line.
[[nodiscard]] std::vector<std::uint32_t> divergingWarps(const AppState& state);
/// After a launch was chosen: a step on its line, or where it has none, the line of a step.
void showLine(AppState& state);
/// Shows a step on the chosen line: the next one of the warp in focus, round to its first, or where
/// that never comes to the line, of the first warp that does. Of another line than before, of the
/// warp that is wrong or diverges there. The default step where none does.
void showStepOfLine(AppState& state);
/// Another warp is shown at the chosen line, too, where it comes to it.
void keepLine(AppState& state);
/// The line of the step that was chosen is the one that is spoken of.
void followStep(AppState& state);

/// The chosen line of the open file where no warp of the block comes to it, and no step was chosen
/// in its place; 0 where there is none.
[[nodiscard]] std::uint32_t lineWithoutStep(const AppState& state);

/// The own launch that is shown; nothing where none is.
[[nodiscard]] std::optional<ShownLaunch> shownLaunch(const AppState& state);
/// The launch pinned as A, unless it is the one that is shown.
[[nodiscard]] std::optional<ShownLaunch> launchHeldAgainst(const AppState& state);

/// Of each warp of the block the lanes that are active in the step shown: of the others when they
/// come to it for as many times. Nothing where no own launch is shown, or no step.
[[nodiscard]] std::optional<std::array<std::uint32_t, 32>> lanesAtStep(const AppState& state);

}  // namespace warplens::window
