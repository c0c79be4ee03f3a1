#pragma once

#include <array>
#include <memory>
#include <optional>

#include "app/window/state/app_state.h"

/// The steps of the chosen block of a person's own launch.
namespace warplens::window {

/// The block whose steps are to be there; nothing where no own launch is shown that was traced.
[[nodiscard]] std::optional<StepsPlace> wantedSteps(const AppState& state);
/// They, or why there are none; null while they are traced.
[[nodiscard]] const ProgramSteps* shownSteps(const AppState& state);
/// What the steps shown speak of, of whatever launch.
[[nodiscard]] StepSubjects shownSubjects(const AppState& state);

/// Takes over what was traced, unless something else is wanted by now.
void takeSteps(AppState& state, std::shared_ptr<const ProgramSteps> steps);
/// Shows a step on the chosen line: the next one of the warp in focus, round to its first, or where
/// that never comes to the line, of the first warp that does. The default step where none does.
void showStepOfLine(AppState& state);
/// Another warp is shown at the chosen line, too, where it comes to it.
void keepLine(AppState& state);
/// The line of the step that was chosen is the one that is spoken of.
void followStep(AppState& state);

/// The own launch that is shown; nothing where none is.
[[nodiscard]] std::optional<ShownLaunch> shownLaunch(const AppState& state);
/// The launch pinned as A, unless it is the one that is shown.
[[nodiscard]] std::optional<ShownLaunch> launchHeldAgainst(const AppState& state);

/// Of each warp of the block the lanes that are active in the step shown, or where they come to its
/// line. Nothing where no own launch is shown, or no step.
[[nodiscard]] std::optional<std::array<std::uint32_t, 32>> lanesAtStep(const AppState& state);

}  // namespace warplens::window
