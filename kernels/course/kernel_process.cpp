#include "kernels/course/kernel_process.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "kernels/programs/sandbox.h"

namespace warplens::course {
namespace {

using namespace std::chrono_literals;

constexpr auto mostSilence = 30s;

}  // namespace

KernelProcess::KernelProcess(const std::filesystem::path& program) {
    ChildCommand command{.arguments = {program.string()}, .calls = SystemCalls::ofProgram};
    command.limits.memoryBytes = memoryLimit(std::uint64_t{4} << 30);
    command.limits.fileBytes = std::uint64_t{64} << 20;
    command.limits.files = 256;
    command.limits.processes = 4096;
    command.limits.processor = 600s;
    command = Sandbox::ofThisMachine().confined(std::move(command), {.readable = {program}});
    Pipe in = makePipe();
    Pipe out = makePipe();
    const FileDescriptor filter =
        command.readsFilter ? filterFile(command.calls) : FileDescriptor();
    ChildStart start{.arguments = command.arguments,
                     .environment = command.environment,
                     .streams = {in.readEnd.value(), out.writeEnd.value(), -1},
                     .limits = command.limits,
                     .calls = command.readsFilter ? SystemCalls::all : command.calls,
                     .endsWithUs = !command.readsFilter};
    Pipe begin = makePipe();
    if (filter.isOpen()) start.passed = {filter.value(), begin.readEnd.value()};
    child_.emplace(start);
    watch_.emplace(*child_, command.limits);
    toChild_ = std::move(in.writeEnd);
    fromChild_ = std::move(out.readEnd);
    char ready = 0;
    if (!filter.isOpen()) return;
    out.writeEnd.close();
    read(&ready, 1);
    letBegin(begin.writeEnd);
}

void KernelProcess::say(std::string line) {
    line += '\n';
    for (std::size_t at = 0; at < line.size();) {
        const ssize_t written = write(toChild_.value(), line.data() + at, line.size() - at);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return;
        at += static_cast<std::size_t>(written);
    }
}

std::string KernelProcess::howItEnded() {
    if (!child_->endsWithin(100ms)) return "the kernel's process closed its output";
    const int status = *child_->exitStatus();
    int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    // bubblewrap returns 128 + the signal of what it ran.
    if (WIFEXITED(status) && WEXITSTATUS(status) > 128) signal = WEXITSTATUS(status) - 128;
    const char* const name = sigabbrev_np(signal);
    if (signal == 0 || name == nullptr) {
        return "the kernel's process ended with " +
               std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : status);
    }
    return "the kernel's process was ended by SIG" + std::string(name);
}

void KernelProcess::fill() {
    const auto until = std::chrono::steady_clock::now() + mostSilence;
    pollfd waited{fromChild_.value(), POLLIN, 0};
    while (poll(&waited, 1, int{ProcessWatch::interval.count()}) <= 0) {
        std::string words = watch_->exceeded();
        if (words.empty() && std::chrono::steady_clock::now() > until) {
            words = "it said nothing for 30 seconds: an endless loop?";
        }
        if (words.empty()) continue;
        child_->signal(SIGKILL);
        throw std::runtime_error("the kernel was ended: " + words);
    }
    buffer_.resize(1 << 16);
    const ssize_t got = ::read(fromChild_.value(), buffer_.data(), buffer_.size());
    if (got <= 0) throw std::runtime_error(howItEnded());
    buffer_.resize(static_cast<std::size_t>(got));
    at_ = 0;
}

void KernelProcess::read(void* to, std::size_t bytes) {
    auto* next = static_cast<char*>(to);
    while (bytes > 0) {
        if (at_ == buffer_.size()) fill();
        const std::size_t part = std::min(bytes, buffer_.size() - at_);
        std::memcpy(next, buffer_.data() + at_, part);
        at_ += part;
        next += part;
        bytes -= part;
    }
}

}  // namespace warplens::course
