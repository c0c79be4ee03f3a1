#pragma once

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/recordings/library.h"
#include "core/lesson/lesson.h"
#include "core/lesson/lesson_evidence.h"
#include "core/program/warnings.h"

/// The lessons there are, what their numbers are looked up in, and their exercises, in which a
/// person writes code: a program that runs and is not right yet, `ID.cu` beside the lesson
/// `ID.json`. It is right when `warplens check` finds nothing in it.
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

/// Whether there is such a lesson. None of those that travel with the program is read for it.
[[nodiscard]] bool isLesson(std::string_view id);

/// Null when there is no such lesson.
[[nodiscard]] const Lesson* findLesson(std::string_view id);

/// As `findLesson`, throwing InvalidRequest that lists the known ids.
[[nodiscard]] const Lesson& lessonNamed(std::string_view id);

/// The one before (-1) or after (1) in the library; null at its ends and for an unknown id.
[[nodiscard]] const Lesson* lessonBeside(std::string_view id, int step);

/// What is known of the lesson's launches: each one's measurement, from `fresh` if it is there and
/// else from the recordings, and its prediction, which measurements made with one carry along and
/// which is traced here otherwise. Cost: nothing for launches that were recorded, else as
/// `predict` of at most some million accesses. Throws PredictionStopped
/// (kernels/library/predict.h).
[[nodiscard]] LessonEvidence evidenceFor(const Lesson& lesson,
                                         const std::vector<Measurement>& fresh,
                                         const RecordingLibrary& recordings,
                                         std::stop_token stop = {});

/// What is to be done: the comment at the program's head, as one paragraph.
[[nodiscard]] std::string taskOf(const Lesson& lesson);

/// The program as a person gets it: its first line names the lesson.
[[nodiscard]] std::string exerciseFile(const Lesson& lesson);

/// The lesson that the first line names, `course/halo`; empty where it names none.
[[nodiscard]] std::string_view exerciseNamedIn(std::string_view text);

/// The lesson whose exercise the program is; null where it is none.
[[nodiscard]] const Lesson* lessonOfExercise(const ProgramSources& sources);

/// Of its exercise what may not be changed; empty where there is no such part.
[[nodiscard]] std::string_view keptPart(const Lesson& lesson);

/// What warningsOf finds, and whether that part was changed which compares the results.
[[nodiscard]] std::vector<ProgramWarning> leftToDo(const Lesson& lesson, const ProgramTrace& trace,
                                                   const ProgramSources& sources);

}  // namespace warplens
