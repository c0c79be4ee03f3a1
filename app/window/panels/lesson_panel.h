#pragma once

#include <string>

#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// Which lesson the drawer stands at: another one begins at its top.
struct LessonScroll final {
    std::string id;
};

/// The list of lessons, or the one that is opened: what to look at, its question, its steps, its
/// numbers and what to conclude.
[[nodiscard]] Commands drawLessonPanel(const Pen& pen, const AppState& state, LessonScroll& scroll);

}  // namespace warplens::window
