#pragma once

#include <string>

#include "app/lessons/library.h"
#include "core/lesson/resolved_lesson.h"

/// Lessons as text and as JSON.
namespace warplens {

class Archive;

/// Every lesson's id and title, under its group.
[[nodiscard]] std::string listOf(const LessonLibrary& library);
/// The same as a Document::lessons.
void printJson(const LessonLibrary& library);

/// Text, steps, question and numbers; the answer only where it is asked for.
[[nodiscard]] std::string reportOf(const ResolvedLesson& resolved, bool withAnswer);
/// As a Document::lesson; written only.
void describe(Archive& v, ResolvedLesson& resolved);

/// Markdown: for each lesson the command that opens it, the command that measures it, and its
/// figures beside those that its documents print.
[[nodiscard]] std::string tableOf(const std::vector<ResolvedLesson>& lessons);

}  // namespace warplens
