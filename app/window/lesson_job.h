#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/window/newest_job.h"

namespace warplens::window {

/// A lesson and what its numbers are looked up in.
struct LessonPlace final {
    std::string id;
    /// This session's measurements of its launches, told apart by when they were taken.
    std::vector<SharedMeasurement> fresh{};
    std::shared_ptr<const RecordingLibrary> library{};
    friend bool operator==(const LessonPlace& a, const LessonPlace& b);
};

/// The opened lesson's; nothing where none is opened.
[[nodiscard]] std::optional<LessonPlace> lessonPlace(const AppState& state);

/// On the calling thread: LessonResolved.
[[nodiscard]] Command tellNow(const LessonPlace& place, const std::stop_token& stop);

}  // namespace warplens::window
