#include "app/platform/worker_thread.h"

#include <deque>
#include <utility>

#include "app/platform/web/page.h"

namespace warplens::window {
namespace {

/// What waits of all workers, in order; of one that has ended `isEnded`.
struct Posted final {
    std::shared_ptr<bool> isEnded;
    std::function<void()> task;
};
std::deque<Posted>& posted() {
    static std::deque<Posted> all;
    return all;
}

}  // namespace

struct WorkerThread::Tasks final {
    std::shared_ptr<bool> isEnded = std::make_shared<bool>(false);
};

WorkerThread::WorkerThread() : tasks_(std::make_shared<Tasks>()) {}
WorkerThread::WorkerThread(std::function<void()>, std::chrono::milliseconds) : WorkerThread() {}

WorkerThread::~WorkerThread() {
    *tasks_->isEnded = true;
}

void WorkerThread::post(std::function<void()> task) {
    posted().push_back({tasks_->isEnded, std::move(task)});
}

bool runPosted() {
    while (!posted().empty()) {
        const Posted next = std::move(posted().front());
        posted().pop_front();
        if (*next.isEnded) continue;
        next.task();
        return true;
    }
    return false;
}

bool isPosted() {
    return !posted().empty();
}

}  // namespace warplens::window
