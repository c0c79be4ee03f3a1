#pragma once

#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/lessons/library.h"
#include "app/platform/worker_thread.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// Keeps the work on the newest of the things wanted under way, beside the frames: an edit
/// never waits for the one before to stop.
template <class Wanted>
class NewestJob {
  public:
    /// `work` turns what is wanted into the command that says so; what it throws is reported
    /// instead. `finished` is called on the job's thread when a command waits to be taken.
    using Work = std::function<Command(const Wanted&, std::stop_token)>;
    NewestJob(Work work, std::function<void()> finished)
        : work_(std::move(work)), finished_(std::move(finished)) {}
    ~NewestJob() {
        const std::scoped_lock lock(mutex_);
        stop_.request_stop();
    }

    /// Starts over for `wanted`, unless it is what is under way or done.
    void want(const Wanted& wanted) {
        if (wanted_ == wanted) return;
        wanted_ = wanted;
        const std::scoped_lock lock(mutex_);
        stop_.request_stop();
        stop_ = std::stop_source();
        done_.reset();
        next_ = wanted;
        thread_.post([this] { serve(); });
    }
    /// The newest one's command, once.
    [[nodiscard]] std::optional<Command> take() {
        const std::scoped_lock lock(mutex_);
        return std::exchange(done_, std::nullopt);
    }
    [[nodiscard]] bool busy() const {
        const std::scoped_lock lock(mutex_);
        return working_ || next_.has_value();
    }

  private:
    /// Nothing that goes wrong on this thread ends the window.
    Command commandOf(const Wanted& wanted, const std::stop_token& stop) const {
        try {
            return work_(wanted, stop);
        } catch (const std::exception& error) {
            return Report{MessageKind::error, error.what()};
        }
    }
    void serve() {
        std::unique_lock lock(mutex_);
        if (!next_) return;  // overtaken
        const Wanted wanted = *std::exchange(next_, std::nullopt);
        const std::stop_token stop = stop_.get_token();
        working_ = true;
        lock.unlock();
        Command command = commandOf(wanted, stop);
        lock.lock();
        working_ = false;
        if (stop.stop_requested()) return;
        done_ = std::move(command);
        lock.unlock();
        finished_();
    }

    Work work_;
    std::function<void()> finished_;
    std::optional<Wanted> wanted_;
    mutable std::mutex mutex_;
    std::optional<Wanted> next_;
    std::stop_source stop_;
    std::optional<Command> done_;
    bool working_ = false;
    WorkerThread thread_;  ///< last: ends before what it uses
};

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

/// Reads the opened course's lessons anew whenever one of them is saved, and notices saved kernels:
/// LessonsRead. Looks at them from a thread of its own.
class LessonWatch final {
  public:
    /// `finished` is called on that thread when a command waits to be taken.
    explicit LessonWatch(std::function<void()> finished);
    [[nodiscard]] std::optional<Command> take();

  private:
    std::mutex mutex_;
    std::optional<Command> read_;
    std::optional<WorkerThread> thread_;  ///< last: ends before what it uses
};

/// The opened lesson's; nothing where none is opened.
[[nodiscard]] std::optional<LessonPlace> lessonPlace(const AppState& state);

/// On the calling thread: LessonResolved.
[[nodiscard]] Command tellNow(const LessonPlace& place, const std::stop_token& stop);

/// Reads the sweeps that travel with the program.
[[nodiscard]] SweepsRead readSweeps();

/// Where the sweep of a session is kept, beside its settings; empty where these are kept nowhere.
[[nodiscard]] std::filesystem::path sweepFileBeside(const std::filesystem::path& settingsFile);

/// What a window does about sweeps beside drawing them, on threads of its own: reads what there is,
/// the sweeps that travel with the program once their tab is open, predicts point after point, and
/// writes the sweep under way into its file after every point.
class SweepJobs final {
  public:
    /// `finished` is called on a job's thread when a command waits to be taken.
    SweepJobs(std::filesystem::path file, const std::function<void()>& finished);

    /// Commands that are ready; begins what the state asks for next.
    [[nodiscard]] Commands step(const AppState& state);
    [[nodiscard]] bool busy() const {
        return reading_.busy() || readingSweeps_.busy() || predicting_.busy();
    }

  private:
    using Snapshot = std::shared_ptr<const Sweep>;
    void keep(const AppState& state);

    NewestJob<std::filesystem::path> reading_;
    NewestJob<std::filesystem::path> readingSweeps_;
    NewestJob<Experiment> predicting_;
    NewestJob<Snapshot> writing_;
    std::filesystem::path file_;
    std::optional<SweepPlan> kept_;  ///< the sweep that was measured last
    std::size_t written_ = 0;        ///< points of it that the file has
};

}  // namespace warplens::window
