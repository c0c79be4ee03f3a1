#include "app/lessons/exercise.h"

#include "app/lessons/library.h"
#include "core/text/lines.h"

namespace warplens {
namespace {

constexpr std::string_view head = "// Exercise of the lesson ";
/// What follows compares the results.
constexpr std::string_view below = "// From here on";

}  // namespace

std::string taskOf(const Lesson& lesson) {
    std::string words;
    for (const std::string_view line : splitLines(lesson.exercise)) {
        if (!line.starts_with("//")) break;
        words += (words.empty() ? "" : " ") + std::string(trimmed(line.substr(2)));
    }
    return words;
}

std::string exerciseFile(const Lesson& lesson) {
    return std::string(head) + lesson.id + "\n//\n" + lesson.exercise;
}

const Lesson* lessonOfExercise(const ProgramSources& sources) {
    if (sources.units.empty()) return nullptr;
    const std::string_view first = lineOf(sources.units.front().text, 1);
    if (!first.starts_with(head)) return nullptr;
    const Lesson* const lesson = findLesson(trimmed(first.substr(head.size())));
    return lesson == nullptr || lesson->exercise.empty() ? nullptr : lesson;
}

std::vector<ProgramWarning> leftToDo(const Lesson& lesson, const ProgramTrace& trace,
                                     const ProgramSources& sources) {
    std::vector<ProgramWarning> left = warningsOf(trace, sources);
    const ProgramFile& file = sources.units.front();
    const std::string_view kept =
        std::string_view(lesson.exercise)
            .substr(std::min(lesson.exercise.find(below), lesson.exercise.size()));
    if (!file.text.ends_with(kept)) {
        left.push_back({"failed-program",
                        {file.path, 0, 0},
                        "",
                        "",
                        "the part that compares the results is not as it was"});
    }
    return left;
}

}  // namespace warplens
