#pragma once

#include "core/lesson/goal.h"
#include "core/lesson/lesson.h"
#include "core/lesson/lesson_reader.h"

/// What a lesson asks a person to answer or to reach, and what it keeps from them until then.
namespace warplens::lesson_reader {

/// All but its mistakes.
[[nodiscard]] Question questionFrom(const Json& tree, const Launches& launches);
/// Those of a question; the rest of it is known by now, and the lesson's launches, as of the
/// others.
[[nodiscard]] std::vector<Mistake> mistakesFrom(const Json& tree, const Lesson& lesson);
/// What is seen with the answer: the launch that it follows from as the lesson opens, unless the
/// question's "show" says otherwise.
[[nodiscard]] Scene shownWithAnswer(const Json& question, const Lesson& lesson);
[[nodiscard]] LessonSlider sliderFrom(const Json& tree, const Experiment& here);
[[nodiscard]] CoveredPart coveredFrom(const Json& tree, const Lesson& lesson);
[[nodiscard]] LessonGoal goalFrom(const Json& tree, const Lesson& lesson);

}  // namespace warplens::lesson_reader
