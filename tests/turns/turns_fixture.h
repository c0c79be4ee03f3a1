#pragma once

#include <csignal>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <poll.h>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/turns/gpu_lock.h"

namespace warplens::tests {

/// A folder of its own that everybody may write to, where programs meet.
class TurnsTest : public ::testing::Test {
  protected:
    TurnsTest() {
        std::string name = "/tmp/warplens-turns-test-XXXXXX";
        folder = ::mkdtemp(name.data());
        ::chmod(folder.c_str(), 01777);
    }
    ~TurnsTest() override {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    }
    [[nodiscard]] GpuQueue queue(LockLimits limits = {}, const WatchedLine* watched = nullptr,
                                 const std::string& device = "GPU-1") const {
        return GpuQueue(device, watched, limits, {folder});
    }
    [[nodiscard]] std::filesystem::path file() const { return folder / "warplens-turns-GPU-1"; }

    std::filesystem::path folder;
};

/// Runs `body` in a process of its own, which then ends without any clean-up.
[[nodiscard]] inline pid_t inProcess(const std::function<void()>& body) {
    const pid_t id = ::fork();
    if (id == 0) {
        body();
        ::_exit(0);
    }
    return id;
}

/// The wait status of a process that ends.
inline int endOf(pid_t id) {
    int status = -1;
    ::waitpid(id, &status, 0);
    return status;
}

/// The wait status of a process that runs `body` and is watched from here.
inline int endOfWatched(const std::function<void(const WatchedLine&)>& body) {
    const auto [line, end] = Watchdog::connections();
    const pid_t id = inProcess([&, line = line, end = end] {
        ::close(end);
        body(WatchedLine(line));
    });
    ::close(line);
    Watchdog watchdog(end);
    for (bool open = true; open;) {
        pollfd input{end, POLLIN, 0};
        const auto left = watchdog.timeLeft();
        (void)::poll(&input, 1, left ? static_cast<int>(left->count()) : -1);
        if ((input.revents & (POLLIN | POLLHUP)) != 0) open = watchdog.read();
        if (left == std::chrono::milliseconds(0) && watchdog.timeLeft() == left) {
            ::kill(id, SIGKILL);
        }
    }
    ::close(end);
    return endOf(id);
}

}  // namespace warplens::tests
