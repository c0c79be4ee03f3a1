#include "kernels/worker/request_loop.h"

#include <array>
#include <condition_variable>
#include <cuda_runtime_api.h>
#include <deque>
#include <exception>
#include <istream>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <thread>

#include "core/measurement/json.h"
#include "core/text/format.h"
#include "kernels/measure/device/host_name.h"
#include "kernels/worker/failure.h"

namespace warplens {
namespace {

/// Requests read so far and not yet taken, filled by the thread that reads.
class Inbox final {
  public:
    void put(WorkerRequest request) {
        const std::lock_guard lock(mutex_);
        if (const auto* cancel = std::get_if<CancelRequest>(&request.body)) {
            if (running_ == cancel->target) {
                stop_.request_stop();
            } else {
                cancelled_.insert(cancel->target);
            }
            return;
        }
        waiting_.push_back(std::move(request));
        changed_.notify_one();
    }
    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        changed_.notify_one();
    }
    /// The next request with the token that cancels it; nullopt when there will be no more.
    std::optional<std::pair<WorkerRequest, std::stop_token>> take() {
        std::unique_lock lock(mutex_);
        running_.reset();
        changed_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
        if (waiting_.empty()) return std::nullopt;
        WorkerRequest request = std::move(waiting_.front());
        waiting_.pop_front();
        running_ = request.id;
        stop_ = std::stop_source();
        if (cancelled_.erase(request.id) != 0) stop_.request_stop();
        return std::pair(std::move(request), stop_.get_token());
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<WorkerRequest> waiting_;
    std::set<std::uint64_t> cancelled_;
    std::optional<std::uint64_t> running_;
    std::stop_source stop_;
    bool closed_ = false;
};

class Answers final {
  public:
    explicit Answers(std::ostream& out) : out_(out) {}
    void send(std::uint64_t id, auto body) {
        const std::lock_guard lock(mutex_);
        out_ << toJsonLine(WorkerEvent{id, std::move(body)}) << '\n' << std::flush;
    }

  private:
    std::mutex mutex_;
    std::ostream& out_;
};

/// The next line, of which no more than the longest that is understood is kept; nothing at the end.
std::optional<std::string> nextLine(std::istream& in) {
    std::array<char, 1u << 16> piece;
    std::string line;
    while (true) {
        in.getline(piece.data(), piece.size());
        const bool more = in.fail() && !in.eof() && !in.bad();  // the piece is full
        const auto count = static_cast<std::size_t>(in.gcount());
        if (in.fail() && !more) return std::nullopt;
        if (more) in.clear(in.rdstate() & ~std::ios::failbit);
        // The newline is counted too, and not stored.
        const std::size_t stored = more || in.eof() ? count : count - 1;
        if (line.size() <= longestProtocolLine) line.append(piece.data(), stored);
        if (!more) return line;
    }
}

void readRequests(std::istream& in, Inbox& inbox, Answers& answers) {
    while (const std::optional<std::string> line = nextLine(in)) {
        if (line->empty()) continue;
        try {
            inbox.put(requestFromJsonLine(*line));
        } catch (const MalformedJson& error) {
            answers.send(0, Failure{FailureKind::invalid,
                                    std::string("request not understood: ") + error.what()});
        }
    }
    inbox.close();
}

/// False when the process should end.
bool answer(const WorkerRequest& request, const std::stop_token& stop, const Work& work,
            Answers& answers) {
    try {
        const ReportProgress report = [&](const Progress& progress) {
            answers.send(request.id, progress);
        };
        std::visit(
            [&](auto&& body) { answers.send(request.id, std::forward<decltype(body)>(body)); },
            work(request, report, stop));
    } catch (...) {
        const Failure failure = failureOf(std::current_exception());
        // Or the next launch would be blamed for it.
        (void)cudaGetLastError();
        answers.send(request.id, failure);
        return !endsWorker(failure.kind);
    }
    return true;
}

}  // namespace

int answerRequests(std::istream& in, std::ostream& out, const Work& work) {
    // Shared with the reader, which may outlive this call.
    const auto inbox = std::make_shared<Inbox>();
    const auto answers = std::make_shared<Answers>(out);
    answers->send(0, Hello{version(), hostName()});
    std::thread reader([&in, inbox, answers] { readRequests(in, *inbox, *answers); });
    while (auto next = inbox->take()) {
        if (!answer(next->first, next->second, work, *answers)) {
            // It may wait for input that never comes; the process ends around it.
            reader.detach();
            return 1;
        }
    }
    reader.join();
    return 0;
}

}  // namespace warplens
