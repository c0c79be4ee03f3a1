#include "kernels/worker/request_loop.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <istream>
#include <mutex>
#include <new>
#include <optional>
#include <ostream>
#include <set>
#include <thread>
#include <type_traits>

#include "core/course/course.h"
#include "core/json/json.h"
#include "core/launch/launch.h"
#include "core/program/byte_frame.h"
#include "core/program/launch_inputs.h"
#include "kernels/device/compile.h"
#include "kernels/measure/measuring.h"
#include "kernels/measure/scenario_launch.h"

namespace warplens {

Failure failureOf(const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const InvalidRequest& error) {
        return {FailureKind::invalid, error.what()};
    } catch (const CompileError& error) {
        return {FailureKind::invalid, error.what()};
    } catch (const CompilerUnavailable& error) {
        return {FailureKind::impossible, error.what()};
    } catch (const NoDevice& error) {
        return {FailureKind::impossible, error.what()};
    } catch (const OtherKernelSource& error) {
        return {FailureKind::impossible, error.what()};
    } catch (const WrongResult& error) {
        return {FailureKind::wrongResult, error.what()};
    } catch (const Cancelled&) {
        return {FailureKind::cancelled, "cancelled"};
    } catch (const CudaError& error) {
        return failureOf(error);
    } catch (const std::bad_alloc&) {
        return {FailureKind::failed, "the worker's own memory is exhausted"};
    } catch (const std::exception& error) {
        return {FailureKind::failed, error.what()};
    }
}

bool endsWorker(FailureKind kind) {
    return kind == FailureKind::failed || kind == FailureKind::impossible;
}

namespace {

constexpr std::chrono::milliseconds betweenRests{50};

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
    /// While there is none `rest` is called now and then, without the lock, until it returns false.
    std::optional<std::pair<WorkerRequest, std::stop_token>> take(
        const std::function<bool()>& rest) {
        std::unique_lock lock(mutex_);
        running_.reset();
        const auto some = [&] { return closed_ || !waiting_.empty(); };
        bool rests = rest != nullptr;
        while (!some()) {
            if (rests) {
                lock.unlock();
                rests = rest();
                lock.lock();
                changed_.wait_for(lock, betweenRests, some);
            } else {
                changed_.wait(lock, some);
            }
        }
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
        constexpr bool isLast = !std::is_same_v<decltype(body), Progress>;
        const std::lock_guard lock(mutex_);
        out_ << toJsonLine(WorkerEvent{id, std::move(body)}) << (isLast ? "\n\n" : "\n")
             << std::flush;
    }
    /// Of a request that has no answer.
    void warn(const Failure& failure) {
        const std::lock_guard lock(mutex_);
        out_ << toJsonLine(WorkerEvent{0, failure}) << '\n' << std::flush;
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

/// The bytes after a line. Throws MalformedFrame where they end before that.
std::vector<std::byte> nextFrame(std::istream& in, std::uint64_t bytes) {
    std::vector<std::byte> frame;
    // As they come: a number alone takes no memory.
    constexpr std::uint64_t most = 16u << 20;
    while (frame.size() < bytes) {
        const std::uint64_t piece = std::min(most, bytes - frame.size());
        const std::size_t begin = frame.size();
        frame.resize(begin + piece);
        in.read(reinterpret_cast<char*>(frame.data() + begin), static_cast<std::streamsize>(piece));
        if (static_cast<std::uint64_t>(in.gcount()) != piece) throw MalformedFrame("cut off");
    }
    return frame;
}

void readRequests(std::istream& in, Inbox& inbox, Answers& answers) {
    while (const std::optional<std::string> line = nextLine(in)) {
        if (line->empty()) continue;
        std::uint64_t id = 0;
        std::string problem;
        try {
            std::vector<std::byte> frame;
            WorkerRequest request = requestFromJsonLine(
                *line, [&](std::uint64_t bytes) { frame = nextFrame(in, bytes); });
            id = request.id;
            if (auto* measure = std::get_if<MeasureProgramRequest>(&request.body)) {
                measure->inputs = launchInputsFromFrame(frame);
            }
            if (const auto* course = std::get_if<CourseRequest>(&request.body)) {
                openCourse(courseOfTexts(course->name, course->kernels));
            } else {
                inbox.put(std::move(request));
            }
            continue;
        } catch (const MalformedKernelFile& error) {
            problem = error.what();
        } catch (const std::logic_error& error) {
            problem = std::string("a course comes first: ") + error.what();
        } catch (const MalformedJson& error) {
            problem = error.what();
        } catch (const MalformedFrame& error) {
            problem = std::string("its frame: ") + error.what();
        }
        const Failure failure{FailureKind::invalid, "request not understood: " + problem};
        const std::string request = requestHead(*line).request;
        if (request == "course" || request == "cancel") {
            answers.warn(failure);
        } else {
            answers.send(id, failure);
        }
    }
    inbox.close();
}

/// The exit code, where the process is to end.
std::optional<int> answer(const WorkerRequest& request, const std::stop_token& stop,
                          const Work& work, Answers& answers) {
    try {
        const ReportProgress report = [&](const Progress& progress) {
            answers.send(request.id, progress);
        };
        std::visit(
            [&](auto&& body) { answers.send(request.id, std::forward<decltype(body)>(body)); },
            work(request, report, stop));
    } catch (const FreshProcessNeeded&) {
        return needsFreshProcess;
    } catch (...) {
        const Failure failure = failureOf(std::current_exception());
        answers.send(request.id, failure);
        if (endsWorker(failure.kind)) return 1;
    }
    return std::nullopt;
}

}  // namespace

int answerRequests(std::istream& in, std::ostream& out, const Work& work,
                   const std::function<bool()>& rest) {
    // Shared with the reader, which may outlive this call.
    const auto inbox = std::make_shared<Inbox>();
    const auto answers = std::make_shared<Answers>(out);
    std::thread reader([&in, inbox, answers] { readRequests(in, *inbox, *answers); });
    while (auto next = inbox->take(rest)) {
        if (const auto code = answer(next->first, next->second, work, *answers)) {
            // It may wait for input that never comes; the process ends around it.
            reader.detach();
            return *code;
        }
    }
    reader.join();
    return 0;
}

}  // namespace warplens
