#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/lesson.h"

namespace warplens {

/// Lessons by group and place, and what went wrong while they were read, one message for each file
/// refused.
struct LessonLibrary final {
    std::vector<Lesson> lessons;
    std::vector<std::string> problems;
};

/// The lessons of assets/lessons, and of the opened course as they were read last. May be called
/// from several threads; what was returned before stays.
[[nodiscard]] const LessonLibrary& builtInLessons();

/// Reads the opened course's lessons anew. One that cannot be read stays as it was; that is among
/// the problems.
void readLessonsAgain();

/// Null when there is no such lesson.
[[nodiscard]] const Lesson* findLesson(std::string_view id);

/// As `findLesson`, throwing InvalidRequest that lists the known ids.
[[nodiscard]] const Lesson& lessonNamed(std::string_view id);

/// The one before (-1) or after (1) in the library; null at its ends and for an unknown id.
[[nodiscard]] const Lesson* lessonBeside(std::string_view id, int step);

}  // namespace warplens
