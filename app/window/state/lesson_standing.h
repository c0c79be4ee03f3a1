#pragma once

#include <string>
#include <vector>

#include "app/window/state/lesson_view.h"
#include "core/text/format.h"

namespace warplens::window {

/// How far somebody has come in one lesson.
struct LessonStanding final {
    std::string lesson;
    std::string title;
    std::string answered;     ///< as Answered names it; `not begun`
    std::uint32_t tries = 0;  ///< wrong answers, and the right one
    std::uint32_t hints = 0;
    bool goal = false;
    bool exercise = false;
    std::uint32_t page = 0;
    std::uint32_t pages = 0;
};

/// In all lessons, or those of the opened course alone, in the order of the list.
[[nodiscard]] std::vector<LessonStanding> standingsOf(const LessonsProgress& progress,
                                                      bool ofCourse);

/// The table that is handed in, its head first, `name` in each row.
[[nodiscard]] TextRows rowsOf(const std::string& name, const std::vector<LessonStanding>& lessons);

}  // namespace warplens::window
