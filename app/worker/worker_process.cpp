#include "app/worker/worker_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "app/worker/worker_client_state.h"

namespace warplens {
namespace {

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

/// Keeps SIGPIPE from this thread while it lives, whatever the program does with that signal.
class SigpipeHeld final {
  public:
    SigpipeHeld() {
        ::sigemptyset(&pipe_);
        ::sigaddset(&pipe_, SIGPIPE);
        sigset_t pending;
        ::sigpending(&pending);
        wasPending_ = ::sigismember(&pending, SIGPIPE) == 1;
        ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    SigpipeHeld(SigpipeHeld&&) = delete;
    ~SigpipeHeld() {
        if (!wasPending_) {
            const timespec atOnce{};
            while (::sigtimedwait(&pipe_, nullptr, &atOnce) < 0 && errno == EINTR) {
            }
        }
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

  private:
    sigset_t pipe_{};
    sigset_t before_{};
    bool wasPending_ = false;
};

/// From now on reads and writes of `file` return at once. Throws std::system_error.
void setNonBlocking(const FileDescriptor& file) {
    const int flags = ::fcntl(file.value(), F_GETFL);
    if (flags < 0 || ::fcntl(file.value(), F_SETFL, flags | O_NONBLOCK) != 0) {
        fail("cannot set up a pipe");
    }
}

/// Writes what fits of `text` without waiting and returns how many bytes that were. Nothing when
/// nobody reads any more; no SIGPIPE is raised then.
std::optional<std::size_t> writeAvailable(const FileDescriptor& file, std::string_view text) {
    const SigpipeHeld held;
    std::size_t written = 0;
    while (written < text.size()) {
        const ssize_t count = ::write(file.value(), text.data() + written, text.size() - written);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) break;
        if (count < 0) return std::nullopt;
        written += static_cast<std::size_t>(count);
    }
    return written;
}

constexpr int shellSignalBase = 128;

/// The signal that ended the process, or the command of the shell that it was; 0 when none did.
int endingSignal(int waitStatus) {
    if (WIFSIGNALED(waitStatus)) return WTERMSIG(waitStatus);
    const int signal = WEXITSTATUS(waitStatus) - shellSignalBase;
    return signal > 0 && ::sigdescr_np(signal) ? signal : 0;
}

using namespace std::chrono_literals;

constexpr std::size_t mostBytesAtOnce = 1u << 20;
constexpr std::size_t keptErrorBytes = 4096;
constexpr auto timeToEnd = 250ms;  // after its input was closed

}  // namespace

bool readAvailable(const FileDescriptor& file, std::string& text, std::size_t most) {
    std::array<char, 65536> piece;
    while (most > 0) {
        const ssize_t count = ::read(file.value(), piece.data(), std::min(piece.size(), most));
        if (count == 0) return false;
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno == EAGAIN;
        text.append(piece.data(), static_cast<std::size_t>(count));
        most -= static_cast<std::size_t>(count);
    }
    return true;
}

std::string exitStatusInWords(int waitStatus) {
    const int signal = endingSignal(waitStatus);
    if (signal == 0) return "exited with code " + std::to_string(WEXITSTATUS(waitStatus));
    const char* name = ::sigdescr_np(signal);
    return "was ended by signal " + std::to_string(signal) +
           (name ? " (" + std::string(name) + ")" : "");
}

bool isShellsNotice(const std::string& line, int waitStatus) {
    const char* name = ::sigdescr_np(endingSignal(waitStatus));
    return name && line.starts_with(name);
}

bool saysCommandNotFound(int waitStatus) {
    return WIFEXITED(waitStatus) &&
           (WEXITSTATUS(waitStatus) == 126 || WEXITSTATUS(waitStatus) == 127);
}

WorkerProcess::WorkerProcess(const std::string& command) {
    Pipe input = makePipe();
    Pipe output = makePipe();
    Pipe errors = makePipe();
    setNonBlocking(input.writeEnd);
    setNonBlocking(output.readEnd);
    setNonBlocking(errors.readEnd);
    // It may outlive us: srun, told that its input has ended, takes its job out of the queue first.
    process_.emplace(ChildStart{
        .arguments = {"/bin/sh", "-c", command},
        .environment = ownEnvironment(),
        .streams = {input.readEnd.value(), output.writeEnd.value(), errors.writeEnd.value()},
        .endsWithUs = false});
    input_ = std::move(input.writeEnd);
    outputEnd_ = std::move(output.readEnd);
    errorEnd_ = std::move(errors.readEnd);
}

WorkerProcess::~WorkerProcess() {
    input_.close();
    outputEnd_.close();
    errorEnd_.close();
    (void)endsWithin(timeToEnd);
}

/// What was written stays where it is until all was: moving up the rest each time would take a time
/// that grows with the square of it.
void WorkerProcess::writeOutgoing() {
    if (outgoing_.empty() || !input_.isOpen()) return;
    const auto count = writeAvailable(input_, std::string_view(outgoing_).substr(written_));
    if (!count) input_.close();
    written_ += count.value_or(0);
    if (count && written_ < outgoing_.size()) return;
    outgoing_ = std::string();  // its memory, too
    written_ = 0;
}

void WorkerProcess::exchange(int milliseconds) {
    // Asked before reading: all that a process wrote before it ended is then there to be read.
    const bool ended = exitStatus().has_value();
    std::array<pollfd, 3> watched{{{outputEnd_.value(), POLLIN, 0},
                                   {errorEnd_.value(), POLLIN, 0},
                                   {outgoing_.empty() ? -1 : input_.value(), POLLOUT, 0}}};
    (void)::poll(watched.data(), watched.size(), ended ? 0 : milliseconds);
    writeOutgoing();
    if (errorEnd_.isOpen()) {
        if (!readAvailable(errorEnd_, errors_, mostBytesAtOnce)) errorEnd_.close();
        if (errors_.size() > keptErrorBytes) {
            const std::size_t dropped = errors_.size() - keptErrorBytes;
            errors_.erase(0, dropped);
            errorsTaken_ -= std::min(errorsTaken_, dropped);
        }
    }
    if (outputEnd_.isOpen()) {
        const std::size_t before = output_.size();
        const bool open = readAvailable(outputEnd_, output_, mostBytesAtOnce);
        // A child of the command may hold the pipe open after the command has ended.
        const bool drained = output_.size() - before < mostBytesAtOnce;
        if (!open || (ended && drained)) {
            outputEnd_.close();
            outputEnded_ = true;
        }
    }
}

std::string WorkerProcess::lastErrorLine() const {
    std::string_view text = errors_;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
    const std::size_t start = text.rfind('\n');
    if (start != std::string_view::npos) text.remove_prefix(start + 1);
    return printable(text, 300);
}

std::vector<std::string> WorkerProcess::takeErrorLines() {
    std::vector<std::string> lines;
    for (std::size_t end; (end = errors_.find('\n', errorsTaken_)) != std::string::npos;) {
        lines.push_back(errors_.substr(errorsTaken_, end - errorsTaken_));
        errorsTaken_ = end + 1;
    }
    return lines;
}

}  // namespace warplens
