#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <ext/stdio_filebuf.h>
#include <fcntl.h>
#include <istream>
#include <map>
#include <optional>
#include <ostream>
#include <poll.h>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/measurement/worker_protocol.h"
#include "core/text/files.h"
#include "core/text/format.h"
#include "kernels/measure/device/driver.h"
#include "kernels/worker/request_loop.h"

namespace warplens {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t pieceBytes = 1u << 16;

/// A request as it came in, with the frame that follows it.
struct Message final {
    RequestHead head;
    std::string bytes;
};

/// Takes bytes apart into requests. Of a line no more is kept than what is understood, and a byte
/// more, so that it is still seen to be too long.
class MessageReader final {
  public:
    explicit MessageReader(std::function<void(Message)> receive) : receive_(std::move(receive)) {}

    void take(std::string_view bytes) {
        while (!bytes.empty()) {
            if (frameLeft_ != 0) {
                const std::size_t count = std::min<std::uint64_t>(frameLeft_, bytes.size());
                message_.bytes.append(bytes.substr(0, count));
                bytes.remove_prefix(count);
                frameLeft_ -= count;
                if (frameLeft_ == 0) finish();
                continue;
            }
            const std::size_t end = bytes.find('\n');
            std::string& line = message_.bytes;
            line.append(bytes.substr(0, std::min(end, longestProtocolLine + 1 - line.size())));
            if (end == std::string_view::npos) return;
            bytes.remove_prefix(end + 1);
            finishLine();
        }
    }
    /// What is cut off is handed on, too: it is answered.
    void end() {
        if (frameLeft_ != 0) {
            finish();
        } else {
            finishLine();
        }
    }

  private:
    void finishLine() {
        if (message_.bytes.empty()) return;
        if (message_.bytes.size() <= longestProtocolLine)
            message_.head = requestHead(message_.bytes);
        message_.bytes += '\n';
        frameLeft_ = message_.head.frameBytes;
        if (frameLeft_ == 0) finish();
    }
    void finish() {
        frameLeft_ = 0;
        receive_(std::exchange(message_, {}));
    }

    std::function<void(Message)> receive_;
    Message message_;
    std::uint64_t frameLeft_ = 0;
};

std::pair<FileDescriptor, FileDescriptor> pipeEnds() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

/// Kernels that print write to standard output: that leads nowhere, so that nothing stands between
/// the answers.
void leaveStandardStreams() {
    const FileDescriptor nowhere(::open("/dev/null", O_RDWR | O_CLOEXEC));
    ::dup2(nowhere.value(), STDIN_FILENO);
    ::dup2(nowhere.value(), STDOUT_FILENO);
}

/// The process that measures.
class Child final {
  public:
    /// Throws std::system_error.
    explicit Child(const RequestChild& answer) {
        auto [requestsOut, requestsIn] = pipeEnds();
        auto [answersOut, answersIn] = pipeEnds();
        const auto [line, end] = Watchdog::connections();
        FileDescriptor lineEnd(line);
        watchdogEnd_ = FileDescriptor(end);
        const pid_t parent = ::getpid();
        id_ = ::fork();
        if (id_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
        if (id_ == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (::getppid() != parent) ::_exit(1);
            leaveStandardStreams();
            requestsIn.close();
            answersOut.close();
            watchdogEnd_.close();
            __gnu_cxx::stdio_filebuf<char> in(requestsOut.value(), std::ios::in, pieceBytes);
            __gnu_cxx::stdio_filebuf<char> out(answersIn.value(), std::ios::out, pieceBytes);
            std::istream requests(&in);
            std::ostream answers(&out);
            const int code = answer(requests, answers, WatchedLine(lineEnd.value()));
            answers.flush();
            // Without waiting for a detached reader or for destructors of a poisoned context.
            std::_Exit(code);
        }
        requests_ = std::move(requestsIn);
        answers_ = std::move(answersOut);
        ::fcntl(requests_.value(), F_SETFL, O_NONBLOCK);
        watchdog_ = Watchdog(watchdogEnd_.value());
    }
    Child(Child&&) = delete;
    ~Child() {
        if (id_ > 0) {
            kill();
            (void)wait();
        }
    }

    void send(const std::string& bytes) { outgoing_ += bytes; }
    void endInput() { endsInput_ = true; }
    [[nodiscard]] bool isEnding() const { return endsInput_; }
    void kill() const { ::kill(id_, SIGKILL); }
    /// Its wait status, once its answers have ended.
    [[nodiscard]] int wait() {
        int status = 0;
        while (::waitpid(std::exchange(id_, 0), &status, 0) < 0 && errno == EINTR) {
        }
        return status;
    }

    [[nodiscard]] pollfd requestsPoll() const {
        const bool waits = requests_.isOpen() && (written_ < outgoing_.size() || endsInput_);
        return {waits ? requests_.value() : -1, POLLOUT, 0};
    }
    [[nodiscard]] pollfd answersPoll() const { return {answers_.value(), POLLIN, 0}; }
    [[nodiscard]] pollfd watchdogPoll() const {
        return {watchdogEnd_.isOpen() ? watchdogEnd_.value() : -1, POLLIN, 0};
    }
    [[nodiscard]] std::optional<milliseconds> timeLeft() const { return watchdog_.timeLeft(); }

    /// What was written stays where it is until all was.
    void writeRequests() {
        while (written_ < outgoing_.size()) {
            const ssize_t count = ::write(requests_.value(), outgoing_.data() + written_,
                                          outgoing_.size() - written_);
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) {
                if (errno != EAGAIN) requests_.close();  // it has ended
                return;
            }
            written_ += static_cast<std::size_t>(count);
        }
        outgoing_ = std::string();  // its memory, too
        written_ = 0;
        if (endsInput_) requests_.close();
    }
    /// False once there will be no more.
    [[nodiscard]] bool readAnswers(std::string& into) const {
        std::array<char, pieceBytes> piece;
        const ssize_t count = ::read(answers_.value(), piece.data(), piece.size());
        if (count > 0) into.append(piece.data(), static_cast<std::size_t>(count));
        return count > 0 || (count < 0 && errno == EINTR);
    }
    void readWatchdog() {
        if (!watchdog_.read()) watchdogEnd_.close();
    }

