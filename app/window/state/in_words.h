#pragma once

#include <string>

#include "app/window/state/app_state.h"

/// What stands beside the pictures, in sentences, for people who do not see it.
namespace warplens::window {

/// The page of the opened lesson, but for what its question covers; of the list of lessons their
/// titles. Empty where launches are explored.
[[nodiscard]] std::string lessonInWords(const AppState& state);

/// What was found in the open file, its launches, and what the lines of the chosen one cost. Empty
/// where none is shown.
[[nodiscard]] std::string programInWords(const AppState& state);

}  // namespace warplens::window
