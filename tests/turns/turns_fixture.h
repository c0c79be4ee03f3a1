#pragma once

#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/turns/turn_queue.h"

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
    [[nodiscard]] TurnQueue queue(TurnLimits limits = {}, Watchdog* watchdog = nullptr,
                                  const std::string& device = "GPU-1") const {
        return TurnQueue(device, watchdog, limits, {folder});
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

}  // namespace warplens::tests
