#pragma once

#include <string>
#include <vector>

#include "core/lesson/lesson.h"
#include "core/program/warnings.h"

/// Exercises in which a person writes code: a program that runs and is not right yet, `ID.cu`
/// beside the lesson `ID.json`. It is right when `warplens check` finds nothing in it.
namespace warplens {

/// What is to be done: the comment at the program's head, as one paragraph.
[[nodiscard]] std::string taskOf(const Lesson& lesson);

/// The program as a person gets it: its first line names the lesson.
[[nodiscard]] std::string exerciseFile(const Lesson& lesson);

/// The lesson whose exercise the program is; null where it is none.
[[nodiscard]] const Lesson* lessonOfExercise(const ProgramSources& sources);

/// What warningsOf finds, and whether that part was changed which compares the results.
[[nodiscard]] std::vector<ProgramWarning> leftToDo(const Lesson& lesson, const ProgramTrace& trace,
                                                   const ProgramSources& sources);

}  // namespace warplens
