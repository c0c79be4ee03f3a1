#include "kernels/worker/request_loop.h"

#include <condition_variable>
#include <deque>
#include <istream>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <set>
#include <stop_token>
#include <string>
#include <thread>

#include "core/measurement/json.h"
#include "core/text/format.h"
#include "kernels/measure/device/cuda_error.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/measuring.h"
#include "kernels/measure/result_check.h"

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

void readRequests(std::istream& in, Inbox& inbox, Answers& answers) {
    std::string line;
    while (std::getline(in, line)) {
        if (line.empty()) continue;
        try {
            inbox.put(requestFromJsonLine(line));
        } catch (const MalformedJson& error) {
            answers.send(0, Failure{FailureKind::invalid,
                                    std::string("request not understood: ") + error.what()});
        }
    }
    inbox.close();
}

/// Errors after which the context answers every call with an error (CUDA Runtime API, "Data types
/// used by CUDA Runtime": those that leave the process in an inconsistent state).
bool poisonsContext(cudaError_t code) {
    return code != cudaErrorMemoryAllocation && code != cudaErrorInvalidConfiguration &&
           code != cudaErrorInvalidValue && code != cudaErrorLaunchOutOfResources;
}

class Worker final {
  public:
    explicit Worker(Answers& answers) : answers_(answers) {}

    /// False when the process should end.
    bool answer(const WorkerRequest& request, std::stop_token stop) {
        const auto fail = [&](FailureKind kind, const std::string& message) {
            answers_.send(request.id, Failure{kind, message});
        };
        try {
            if (std::holds_alternative<DescribeRequest>(request.body)) {
                answers_.send(request.id, describe());
            } else {
                const auto& measure = std::get<MeasureRequest>(request.body);
                const auto report = [&](const Progress& progress) {
                    answers_.send(request.id, progress);
                };
                answers_.send(request.id, measuring().measure(measure, report, stop));
            }
        } catch (const InvalidRequest& error) {
            fail(FailureKind::invalid, error.what());
        } catch (const NoDevice& error) {
            fail(FailureKind::impossible, error.what());
        } catch (const WrongResult& error) {
            fail(FailureKind::wrongResult, error.what());
        } catch (const Cancelled&) {
            fail(FailureKind::cancelled, "cancelled");
        } catch (const CudaError& error) {
            fail(FailureKind::failed, error.what());
            return !poisonsContext(error.code());
        } catch (const std::exception& error) {
            fail(FailureKind::failed, error.what());
        }
        return true;
    }

  private:
    /// The device is opened by the first request that needs it.
    Measuring& measuring() {
        if (!measuring_) measuring_ = std::make_unique<Measuring>();
        return *measuring_;
    }
    Description describe() {
        try {
            return measuring().describe();
        } catch (const NoDevice& error) {
            return {.device = {},
                    .deviceReason = error.what(),
                    .countersAvailable = false,
                    .countersReason = "no device",
                    .version = version()};
        }
    }

    Answers& answers_;
    std::unique_ptr<Measuring> measuring_;
};

}  // namespace

int answerRequests(std::istream& in, std::ostream& out) {
    Inbox inbox;
    Answers answers(out);
    std::thread reader([&] { readRequests(in, inbox, answers); });
    Worker worker(answers);
    while (auto next = inbox.take()) {
        if (!worker.answer(next->first, next->second)) {
            // The reader may wait for input that never comes; the process ends around it.
            reader.detach();
            return 1;
        }
    }
    reader.join();
    return 0;
}

}  // namespace warplens
