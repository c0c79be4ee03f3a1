#include "kernels/course/kernel_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "kernels/trace/run/sandbox.h"

namespace warplens::course {
namespace {

constexpr int mostSilentMilliseconds = 30'000;
constexpr rlim_t mostProcessorSeconds = 600;
constexpr rlim_t mostDataBytes = rlim_t{4} << 30;

std::array<int, 2> makePipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    return ends;
}

/// The sandbox without what ties the child to the thread that started it: it outlives that, and
/// ends with its input.
std::vector<std::string> commandFor(const std::filesystem::path& program) {
    std::vector<std::string> command;
    for (const std::string& word : sandboxOfThisMachine().command) {
        if (word != "--die-with-parent") command.push_back(word);
    }
    if (!command.empty()) {
        const std::string folder = program.parent_path().string();
        command.insert(command.end(), {"--ro-bind", folder, folder});
    }
    command.push_back(program.string());
    return command;
}

}  // namespace

KernelProcess::KernelProcess(const std::filesystem::path& program) {
    const std::array<int, 2> in = makePipe();
    const std::array<int, 2> out = makePipe();
    std::vector<std::string> words = commandFor(program);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int error =
        posix_spawn(&child_, arguments.front(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    toChild_ = in[1];
    fromChild_ = out[0];
    if (error != 0) {
        child_ = -1;
        close(toChild_);
        close(fromChild_);
        throw std::system_error(error, std::generic_category(), words.front());
    }
    const rlimit processor{mostProcessorSeconds, mostProcessorSeconds};
    const rlimit data{mostDataBytes, mostDataBytes};
    prlimit(child_, RLIMIT_CPU, &processor, nullptr);
    prlimit(child_, RLIMIT_DATA, &data, nullptr);
}

KernelProcess::~KernelProcess() {
    close(toChild_);
    close(fromChild_);
    if (child_ < 0) return;  // reaped: -1 would be every process of the user
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
}

void KernelProcess::say(std::string line) {
    line += '\n';
    for (std::size_t at = 0; at < line.size();) {
        const ssize_t written = write(toChild_, line.data() + at, line.size() - at);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return;
        at += static_cast<std::size_t>(written);
    }
}

std::string KernelProcess::howItEnded() {
    int status = 0;
    if (waitpid(child_, &status, WNOHANG) != child_)
        return "the kernel's process closed its output";
    child_ = -1;
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
    pollfd waited{fromChild_, POLLIN, 0};
    for (;;) {
        const int ready = poll(&waited, 1, mostSilentMilliseconds);
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0) {
            if (child_ > 0) kill(child_, SIGKILL);
            throw std::runtime_error("the kernel said nothing for 30 seconds: an endless loop?");
        }
        break;
    }
    buffer_.resize(1 << 16);
    const ssize_t got = ::read(fromChild_, buffer_.data(), buffer_.size());
    if (got <= 0) {
        usleep(20'000);  // until it can be waited for
        throw std::runtime_error(howItEnded());
    }
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
