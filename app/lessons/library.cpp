#include "app/lessons/library.h"

#include <algorithm>
#include <tuple>

#include "core/course/course.h"
#include "core/json/json.h"
#include "core/launch/limit_violation.h"
#include "core/lesson/lesson_json.h"
#include "core/text/nearest.h"

#include "embedded/warplens_lessons.h"

namespace warplens {
namespace {

LessonLibrary readAll() {
    LessonLibrary library;
    for (const auto& file : built_in_lessons::embeddedFiles()) {
        try {
            library.lessons.push_back(lessonFromText(file.name, file.bytes));
        } catch (const MalformedJson& error) {
            library.problems.emplace_back(error.what());
        }
    }
    if (const Course* const course = openedCourse()) {
        for (const CourseText& file : course->lessons) {
            try {
                library.lessons.push_back(lessonFromText(file.file, file.text, course->name));
            } catch (const MalformedJson& error) {
                library.problems.emplace_back(error.what());
            }
        }
    }
    std::ranges::sort(library.lessons, {}, [](const Lesson& lesson) {
        return std::tie(lesson.group, lesson.place, lesson.id);
    });
    return library;
}

}  // namespace

const LessonLibrary& builtInLessons() {
    static const LessonLibrary library = readAll();
    return library;
}

const Lesson* findLesson(std::string_view id) {
    const std::vector<Lesson>& lessons = builtInLessons().lessons;
    const auto found = std::ranges::find(lessons, id, &Lesson::id);
    return found == lessons.end() ? nullptr : &*found;
}

const Lesson& lessonNamed(std::string_view id) {
    if (const Lesson* lesson = findLesson(id)) return *lesson;
    std::vector<std::string_view> known;
    for (const Lesson& lesson : builtInLessons().lessons) known.emplace_back(lesson.id);
    throw InvalidRequest({{"lesson", "'" + std::string(id) + "'",
                           "one of those that `warplens lesson` lists" + didYouMean(id, known)}});
}

const Lesson* lessonBeside(std::string_view id, int step) {
    const Lesson* const now = findLesson(id);
    if (now == nullptr) return nullptr;
    const std::vector<Lesson>& lessons = builtInLessons().lessons;
    const auto place = now - lessons.data() + step;
    const bool inside = place >= 0 && place < static_cast<std::ptrdiff_t>(lessons.size());
    return inside ? &lessons[static_cast<std::size_t>(place)] : nullptr;
}

}  // namespace warplens
