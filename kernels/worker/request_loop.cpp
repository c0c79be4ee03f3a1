#include "kernels/worker/request_loop.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
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

#include "core/course/course.h"
#include "core/json/json.h"
#include "core/program/byte_frame.h"
#include "core/program/launch_inputs.h"
#include "core/text/format.h"
#include "kernels/measure/device/host_name.h"
#include "kernels/measure/measuring.h"
#include "kernels/worker/failure.h"
#include "kernels/worker/renewal.h"

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
    /// While there is none `idle` is called, without the lock, and says when it is to be called
    /// again.
    std::optional<std::pair<WorkerRequest, std::stop_token>> take(
        const std::function<std::optional<std::chrono::milliseconds>()>& idle) {
        std::unique_lock lock(mutex_);
        running_.reset();
        const auto some = [&] { return closed_ || !waiting_.empty(); };
        while (!some()) {
            lock.unlock();
            const auto next = idle();
            lock.lock();
            if (next) {
                changed_.wait_for(lock, *next, some);
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

    /// Told again to whoever goes on in this process's place.
    void keep(const WorkerRequest& course) {
        const std::lock_guard lock(mutex_);
        course_ = toWire(course);
    }

    /// What waits, as it came in, after the request that is to be carried out anew.
    [[nodiscard]] std::string waiting(const WorkerRequest* anew = nullptr) {
        const std::lock_guard lock(mutex_);
        std::string lines = course_;
        if (anew != nullptr) lines += toWire(*anew);
        for (const WorkerRequest& request : waiting_) lines += toWire(request);
        for (const std::uint64_t id : cancelled_) {
            lines += toWire({0, CancelRequest{id}});
        }
        return lines;
    }
    /// Nothing waits, and more may come.
    [[nodiscard]] bool isIdle() {
        const std::lock_guard lock(mutex_);
        return waiting_.empty() && !closed_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<WorkerRequest> waiting_;
    std::set<std::uint64_t> cancelled_;
    std::optional<std::uint64_t> running_;
    std::stop_source stop_;
    std::string course_;
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

void readRequests(std::istream& in, Inbox& inbox, Answers& answers, Renewal* renewal) {
    while (const std::optional<std::string> line = nextLine(in)) {
        std::uint64_t id = 0;
        std::optional<std::string> problem;
        try {
            if (!line->empty()) {
                std::vector<std::byte> frame;
                WorkerRequest request = requestFromJsonLine(
                    *line, [&](std::uint64_t bytes) { frame = nextFrame(in, bytes); });
                id = request.id;
                if (auto* measure = std::get_if<MeasureProgramRequest>(&request.body)) {
                    measure->inputs = launchInputsFromFrame(frame);
                }
                if (const auto* course = std::get_if<CourseRequest>(&request.body)) {
                    openCourse(courseOfTexts(course->name, course->kernels));
                    inbox.keep(request);
                } else {
                    inbox.put(std::move(request));
                }
            }
        } catch (const MalformedKernelFile& error) {
            problem = error.what();
        } catch (const std::logic_error& error) {
            problem = std::string("a course comes first: ") + error.what();
        } catch (const MalformedJson& error) {
            problem = error.what();
        } catch (const MalformedFrame& error) {
            problem = std::string("its frame: ") + error.what();
        }
        if (problem) {
            answers.send(id, Failure{FailureKind::invalid, "request not understood: " + *problem});
        }
        if (renewal != nullptr) renewal->lineHandled();
    }
    inbox.close();
}

/// For a request that this process as it is cannot carry out.
void startAnewFor(const WorkerRequest& request, const std::stop_token& stop, Inbox& inbox,
                  Renewal* renewal) {
    if (renewal == nullptr) throw RenewalNeeded();
    constexpr int attempts = 1000;
    for (int attempt = 0; attempt < attempts && !stop.stop_requested(); ++attempt) {
        // A line may just be read: a moment later it has been.
        renewal->now([&] { return inbox.waiting(&request); });
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (stop.stop_requested()) throw Cancelled();
    throw RenewalNeeded();
}

/// False when the process should end.
bool answer(const WorkerRequest& request, const std::stop_token& stop, const Work& work,
            Answers& answers, const std::function<void()>& startAnew) {
    try {
        const ReportProgress report = [&](const Progress& progress) {
            answers.send(request.id, progress);
        };
        const auto carriedOut = [&] {
            try {
                return work(request, report, stop);
            } catch (const RenewalNeeded&) {
                startAnew();
                throw;
            }
        };
        std::visit(
            [&](auto&& body) { answers.send(request.id, std::forward<decltype(body)>(body)); },
            carriedOut());
    } catch (...) {
        const Failure failure = failureOf(std::current_exception());
        answers.send(request.id, failure);
        return !endsWorker(failure.kind);
    }
    return true;
}

/// What is done while nothing is asked for.
class Idleness final {
  public:
    Idleness(const std::function<bool()>& rest, Renewal* renewal, Inbox& inbox, bool fresh)
        : rest_(rest), renewal_(renewal), inbox_(inbox), fresh_(fresh) {}

    /// When to be called again; nothing where there is nothing more to do.
    [[nodiscard]] std::optional<std::chrono::milliseconds> pass() {
        const auto now = std::chrono::steady_clock::now();
        if (!since_) since_ = now;
        if (rest_ && rest_()) return betweenRests;
        // What has just started has nothing to give back.
        if (renewal_ == nullptr || fresh_) return std::nullopt;
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(*since_ + renewal_->idleTime() - now);
        if (left.count() > 0) return left;
        if (inbox_.isIdle()) renewal_->now([&] { return inbox_.waiting(); });
        since_ = now;  // something is just being read, or it is not possible: later
        return renewal_->idleTime();
    }
    void restsAfterNext() {
        fresh_ = false;
        since_.reset();
    }

  private:
    static constexpr std::chrono::milliseconds betweenRests{50};
    const std::function<bool()>& rest_;
    Renewal* renewal_;
    Inbox& inbox_;
    bool fresh_;
    std::optional<std::chrono::steady_clock::time_point> since_;
};

}  // namespace

int answerRequests(std::istream& in, std::ostream& out, const Work& work,
                   const std::function<bool()>& rest, Renewal* renewal, bool greets) {
    // Shared with the reader, which may outlive this call.
    const auto inbox = std::make_shared<Inbox>();
    const auto answers = std::make_shared<Answers>(out);
    if (greets) {
        const char* const job = std::getenv("SLURM_JOB_ID");
        answers->send(0, Hello{version(), hostName(), job != nullptr ? job : ""});
    }
    std::thread reader(
        [&in, inbox, answers, renewal] { readRequests(in, *inbox, *answers, renewal); });
    Idleness idleness{rest, renewal, *inbox, !greets};
    while (auto next = inbox->take([&] { return idleness.pass(); })) {
        idleness.restsAfterNext();
        const auto startAnew = [&] { startAnewFor(next->first, next->second, *inbox, renewal); };
        if (!answer(next->first, next->second, work, *answers, startAnew)) {
            // It may wait for input that never comes; the process ends around it.
            reader.detach();
            return 1;
        }
    }
    reader.join();
    return 0;
}

}  // namespace warplens
