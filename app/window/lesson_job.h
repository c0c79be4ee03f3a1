#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/lessons/library.h"
#include "app/window/newest_job.h"

namespace warplens::window {

/// A lesson and what its numbers are looked up in.
struct LessonPlace final {
    std::string id;
    /// This session's measurements of its launches, told apart by when they were taken.
    std::vector<SharedMeasurement> fresh{};
    std::shared_ptr<const RecordingLibrary> library{};
    const LessonLibrary* lessons = nullptr;  ///< as they were read
    friend bool operator==(const LessonPlace& a, const LessonPlace& b);
};

/// Reads the opened course's lessons anew whenever one of them is saved: LessonsRead. Looks at them
/// from a thread of its own.
class LessonWatch final {
  public:
    /// `finished` is called on that thread when a command waits to be taken.
    explicit LessonWatch(std::function<void()> finished);
    [[nodiscard]] std::optional<Command> take();

  private:
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::optional<Command> read_;
    std::jthread thread_;  ///< last: ends before what it uses
};

/// The opened lesson's; nothing where none is opened.
[[nodiscard]] std::optional<LessonPlace> lessonPlace(const AppState& state);

/// On the calling thread: LessonResolved.
[[nodiscard]] Command tellNow(const LessonPlace& place, const std::stop_token& stop);

}  // namespace warplens::window
