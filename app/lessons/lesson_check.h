#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/recordings/library.h"
#include "core/course/course.h"
#include "core/lesson/lesson.h"

namespace warplens {

/// What is wrong with one lesson's file.
struct LessonCheck final {
    std::optional<Lesson> lesson{};  ///< as far as it could be read; none: not at all
    /// As far as they could be read: with the course's name, and with its group, a hundred each.
    std::string id{};
    int place = 0;
    std::vector<CourseFault> faults{};
    std::vector<CourseFault> unmeasured{};  ///< quantities that only a measurement gives
    std::size_t numbers = 0;
    std::size_t steps = 0;
};

/// Reads a lesson of the course, or a built-in one where that is empty, and works out all that it
/// says: its numbers, its answers, its scenes and its goal. Cost: predicts its launches.
[[nodiscard]] LessonCheck checkLesson(const CourseText& file, const std::string& course,
                                      const RecordingLibrary& recordings);

}  // namespace warplens
