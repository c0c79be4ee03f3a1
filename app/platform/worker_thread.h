#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace warplens::window {

/// Runs tasks beside the frames, one after the other: on a thread of its own, or in a page, which
/// has one thread, between two frames.
class WorkerThread final {
  public:
    WorkerThread();
    /// The same, and `look` every so often while there is no task; never in a page, whose files
    /// nobody else changes.
    WorkerThread(std::function<void()> look, std::chrono::milliseconds every);
    WorkerThread(WorkerThread&&) = delete;
    /// Waits for the tasks that were posted.
    ~WorkerThread();

    /// From any thread; `task` throws nothing.
    void post(std::function<void()> task);

  private:
    struct Tasks;
    std::shared_ptr<Tasks> tasks_;
};

}  // namespace warplens::window