  private:
    pid_t id_ = 0;
    FileDescriptor requests_;
    FileDescriptor answers_;
    FileDescriptor watchdogEnd_;
    Watchdog watchdog_;
    std::string outgoing_;
    std::size_t written_ = 0;
    bool endsInput_ = false;
};

void writeOut(std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(STDOUT_FILENO, text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) std::_Exit(1);
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

/// Ends this process as the child ended; returns the exit code where that can be returned.
int endLike(int status) {
    if (WIFEXITED(status)) return WEXITSTATUS(status) == 0 ? 1 : WEXITSTATUS(status);
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    std::signal(WTERMSIG(status), SIG_DFL);
    ::raise(WTERMSIG(status));
    return 1;
}

class Supervisor final {
  public:
    Supervisor(const RequestChild& answer, milliseconds idleTime)
        : answer_(answer), idleTime_(idleTime) {}

    int run() {
        while (true) {
            startNext();
            if (inputEnded_ && !current_) {
                if (!child_) return 0;
                child_->endInput();
            }
            std::array<pollfd, 5> watched{{{inputEnded_ ? -1 : STDIN_FILENO, POLLIN, 0},
                                           {STDOUT_FILENO, 0, 0},
                                           {-1, 0, 0},
                                           {-1, 0, 0},
                                           {-1, 0, 0}}};
            if (child_) {
                watched[2] = child_->requestsPoll();
                watched[3] = child_->answersPoll();
                watched[4] = child_->watchdogPoll();
            }
            (void)::poll(watched.data(), watched.size(), timeout());
            // Of a file or a terminal that stays there is nothing to be told.
            if ((watched[1].revents & (POLLERR | POLLHUP)) != 0) std::_Exit(1);
            if (watched[0].revents != 0) readInput();
            if (!child_) continue;
            if (watched[2].revents != 0) child_->writeRequests();
            if (watched[4].revents != 0) child_->readWatchdog();
            if (watched[3].revents != 0 && !passAnswersOn()) {
                if (const auto code = childEnded()) return *code;
                continue;
            }
            if (child_->timeLeft() == milliseconds(0)) child_->kill();
            if (!current_ && Clock::now() >= idleSince_ + idleTime_) child_->endInput();
        }
    }

  private:
    void receive(Message message) {
        const std::string& request = message.head.request;
        if (request == "course") {
            course_ = message.bytes;
            if (child_) child_->send(course_);
        } else if (request == "cancel") {
            if (current_ && current_->head.id == message.head.target) child_->send(message.bytes);
            cancels_[message.head.target] = std::move(message.bytes);
        } else {
            waiting_.push_back(std::move(message));
        }
    }

    void startNext() {
        if (current_ || waiting_.empty()) return;
        if (child_ && child_->isEnding()) return;  // a fresh one takes over from it
        current_ = std::move(waiting_.front());
        waiting_.pop_front();
        if (!child_) startChild();
        sendCurrent();
    }
    void startChild() {
        child_.emplace(answer_);
        child_->send(course_);
    }
    void sendCurrent() {
        // A cancel comes first: it is heeded before anything is begun.
        const auto cancel = cancels_.find(current_->head.id);
        if (cancel != cancels_.end()) child_->send(cancel->second);
        child_->send(current_->bytes);
        if (inputEnded_ && waiting_.empty()) child_->endInput();
    }

    [[nodiscard]] int timeout() const {
        std::optional<milliseconds> left;
        if (child_) left = child_->timeLeft();
        if (child_ && !current_) {
            const auto idle =
                std::chrono::ceil<milliseconds>(idleSince_ + idleTime_ - Clock::now());
            left = std::min(left.value_or(idle), std::max(idle, milliseconds(1)));
        }
        return left ? static_cast<int>(left->count()) : -1;
    }

    void readInput() {
        std::array<char, pieceBytes> piece;
        const ssize_t count = ::read(STDIN_FILENO, piece.data(), piece.size());
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
        if (count > 0) {
            reader_.take({piece.data(), static_cast<std::size_t>(count)});
            return;
        }
        inputEnded_ = true;
        reader_.end();
        // What is being measured needs no more of it, and may wait for the rest of a frame.
        if (child_ && waiting_.empty()) child_->endInput();
    }

    /// False once the child has ended.
    [[nodiscard]] bool passAnswersOn() {
        const bool more = child_->readAnswers(answers_);
        std::size_t begin = 0;
        for (std::size_t end;
             (end = answers_.find('\n', std::max(begin, searched_))) != std::string::npos;
             begin = end + 1) {
            if (end == begin) {
                finishCurrent();
            } else {
                writeOut(std::string_view(answers_).substr(begin, end + 1 - begin));
            }
            searched_ = 0;
        }
        answers_.erase(0, begin);
        searched_ = answers_.size();
        return more;
    }
    void finishCurrent() {
        if (current_) cancels_.erase(current_->head.id);
        current_.reset();
        retried_ = false;
        idleSince_ = Clock::now();
    }

    /// The exit code, where this process is to end, too.
    [[nodiscard]] std::optional<int> childEnded() {
        const int status = child_->wait();
        child_.reset();
        answers_.clear();
        searched_ = 0;
        if (!current_) return std::nullopt;
        const bool fresh = WIFEXITED(status) && WEXITSTATUS(status) == needsFreshProcess;
        if (!fresh || std::exchange(retried_, true)) return endLike(status);
        startChild();
        sendCurrent();
        return std::nullopt;
    }

    const RequestChild& answer_;
    milliseconds idleTime_;
    MessageReader reader_{[this](Message message) { receive(std::move(message)); }};
    std::deque<Message> waiting_;
    std::optional<Message> current_;
    std::map<std::uint64_t, std::string> cancels_;  ///< by target
    std::string course_;
    std::optional<Child> child_;
    std::string answers_;
    std::size_t searched_ = 0;  ///< bytes of `answers_` without an end of a line
    bool inputEnded_ = false;
    bool retried_ = false;  ///< by a fresh child
    Clock::time_point idleSince_{};
};

}  // namespace

int superviseRequests(const RequestChild& answer, milliseconds idleTime) {
    std::signal(SIGPIPE, SIG_DFL);  // nobody reads any more: end
    const char* const job = std::getenv("SLURM_JOB_ID");
    writeOut(toJsonLine(WorkerEvent{0, Hello{version(), hostName(), job != nullptr ? job : ""}}) +
             '\n');
    return Supervisor(answer, idleTime).run();
}

}  // namespace warplens
