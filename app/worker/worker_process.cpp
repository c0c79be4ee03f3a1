#include "app/worker/worker_process.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#include "app/worker/worker_words.h"

namespace warplens {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t mostBytesAtOnce = 1u << 20;
constexpr std::size_t keptErrorBytes = 4096;
constexpr auto timeToEnd = 250ms;  // after its input was closed
constexpr auto timeToDie = 500ms;  // after SIGKILL; a driver call can hold a process longer
constexpr auto timeBetweenLooks = 5ms;

struct SpawnActions final {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    SpawnActions() {
        ::posix_spawn_file_actions_init(&files);
        ::posix_spawnattr_init(&attributes);
    }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;
    ~SpawnActions() {
        ::posix_spawnattr_destroy(&attributes);
        ::posix_spawn_file_actions_destroy(&files);
    }
};

/// The commands that run, for `killAllWorkers`. A client has one, and a few that are dying.
std::array<std::atomic<pid_t>, 64> runningGroups{};
static_assert(std::atomic<pid_t>::is_always_lock_free);

void noteGroup(pid_t group) {
    for (std::atomic<pid_t>& place : runningGroups) {
        pid_t free = 0;
        if (place.compare_exchange_strong(free, group)) return;
    }
}

void forgetGroup(pid_t group) {
    for (std::atomic<pid_t>& place : runningGroups) {
        pid_t noted = group;
        if (place.compare_exchange_strong(noted, 0)) return;
    }
}

pid_t spawnShell(const std::string& command, int input, int output, int errors) {
    SpawnActions actions;
    ::posix_spawn_file_actions_adddup2(&actions.files, input, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions.files, output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions.files, errors, STDERR_FILENO);
    sigset_t signals;
    ::sigemptyset(&signals);
    ::posix_spawnattr_setsigmask(&actions.attributes, &signals);
    ::sigaddset(&signals, SIGPIPE);
    ::sigaddset(&signals, SIGXFSZ);
    ::sigaddset(&signals, SIGINT);
    ::posix_spawnattr_setsigdefault(&actions.attributes, &signals);
    // A session of its own: a Ctrl-C in the terminal must reach us, who then cancel in order.
    ::posix_spawnattr_setflags(&actions.attributes,
                               POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::string shell = "sh";
    std::string option = "-c";
    std::string text = command;
    const std::array<char*, 4> arguments{shell.data(), option.data(), text.data(), nullptr};
    pid_t id = 0;
    const int error = ::posix_spawn(&id, "/bin/sh", &actions.files, &actions.attributes,
                                    arguments.data(), environ);
    if (error != 0) throw std::system_error(error, std::generic_category(), "cannot run /bin/sh");
    return id;
}

}  // namespace

void killAllWorkers() noexcept {
    bool any = false;
    for (const int signal : {SIGTERM, SIGKILL}) {
        // An srun that is asked takes its job out of the queue first; it takes milliseconds.
        const timespec time{0, 100'000'000};
        if (any) (void)::nanosleep(&time, nullptr);
        for (const std::atomic<pid_t>& place : runningGroups) {
            const pid_t group = place;
            if (group != 0) ::kill(-group, signal);
            any = any || group != 0;
        }
    }
}

WorkerProcess::WorkerProcess(const std::string& command) {
    Pipe input = makePipe();
    Pipe output = makePipe();
    Pipe errors = makePipe();
    setNonBlocking(input.writeEnd);
    setNonBlocking(output.readEnd);
    setNonBlocking(errors.readEnd);
    id_ = spawnShell(command, input.readEnd.value(), output.writeEnd.value(),
                     errors.writeEnd.value());
    noteGroup(id_);
    input_ = std::move(input.writeEnd);
    outputEnd_ = std::move(output.readEnd);
    errorEnd_ = std::move(errors.readEnd);
}

WorkerProcess::~WorkerProcess() {
    input_.close();
    outputEnd_.close();
    errorEnd_.close();
    if (!endsWithin(timeToEnd)) {
        kill();
        (void)endsWithin(timeToDie);
    }
    forgetGroup(id_);
}

bool WorkerProcess::endsWithin(std::chrono::milliseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    while (!exitStatus() && std::chrono::steady_clock::now() < until) {
        std::this_thread::sleep_for(timeBetweenLooks);
    }
    return exitStatus().has_value();
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

std::optional<int> WorkerProcess::exitStatus() {
    if (status_) return status_;
    siginfo_t ended{};
    // Looked at before it is reaped: until then its group number cannot be given to others.
    if (::waitid(P_PID, static_cast<id_t>(id_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0) {
        if (errno == ECHILD) {
            status_ = 0;  // SIGCHLD is ignored: the system keeps no status
            forgetGroup(id_);
        }
        return status_;
    }
    if (ended.si_pid != id_) return std::nullopt;
    ::kill(-id_, SIGKILL);
    forgetGroup(id_);
    int status = 0;
    if (::waitpid(id_, &status, 0) == id_) status_ = status;
    return status_;
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

void WorkerProcess::terminate() {
    if (!status_) ::kill(-id_, SIGTERM);
}

void WorkerProcess::kill() {
    if (!status_) ::kill(-id_, SIGKILL);
}

}  // namespace warplens
