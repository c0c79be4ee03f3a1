#pragma once

#include <string>
#include <string_view>

#include "app/window/state/app_state.h"

/// What a ViewChange does to the state (apply.h), and a scene: what is shown, as one line of text
/// to paste or to keep in a file.
namespace warplens::window {

/// Bytes of a scene that are read.
inline constexpr std::size_t longestScene = 64 << 10;

/// JSON in one line: the launch, the view with what is chosen in it, the pins, the lesson, or the
/// path of a person's own file.
[[nodiscard]] std::string sceneOf(const AppState& state);

/// The launch that a scene shows. Throws MalformedJson.
[[nodiscard]] Experiment experimentOfScene(std::string_view text);

/// Shows it; what is no scene becomes a message. A person's own file is not run before one is
/// asked.
void openScene(AppState& state, std::string_view text);

/// The numbers of the open tab as a table: values, or the points of the sweep; of a person's own
/// file what its lines ask for.
[[nodiscard]] std::string tableOf(const AppState& state, bool csv);

/// Shows what the change names, as far as the launch has it: a block, a warp or an array that it
/// has not gives way to the nearest, to none or to all. A launch whose scenario or sizes are not
/// known, or whose arrays begin beyond mostArrayOffset, stays as it was.
void takeView(AppState& state, ViewChange change);

/// What goes back to the launch of `before` and what was chosen in it.
[[nodiscard]] ViewChange launchOf(const View& before);

/// Whether the change would show what a lesson's open question asks for.
[[nodiscard]] bool tells(const ViewChange& change);

void setMode(AppState& state, Mode mode);

/// The map shows the open file's chosen launch: every launch cuts its blocks into warps by the same
/// rule.
void showProgramLaunch(AppState& state);

/// Whether the model of an SM stands where recorded time would: nothing was recorded, or it is
/// asked for.
[[nodiscard]] bool showsModel(const AppState& state);

}  // namespace warplens::window
