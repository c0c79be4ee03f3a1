#include "app/window/lesson_job.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <utility>

#include "app/lessons/evidence.h"
#include "app/lessons/library.h"
#include "core/course/course.h"

namespace warplens::window {
namespace {

constexpr std::chrono::milliseconds betweenLooksAtLessons{300};

/// When they were saved, by their names.
std::map<std::string, std::filesystem::file_time_type> savedTimes(
    const std::filesystem::path& folder) {
    std::map<std::string, std::filesystem::file_time_type> times;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "lessons", error)) {
        if (entry.path().extension() != ".json") continue;
        const auto saved = entry.last_write_time(error);
        if (!error) times.emplace(entry.path().string(), saved);
    }
    return times;
}

}  // namespace

LessonWatch::LessonWatch(std::function<void()> finished) {
    if (openedCourse() == nullptr) return;
    thread_ = std::jthread([this, finished = std::move(finished)](const std::stop_token& ending) {
        const std::filesystem::path folder = openedCourse()->folder;
        auto seen = savedTimes(folder);
        std::unique_lock lock(mutex_);
        while (!ending.stop_requested()) {
            changed_.wait_for(lock, ending, betweenLooksAtLessons, [] { return false; });
            auto now = savedTimes(folder);
            if (now == seen) continue;
            seen = std::move(now);
            readLessonsAgain();
            read_ = LessonsRead{builtInLessons().problems};
            lock.unlock();
            finished();
            lock.lock();
        }
    });
}

std::optional<Command> LessonWatch::take() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    return lock ? std::exchange(read_, std::nullopt) : std::nullopt;
}

bool operator==(const LessonPlace& a, const LessonPlace& b) {
    return a.id == b.id && a.library == b.library && a.lessons == b.lessons &&
           std::ranges::equal(a.fresh, b.fresh,
                              [](const SharedMeasurement& one, const SharedMeasurement& other) {
                                  return one->takenAt == other->takenAt;
                              });
}

std::optional<LessonPlace> lessonPlace(const AppState& state) {
    const Lesson* const lesson = findLesson(state.view.lesson);
    if (lesson == nullptr) return std::nullopt;
    LessonPlace place{.id = lesson->id, .library = state.library, .lessons = &builtInLessons()};
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
