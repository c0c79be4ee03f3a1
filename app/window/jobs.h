#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/lessons/library.h"
#include "app/window/newest_job.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// What compiled code comes to in a launch that was predicted: CompiledPredicted.
[[nodiscard]] Command predictCompiledNow(const Experiment& experiment, std::stop_token stop = {});
/// Predicts on the calling thread: PredictionReady, or PredictionFailed with the reason.
[[nodiscard]] Command predictNow(const Experiment& experiment, std::stop_token stop = {});

/// One block of one launch.
struct BlockPlace final {
    Experiment experiment;
    Index3 block;
    friend bool operator==(const BlockPlace&, const BlockPlace&) = default;
};
/// Predicts the block on the calling thread, within a frame's time: BlockPredicted.
[[nodiscard]] Command predictBlockNow(const BlockPlace& place, std::stop_token stop);

/// Predicts a point of a sweep or of the roof on the calling thread: PointPredicted.
[[nodiscard]] Command predictPointNow(const Experiment& experiment, std::stop_token stop);

/// What a warp asks for, on the calling thread: WarpTraced.
[[nodiscard]] Command traceWarpNow(const WarpPlace& place, std::stop_token stop = {});

/// What the model of an SM is run for now; nothing where the launch cannot be.
[[nodiscard]] std::optional<ModelPlace> modelPlace(const AppState& state);

/// Runs it on the calling thread: SmModelled. What the block executes is kept from call to call.
[[nodiscard]] Command modelNow(const ModelPlace& place, const std::stop_token& stop);

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
