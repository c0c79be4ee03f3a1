#include "kernels/programs/child_process.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "tests/sandbox/signalled.h"

namespace warplens {

std::vector<pid_t>& tests::signalledOthers() {
    static std::vector<pid_t> all;
    return all;
}

}  // namespace warplens

/// In place of the C library's.
extern "C" int kill(pid_t process, int signal) noexcept {
    siginfo_t unused{};
    const auto child = static_cast<id_t>(process < 0 ? -process : process);
    const bool isUnreaped = process != 0 && process != -1 &&
                            waitid(P_PID, child, &unused, WEXITED | WNOHANG | WNOWAIT) == 0;
    if (!isUnreaped) {
        warplens::tests::signalledOthers().push_back(process);
        return 0;
    }
    return static_cast<int>(syscall(SYS_kill, process, signal));
}

namespace warplens {
namespace {

using namespace std::chrono_literals;

ChildStart shell(const std::string& script) {
    return {.arguments = {"/bin/sh", "-c", script}, .environment = {"PATH=/usr/bin:/bin"}};
}

/// What the script writes.
std::string outputOf(ChildStart start) {
    Pipe output = makePipe();
    start.streams[1] = output.writeEnd.value();
    ChildProcess child(start);
    output.writeEnd.close();
    std::string text;
    std::array<char, 4096> piece{};
    for (ssize_t size = 0; (size = read(output.readEnd.value(), piece.data(), piece.size())) > 0;) {
        text.append(piece.data(), static_cast<std::size_t>(size));
    }
    EXPECT_TRUE(child.endsWithin(10s));
    return text;
}

TEST(ChildProcess, IsNeverSignalledOnceItIsReaped) {
    tests::signalledOthers().clear();
    {
        ChildProcess child(shell("exit 3"));
        ASSERT_TRUE(child.endsWithin(10s));
        EXPECT_EQ(WEXITSTATUS(*child.exitStatus()), 3);
        child.signal(SIGTERM);
        endAllChildren();
    }
    EXPECT_TRUE(tests::signalledOthers().empty());
}

TEST(ChildProcess, TakesWhatItLeftBehindWithIt) {
    const std::string id = outputOf(shell("sleep 1000 >/dev/null & echo $!"));
    ASSERT_FALSE(id.empty());
    std::this_thread::sleep_for(50ms);
    // Ended, or only not waited for yet by whom it was left to.
    EXPECT_EQ(
        std::system(
            ("grep -qs '^State:.[^ZX]' /proc/" + id.substr(0, id.size() - 1) + "/status").c_str()),
        256);
}

TEST(ChildProcess, EndsWithTheThreadsThatStartedItGone) {
    std::optional<ChildProcess> child;
    std::thread([&] { child.emplace(shell("sleep 1000")); }).join();
    EXPECT_FALSE(child->endsWithin(100ms)) << "it lives on when the thread that made it has ended";
}

TEST(ChildProcess, HasNoDescriptorThatItWasNotGiven) {
    rlimit files{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &files), 0);
    if (files.rlim_max < 4096) GTEST_SKIP() << "no more than " << files.rlim_max << " files here";
    files.rlim_cur = 4096;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &files), 0);
    const int low = open("/dev/null", O_RDONLY);
    const int high = fcntl(low, F_DUPFD, 2000);
    ASSERT_GE(high, 2000);
    EXPECT_EQ(outputOf(shell("ls /proc/self/fd | tr '\\n' ' '")), "0 1 2 3 ")
        << "3 is what ls reads the folder from";
    close(low);
    close(high);
}

TEST(ChildProcess, HasWhatItIsGivenFromThreeOn) {
    Pipe one = makePipe();
    ChildStart start = shell("echo through it >&3");
    start.passed = {one.writeEnd.value()};
    ChildProcess child(start);
    one.writeEnd.close();
    ASSERT_TRUE(child.endsWithin(10s));
    std::array<char, 32> text{};
    EXPECT_EQ(read(one.readEnd.value(), text.data(), text.size()), 11);
    EXPECT_EQ(std::string(text.data(), 11), "through it\n");
}

TEST(ChildProcess, HasTheEnvironmentThatItIsGivenAndNoOther) {
    setenv("WARPLENS_SECRET", "1", 1);
    EXPECT_EQ(outputOf({.arguments = {"/usr/bin/env"}, .environment = {"A=1"}}), "A=1\n");
    unsetenv("WARPLENS_SECRET");
}

TEST(ChildProcess, KeepsToItsSystemCallsFromItsFirstInstructionOn) {
    ChildStart start = shell("(true) && echo a process");
    EXPECT_EQ(outputOf(start), "a process\n");
    start.calls = SystemCalls::ofProgram;
    EXPECT_EQ(outputOf(start), "");
}

TEST(ChildProcess, SaysWithItsStatusWhatCannotBeRun) {
    ChildProcess none({.arguments = {"/nothing"}});
    ASSERT_TRUE(none.endsWithin(10s));
    EXPECT_EQ(WEXITSTATUS(*none.exitStatus()), 127);
}

}  // namespace
}  // namespace warplens
