#include "kernels/trace/run/child_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

extern char** environ;

namespace warplens {
namespace {

using Clock = std::chrono::steady_clock;

class Descriptor final {
  public:
    explicit Descriptor(int value = -1) : value_(value) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }
    [[nodiscard]] int get() const { return value_; }
    void reset(int value) {
        close();
        value_ = value;
    }
    void close() {
        if (value_ >= 0) ::close(value_);
        value_ = -1;
    }

  private:
    int value_;
};

void openPipe(Descriptor& read, Descriptor& write) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    read.reset(ends[0]);
    write.reset(ends[1]);
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

void limit(int which, std::uint64_t most) {
    if (most == 0) return;
    const rlimit both{most, most};
    setrlimit(static_cast<__rlimit_resource>(which), &both);
}

/// Between fork and exec: system calls only.
[[noreturn]] void becomeChild(const ChildCommand& command, char* const* arguments,
                              char* const* environment, int output, int pipe) {
    setsid();
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, 0);
    dup2(output, 1);
    dup2(output, 2);
    if (pipe >= 0) {
        if (pipe == ChildCommand::pipe) {
            fcntl(pipe, F_SETFD, 0);
        } else {
            dup2(pipe, ChildCommand::pipe);
        }
    }
    for (int other = pipe >= 0 ? ChildCommand::pipe + 1 : 3; other < 1024; ++other) close(other);
    const ChildLimits& limits = command.limits;
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    limit(RLIMIT_DATA, limits.memoryBytes);
    limit(RLIMIT_FSIZE, limits.fileBytes);
    limit(RLIMIT_NOFILE, limits.files);
    limit(RLIMIT_NPROC, limits.processes);
    limit(RLIMIT_CPU, static_cast<std::uint64_t>(limits.processor.count()));
    for (const int each : {SIGINT, SIGTERM, SIGPIPE, SIGCHLD, SIGHUP}) std::signal(each, SIG_DFL);
    sigset_t noSignals;
    sigemptyset(&noSignals);
    sigprocmask(SIG_SETMASK, &noSignals, nullptr);
    if (!command.folder.empty() && chdir(command.folder.c_str()) != 0) _exit(126);
    execve(arguments[0], arguments, environment);
    _exit(127);
}

std::vector<std::string> environmentOf(const ChildCommand& command) {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const std::string name = text.substr(0, text.find('=') + 1);
        bool replaced = false;
        for (const std::string& own : command.environment) {
            replaced = replaced || own.starts_with(name);
        }
        if (!replaced) all.push_back(text);
    }
    all.insert(all.end(), command.environment.begin(), command.environment.end());
    return all;
}

std::string secondsText(std::chrono::duration<double> time) {
    std::string text = std::to_string(time.count());
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text + " s";
}

}  // namespace

ChildResult runChild(const ChildCommand& command,
                     const std::function<void(const char*, std::size_t)>& onPipe,
                     const std::function<bool()>& cancelled) {
    Descriptor outputRead;
    Descriptor outputWrite;
    Descriptor pipeRead;
    Descriptor pipeWrite;
    openPipe(outputRead, outputWrite);
    if (command.hasPipe) openPipe(pipeRead, pipeWrite);
    std::vector<std::string> arguments = command.arguments;
    std::vector<std::string> environment = environmentOf(command);
    const std::vector<char*> argumentPointers = pointersTo(arguments);
    const std::vector<char*> environmentPointers = pointersTo(environment);
    const Clock::time_point begin = Clock::now();
    const pid_t child = fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (child == 0) {
        becomeChild(command, argumentPointers.data(), environmentPointers.data(), outputWrite.get(),
                    pipeWrite.get());
    }
    outputWrite.close();
    pipeWrite.close();
    ChildResult result;
    std::uint64_t written = 0;
    const auto stop = [&](const std::string& why) {
        if (result.stopped.empty()) result.stopped = why;
        kill(-child, SIGKILL);
    };
    std::array<char, 1 << 16> buffer{};
    bool exited = false;
    int status = 0;
    Clock::time_point closing{};
    while (outputRead.get() >= 0 || pipeRead.get() >= 0 || !exited) {
        std::array<pollfd, 2> waiting{{{outputRead.get(), POLLIN, 0}, {pipeRead.get(), POLLIN, 0}}};
        // Who has closed both is about to end: nothing else tells when.
        const bool isSilent = outputRead.get() < 0 && pipeRead.get() < 0;
        const int ready = poll(waiting.data(), waiting.size(), exited ? 10 : (isSilent ? 1 : 50));
        if (ready > 0) {
            for (std::size_t i = 0; i < waiting.size(); ++i) {
                if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
                Descriptor& from = i == 0 ? outputRead : pipeRead;
                const ssize_t size = read(from.get(), buffer.data(), buffer.size());
                if (size <= 0) {
                    from.close();
                    continue;
                }
                const auto bytes = static_cast<std::size_t>(size);
                if (i == 1) {
                    if (onPipe) onPipe(buffer.data(), bytes);
                    continue;
                }
                written += bytes;
                const std::size_t room = command.limits.outputKept > result.output.size()
                                             ? command.limits.outputKept - result.output.size()
                                             : 0;
                result.output.append(buffer.data(), std::min(bytes, room));
                result.outputCut = result.outputCut || bytes > room;
                if (written > command.limits.outputMost) {
                    stop("it printed more than " + std::to_string(command.limits.outputMost >> 20) +
                         " MiB");
                }
            }
        }
        if (!exited && waitpid(child, &status, WNOHANG) == child) {
            exited = true;
            closing = Clock::now();
            kill(-child, SIGKILL);  // what it left behind
        }
        const auto now = Clock::now();
        if (exited && now - closing > std::chrono::seconds(1)) break;  // someone else holds a pipe
        if (!exited && command.limits.wall.count() > 0 && now - begin > command.limits.wall) {
            stop("it took longer than " + secondsText(command.limits.wall));
        }
        if (!exited && cancelled && cancelled()) {
            result.cancelled = true;
            stop("it was cancelled");
        }
    }
    if (WIFEXITED(status)) result.status = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
    if (result.signal == SIGXCPU && result.stopped.empty()) {
        result.stopped =
            "it took more than " + secondsText(command.limits.processor) + " of processor time";
    }
    return result;
}

std::string findProgram(const std::string& name) {
    if (name.find('/') != std::string::npos) {
        return access(name.c_str(), X_OK) == 0 ? name : std::string();
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
            return candidate.string();
        }
    }
    return {};
}

}  // namespace warplens
