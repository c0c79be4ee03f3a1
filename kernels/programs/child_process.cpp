#include "kernels/programs/child_process.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <future>
#include <mutex>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace warplens {
namespace {

using namespace std::chrono_literals;

constexpr int firstPassed = 3;
constexpr int firstOwnDescriptor = 3;
constexpr std::size_t mostPassed = 4;
constexpr auto timeToDie = 500ms;
constexpr auto timeBetweenLooks = 5ms;

/// The groups that run, for `endAllChildren`.
std::array<std::atomic<pid_t>, 64> runningGroups{};
static_assert(std::atomic<pid_t>::is_always_lock_free);

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

FileDescriptor aboveStandardStreams(FileDescriptor file) {
    if (file.value() >= firstOwnDescriptor) return file;
    const int moved = ::fcntl(file.value(), F_DUPFD_CLOEXEC, firstOwnDescriptor);
    if (moved < 0) fail("cannot make a pipe");
    return FileDescriptor(moved);
}

void replaceGroup(pid_t before, pid_t after) {
    for (std::atomic<pid_t>& place : runningGroups) {
        pid_t expected = before;
        if (place.compare_exchange_strong(expected, after)) return;
    }
}

/// Does work on a thread that lives as long as this process: the system ends a child that is to
/// end with its parent when the thread ends that has started it.
class LastingThread final {
  public:
    LastingThread() {
        std::thread([this] {
            for (;;) {
                std::unique_lock lock(mutex_);
                changed_.wait(lock, [this] { return !waiting_.empty(); });
                std::packaged_task<pid_t()> next = std::move(waiting_.front());
                waiting_.pop_front();
                lock.unlock();
                next();
            }
        }).detach();
    }
    pid_t run(std::function<pid_t()> work) {
        std::packaged_task<pid_t()> task(std::move(work));
        std::future<pid_t> done = task.get_future();
        {
            const std::lock_guard lock(mutex_);
            waiting_.push_back(std::move(task));
        }
        changed_.notify_one();
        return done.get();
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::packaged_task<pid_t()>> waiting_;
};

LastingThread& lastingThread() {
    static auto* const thread = new LastingThread;  // never destroyed: it waits to the end
    return *thread;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

void limit(int which, std::uint64_t most) {
    if (most == 0) return;
    rlimit both{};
    const auto resource = static_cast<__rlimit_resource>(which);
    getrlimit(resource, &both);
    both.rlim_cur = both.rlim_max = std::min<rlim_t>(most, both.rlim_max);
    setrlimit(resource, &both);
}

/// What the child needs, made before there is one.
struct Prepared final {
    const ChildStart& start;
    const ControlGroup& group;
    char* const* arguments;
    char* const* environment;
    const std::vector<sock_filter>& filter;
    pid_t parent;
};

/// The descriptors that it is given, from 0 on. First all away from where they are to be.
void placeDescriptors(const ChildStart& start) {
    constexpr int aside = 64;
    std::array<int, firstPassed + mostPassed> moved{};
    std::size_t count = 0;
    const auto move = [&](int from, int flags) {
        const int file = from >= 0 ? from : open("/dev/null", flags);
        moved[count++] = fcntl(file, F_DUPFD, aside);
    };
    for (int i = 0; i < firstPassed; ++i) {
        move(start.streams[static_cast<std::size_t>(i)], i == 0 ? O_RDONLY : O_WRONLY);
    }
    for (const int file : start.passed) move(file, 0);
    for (std::size_t i = 0; i < count; ++i) dup2(moved[i], static_cast<int>(i));
    if (close_range(static_cast<unsigned>(count), ~0U, 0) == 0) return;
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    for (rlim_t i = count; i < files.rlim_cur; ++i) close(static_cast<int>(i));
}

/// Between fork and exec: system calls only.
[[noreturn]] void becomeChild(const Prepared& prepared) {
    const ChildStart& start = prepared.start;
    setsid();
    if (start.endsWithUs) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != prepared.parent) _exit(127);
    }
    prepared.group.enter();
    placeDescriptors(start);
    if (start.calls != SystemCalls::all) {
        const rlimit none{0, 0};
        setrlimit(RLIMIT_CORE, &none);
    }
    const ChildLimits& limits = start.limits;
    // What is used is looked at (ProcessWatch, ControlGroup); this is for what comes too fast.
    limit(RLIMIT_DATA, 8 * limits.memoryBytes);
    limit(RLIMIT_FSIZE, limits.fileBytes);
    limit(RLIMIT_NOFILE, limits.files);
    limit(RLIMIT_NPROC, limits.processes);
    limit(RLIMIT_CPU, static_cast<std::uint64_t>(limits.processor.count()));
    for (int each = 1; each < NSIG; ++each) std::signal(each, SIG_DFL);
    sigset_t noSignals;
    sigemptyset(&noSignals);
    sigprocmask(SIG_SETMASK, &noSignals, nullptr);
    if (!start.folder.empty() && chdir(start.folder.c_str()) != 0) _exit(126);
    if (!keepTo(prepared.filter)) _exit(127);
    execve(prepared.arguments[0], prepared.arguments, prepared.environment);
    _exit(127);
}

}  // namespace

