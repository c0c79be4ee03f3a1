#include "kernels/programs/run_child.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "core/text/files.h"

namespace warplens {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<bool (*)()> askedToEnd{nullptr};

std::string secondsText(std::chrono::duration<double> time) {
    std::string text = std::to_string(time.count());
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text + " s";
}

constexpr std::size_t mostProcesses = 4096;

/// Its beginning; empty where it cannot be read.
std::string readSystemFile(const std::string& path) {
    const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, 4096> text;
    const ssize_t size = file.isOpen() ? read(file.value(), text.data(), text.size()) : 0;
    return {text.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

/// The number behind `name` in a table of names and numbers.
std::uint64_t numberOf(std::string_view table, std::string_view name) {
    const std::size_t at = table.find(name);
    if (at == std::string_view::npos) return 0;
    return std::strtoull(table.data() + at + name.size(), nullptr, 10);
}

/// Looks at what a process and those that it started use together: memory with what they share,
/// what is swapped out and page tables, and threads. Without a group
/// (ControlGroup) no limit of the system counts all of that: one on data (RLIMIT_DATA) leaves out
/// shared mappings and those made read-only, and root is free of the one on threads.
class ProcessWatch final {
  public:
    ProcessWatch(const ChildProcess& child, const ChildLimits& limits)
        : child_(child), memoryBytes_(limits.memoryBytes), threads_(limits.processes) {}

    /// How often it must be asked.
    static constexpr std::chrono::milliseconds interval{20};

    /// Which limit is broken, in words; empty for none. Cost: 50 microseconds, at most once an
    /// interval.
    [[nodiscard]] std::string exceeded();
    /// The same of one that has ended: what its group tells.
    [[nodiscard]] std::string exceededUntilItsEnd() const { return inWords(0, 0); }

  private:
    [[nodiscard]] std::string inWords(std::uint64_t kibibytes, std::uint64_t threads) const;

    const ChildProcess& child_;
    std::uint64_t memoryBytes_;
    std::uint64_t threads_;
    std::chrono::steady_clock::time_point next_{};
};

std::string ProcessWatch::exceeded() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return {};
    next_ = now + interval;
    std::uint64_t kibibytes = 0;
    std::uint64_t threads = 0;
    std::vector<pid_t> processes{child_.processId()};
    for (std::size_t i = 0; i < processes.size() && processes.size() < mostProcesses; ++i) {
        const std::string id = std::to_string(processes[i]);
        const std::string status = readSystemFile("/proc/" + id + "/status");
        for (const char* kind : {"VmRSS:", "VmSwap:", "VmPTE:"})
            kibibytes += numberOf(status, kind);
        threads += numberOf(status, "Threads:");
        const std::string children = readSystemFile("/proc/" + id + "/task/" + id + "/children");
        const char* text = children.c_str();
        for (char* end = nullptr; *text != '\0'; text = end) {
            const long child = std::strtol(text, &end, 10);
            if (end == text || child <= 0) break;
            processes.push_back(static_cast<pid_t>(child));
        }
    }
    return inWords(kibibytes, threads);
}

std::string ProcessWatch::inWords(std::uint64_t kibibytes, std::uint64_t threads) const {
    if (threads_ != 0 && (threads > threads_ || child_.group().ranOutOfThreads())) {
        return "it started more than " + std::to_string(threads_) + " threads";
    }
    if (memoryBytes_ != 0 && (kibibytes > memoryBytes_ >> 10 || child_.group().ranOutOfMemory())) {
        return "it took more than " + std::to_string(memoryBytes_ >> 20) + " MiB of memory";
    }
    return {};
}

/// Reads what a child says, and ends it where it breaks a limit.
class Run final {
  public:
    Run(const ChildCommand& command, const std::function<void(const char*, std::size_t)>& onPipe,
        const std::function<bool()>& cancelled)
        : limits_(command.limits), onPipe_(onPipe), cancelled_(cancelled) {
        Pipe output = makePipe();
        Pipe pipe = command.hasPipe ? makePipe() : Pipe{};
        const FileDescriptor filter =
            command.readsFilter ? filterFile(command.calls) : FileDescriptor();
        ChildStart start{.arguments = command.arguments,
                         .environment = command.environment,
                         .folder = command.folder,
                         .streams = {-1, output.writeEnd.value(), output.writeEnd.value()},
                         .limits = command.limits,
                         .calls = command.readsFilter ? SystemCalls::all : command.calls,
                         .endsWithUs = !command.readsFilter};
        if (pipe.writeEnd.isOpen()) start.passed.push_back(pipe.writeEnd.value());
        if (filter.isOpen()) start.passed.push_back(filter.value());
        if (command.readsFilter) {
            if (command.startsAfter < 0) begin_ = makePipe();
            start.passed.push_back(begin_.readEnd.isOpen() ? begin_.readEnd.value()
                                                           : command.startsAfter);
        } else if (command.startsAfter >= 0) {
            pollfd line{command.startsAfter, POLLIN, 0};
            while (poll(&line, 1, -1) < 0 && errno == EINTR) continue;
        }
        child_.emplace(start);
        watch_.emplace(*child_, command.limits);
        output_ = std::move(output.readEnd);
        pipe_ = std::move(pipe.readEnd);
        isInSandbox_ = !command.readsFilter;
    }

    ChildResult toItsEnd() {
        Clock::time_point closing{};
        while (output_.isOpen() || pipe_.isOpen() || !status_) {
            readWhatCame();
            const auto now = Clock::now();
            if (!status_ && (status_ = child_->exitStatus())) closing = now;
            if (!status_) endWhereTooMuch(now);
            // Somebody else holds a pipe.
            if (status_ && now - closing > std::chrono::seconds(1)) break;
        }
        if (result_.stopped.empty()) result_.stopped = watch_->exceededUntilItsEnd();
        if (WIFEXITED(*status_)) result_.status = WEXITSTATUS(*status_);
        if (WIFSIGNALED(*status_)) result_.signal = WTERMSIG(*status_);
        if (result_.signal == SIGXCPU && result_.stopped.empty()) {
            result_.stopped =
                "it took more than " + secondsText(limits_.processor) + " of processor time";
        }
        return std::move(result_);
    }

  private:
    void readWhatCame() {
        std::array<pollfd, 2> waiting{{{output_.value(), POLLIN, 0}, {pipe_.value(), POLLIN, 0}}};
        // Who has closed both is about to end: nothing else tells when.
        const bool isSilent = !output_.isOpen() && !pipe_.isOpen();
        const int time = status_ ? 10 : isSilent ? 1 : int{ProcessWatch::interval.count()};
        if (poll(waiting.data(), waiting.size(), time) <= 0) return;
        std::array<char, 1 << 16> buffer;
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
            FileDescriptor& from = i == 0 ? output_ : pipe_;
            const ssize_t size = read(from.value(), buffer.data(), buffer.size());
            if (size <= 0) {
                from.close();
            } else if (i == 0) {
                keep({buffer.data(), static_cast<std::size_t>(size)});
            } else if (onPipe_) {
                onPipe_(buffer.data(), static_cast<std::size_t>(size));
            }
        }
    }
    void keep(std::string_view text) {
        if (!isInSandbox_ && text.front() == ChildCommand::isReady) {
            text.remove_prefix(1);
            if (begin_.writeEnd.isOpen()) letBegin(begin_.writeEnd);
        }
        isInSandbox_ = true;
        written_ += text.size();
        const std::uint64_t room = limits_.outputKept - result_.output.size();
        result_.outputCut = result_.outputCut || text.size() > room;
        result_.output += text.substr(0, room);
    }
    void endWhereTooMuch(Clock::time_point now) {
        if (written_ > limits_.outputMost) {
            end("it printed more than " + std::to_string(limits_.outputMost >> 20) + " MiB");
        }
        if (limits_.wall.count() > 0 && now - started_ > limits_.wall) {
            end("it took longer than " + secondsText(limits_.wall));
        }
        if (const std::string words = watch_->exceeded(); !words.empty()) end(words);
        bool (*const endAsked)() = askedToEnd;
        if ((cancelled_ && cancelled_()) || (endAsked != nullptr && endAsked())) {
            result_.cancelled = true;
            end("it was cancelled");
        }
    }
    void end(const std::string& why) {
        if (result_.stopped.empty()) result_.stopped = why;
        child_->signal(SIGKILL);
    }

    const ChildLimits& limits_;
    const std::function<void(const char*, std::size_t)>& onPipe_;
    const std::function<bool()>& cancelled_;
    const Clock::time_point started_ = Clock::now();
    FileDescriptor output_;
    FileDescriptor pipe_;
    Pipe begin_;
    bool isInSandbox_ = true;
    std::optional<ChildProcess> child_;
    std::optional<ProcessWatch> watch_;
    std::optional<int> status_;
    std::uint64_t written_ = 0;
    ChildResult result_;
};

}  // namespace

void letBegin(const FileDescriptor& writeEnd) {
    (void)!write(writeEnd.value(), "\n", 1);
}

FileDescriptor filterFile(SystemCalls calls) {
    const std::vector<sock_filter> filter = filterOf(calls);
    FileDescriptor file(memfd_create("calls", MFD_CLOEXEC));
    const std::size_t bytes = filter.size() * sizeof filter[0];
    if (!file.isOpen() ||
        write(file.value(), filter.data(), bytes) != static_cast<ssize_t>(bytes) ||
        lseek(file.value(), 0, SEEK_SET) != 0) {
        throw std::system_error(errno, std::generic_category(), "calls");
    }
    return file;
}

void cancelChildrenWhen(bool (*asked)()) {
    askedToEnd = asked;
}

ChildResult runChild(const ChildCommand& command,
                     const std::function<void(const char*, std::size_t)>& onPipe,
                     const std::function<bool()>& cancelled) {
    return Run(command, onPipe, cancelled).toItsEnd();
}

}  // namespace warplens
