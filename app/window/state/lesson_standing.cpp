#include "app/window/state/lesson_standing.h"

#include "app/lessons/library.h"
#include "app/window/state/learn_page.h"
#include "core/course/course.h"
#include "core/text/names.h"

namespace warplens::window {

std::vector<LessonStanding> standingsOf(const LessonsProgress& progress, bool ofCourse) {
    std::vector<LessonStanding> standings;
    for (const Lesson& lesson : builtInLessons().lessons) {
        if (ofCourse && lesson.group != courseGroup) continue;
        LessonStanding one{.lesson = lesson.id,
                           .title = lesson.title,
                           .answered = "not begun",
                           .pages = pageCount(lesson)};
        if (const auto found = progress.find(lesson.id);
            found != progress.end() &&
            (found->second.hints > 0 || comeOf(&found->second, lesson) != Come::untouched)) {
            const LessonProgress& come = found->second;
            one.answered = warplens::toString(come.known ? Answered::right : come.answered);
            one.tries = come.tries + (come.answered == Answered::right ? 1 : 0);
            one.hints = come.hints;
            one.goal = come.goal;
            one.exercise = come.exercise;
            // Answering unlocks a page that is not seen yet.
            one.page = std::min(std::max(come.page + 1, come.furthest), one.pages);
        }
        standings.push_back(std::move(one));
    }
    return standings;
}

TextRows rowsOf(const std::string& name, const std::vector<LessonStanding>& lessons) {
    TextRows rows{{"name", "lesson", "title", "answered", "tries", "hints", "goal", "exercise",
                   "page", "pages"}};
    for (const LessonStanding& one : lessons) {
        rows.push_back({name, one.lesson, one.title, one.answered, std::to_string(one.tries),
                        std::to_string(one.hints), one.goal ? "1" : "0", one.exercise ? "1" : "0",
                        std::to_string(one.page), std::to_string(one.pages)});
    }
    return rows;
}

}  // namespace warplens::window