Pipe makePipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("cannot make a pipe");
    FileDescriptor readEnd(ends[0]);
    FileDescriptor writeEnd(ends[1]);
    return {aboveStandardStreams(std::move(readEnd)), aboveStandardStreams(std::move(writeEnd))};
}

void endAllChildren() noexcept {
    bool any = false;
    for (const int number : {SIGTERM, SIGKILL}) {
        // An srun that is asked takes its job out of the queue first; it takes milliseconds.
        const timespec time{0, 100'000'000};
        if (any) (void)nanosleep(&time, nullptr);
        for (const std::atomic<pid_t>& place : runningGroups) {
            const pid_t group = place;
            if (group != 0) kill(-group, number);
            any = any || group != 0;
        }
    }
}

ChildProcess::ChildProcess(const ChildStart& start)
    : group_(start.limits.memoryBytes, start.limits.processes) {
    if (start.passed.size() > mostPassed) throw std::length_error("too many descriptors");
    std::vector<std::string> arguments = start.arguments;
    std::vector<std::string> environment = start.environment;
    const std::vector<char*> argumentPointers = pointersTo(arguments);
    const std::vector<char*> environmentPointers = pointersTo(environment);
    const std::vector<sock_filter> filter = filterOf(start.calls);
    const Prepared prepared{start,  group_,  argumentPointers.data(), environmentPointers.data(),
                            filter, getpid()};
    int error = 0;
    id_ = lastingThread().run([&] {
        const pid_t child = fork();
        if (child == 0) becomeChild(prepared);
        error = errno;
        return child;
    });
    if (id_ < 0) throw std::system_error(error, std::generic_category(), "fork");
    replaceGroup(0, id_);
}

ChildProcess::~ChildProcess() {
    signal(SIGKILL);
    (void)endsWithin(timeToDie);
    replaceGroup(id_, 0);
}

std::optional<int> ChildProcess::exitStatus() {
    if (status_) return status_;
    siginfo_t ended{};
    // Looked at before it is reaped: until then its group number cannot be given to others.
    if (waitid(P_PID, static_cast<id_t>(id_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0) {
        if (errno == ECHILD) {
            status_ = 0;  // SIGCHLD is ignored: the system keeps no status
            replaceGroup(id_, 0);
        }
        return status_;
    }
    if (ended.si_pid != id_) return std::nullopt;
    kill(-id_, SIGKILL);
    replaceGroup(id_, 0);
    int status = 0;
    if (waitpid(id_, &status, 0) == id_) status_ = status;
    return status_;
}

bool ChildProcess::endsWithin(std::chrono::milliseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    while (!exitStatus() && std::chrono::steady_clock::now() < until) {
        std::this_thread::sleep_for(timeBetweenLooks);
    }
    return exitStatus().has_value();
}

void ChildProcess::signal(int number) const {
    if (status_) return;
    // One that has just been started may have no group yet.
    if (kill(-id_, number) != 0) kill(id_, number);
}

std::vector<std::string> ownEnvironment() {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
    return all;
}

std::string findProgram(const std::string& name) {
    if (name.find('/') != std::string::npos) {
        return access(name.c_str(), X_OK) == 0 ? std::filesystem::absolute(name).string()
                                               : std::string();
    }
    const char* path = std::getenv("PATH");
    std::string rest = path == nullptr ? "/usr/bin:/bin" : path;
    while (!rest.empty()) {
        const std::size_t colon = rest.find(':');
        const std::filesystem::path candidate = std::filesystem::path(rest.substr(0, colon)) / name;
        rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
        std::error_code error;
        if (access(candidate.c_str(), X_OK) == 0 &&
            std::filesystem::is_regular_file(candidate, error)) {
            return std::filesystem::absolute(candidate).string();
        }
    }
    return {};
}

}  // namespace warplens
