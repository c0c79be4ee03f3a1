#pragma once

#include <string>
#include <string_view>

#include "app/window/state/app_state.h"

/// A scene: what is shown, as one line of text to paste or to keep in a file.
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

}  // namespace warplens::window
