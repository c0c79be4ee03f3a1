#pragma once

#include "app/window/panels/widgets.h"
#include "core/lesson/resolved_lesson.h"

/// The parts of the lesson's panel.
namespace warplens::window {

/// A button as wide as the panel, as high as its words need; `before` stands at its left.
[[nodiscard]] bool wideButton(const UiContext& ui, const char* name, std::string_view before,
                              std::string_view words, bool chosen);

void drawLessonTable(const UiContext& ui, const LessonTable& table);

/// Every number with who says so, and beside it the document's own.
void drawLessonNumbers(const UiContext& ui, const ResolvedLesson& resolved);

}  // namespace warplens::window
