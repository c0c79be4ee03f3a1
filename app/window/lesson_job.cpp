#include "app/window/lesson_job.h"

#include <algorithm>

#include "app/lessons/evidence.h"
#include "app/lessons/library.h"

namespace warplens::window {

bool operator==(const LessonPlace& a, const LessonPlace& b) {
    return a.id == b.id && a.library == b.library &&
           std::ranges::equal(a.fresh, b.fresh,
                              [](const SharedMeasurement& one, const SharedMeasurement& other) {
                                  return one->takenAt == other->takenAt;
                              });
}

std::optional<LessonPlace> lessonPlace(const AppState& state) {
    const Lesson* const lesson = findLesson(state.view.lesson);
    if (lesson == nullptr) return std::nullopt;
    LessonPlace place{.id = lesson->id, .library = state.library};
    for (const Result& result : state.results) {
        const bool asked = std::ranges::any_of(lesson->launches, [&](const auto& launch) {
            return launch.second == result.measurement->experiment;
        });
        if (asked && !result.recorded) place.fresh.push_back(result.measurement);
    }
    return place;
}

Command tellNow(const LessonPlace& place, const std::stop_token& stop) {
    const Lesson* const lesson = findLesson(place.id);
    if (lesson == nullptr) return LessonResolved{};
    try {
        std::vector<Measurement> fresh;
        for (const SharedMeasurement& one : place.fresh) fresh.push_back(*one);
        const LessonEvidence evidence = evidenceFor(*lesson, fresh, *place.library, stop);
        return LessonResolved{std::make_shared<const ResolvedLesson>(tell(*lesson, evidence))};
    } catch (const std::exception& error) {
        if (stop.stop_requested()) return LessonResolved{};  // another one is wanted
        return LessonResolved{nullptr, LessonFailure{place.id, error.what()}};
    }
}

}  // namespace warplens::window
