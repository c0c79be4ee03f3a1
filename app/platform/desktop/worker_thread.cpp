#include "app/platform/worker_thread.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace warplens::window {

struct WorkerThread::Tasks final {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::function<void()>> waiting;
    std::function<void()> look;
    std::chrono::milliseconds every{};
    bool ending = false;
    std::thread thread;

    void serve() {
        std::unique_lock lock(mutex);
        const auto called = [&] { return ending || !waiting.empty(); };
        while (true) {
            if (look) {
                changed.wait_for(lock, every, called);
            } else {
                changed.wait(lock, called);
            }
            if (waiting.empty() && ending) return;
            std::function<void()> task = look;
            if (!waiting.empty()) {
                task = std::move(waiting.front());
                waiting.pop_front();
            }
            lock.unlock();
            task();
            lock.lock();
        }
    }
};

WorkerThread::WorkerThread() : WorkerThread({}, {}) {}

WorkerThread::WorkerThread(std::function<void()> look, std::chrono::milliseconds every)
    : tasks_(std::make_shared<Tasks>()) {
    tasks_->look = std::move(look);
    tasks_->every = every;
    tasks_->thread = std::thread([tasks = tasks_.get()] { tasks->serve(); });
}

WorkerThread::~WorkerThread() {
    {
        const std::scoped_lock lock(tasks_->mutex);
        tasks_->ending = true;
        tasks_->changed.notify_one();
    }
    tasks_->thread.join();
}

void WorkerThread::post(std::function<void()> task) {
    const std::scoped_lock lock(tasks_->mutex);
    tasks_->waiting.push_back(std::move(task));
    tasks_->changed.notify_one();
}

}  // namespace warplens::window
