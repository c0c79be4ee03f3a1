#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

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

}  // namespace warplens::window
