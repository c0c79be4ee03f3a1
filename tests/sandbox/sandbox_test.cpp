#include "kernels/programs/sandbox.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <future>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "core/text/files.h"
#include "tests/support/temporary_folder.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

class Held : public testing::Test {
  protected:
    void SetUp() override {
        if (!Sandbox::ofThisMachine().holds()) GTEST_SKIP() << Sandbox::ofThisMachine().notHeld();
    }
    [[nodiscard]] static ChildResult run(const std::string& script, const Confinement& what = {}) {
        ChildCommand command{.arguments = {"/bin/sh", "-c", script},
                             .calls = SystemCalls::ofCompiler};
        command.limits.wall = std::chrono::seconds(20);
        return runChild(Sandbox::ofThisMachine().confined(std::move(command), what));
    }
    tests::TemporaryFolder folder;
};

TEST_F(Held, SeesTheSystemsProgramsAndNothingElse) {
    EXPECT_EQ(run("ls / | grep -vxE 'bin|sbin|dev|etc|home|lib.*|nix|gnu|proc|tmp|usr'").output,
              "");
    EXPECT_EQ(run("ls /etc | grep -vE '^(ld.so.*|alternatives)$'; ls /home").output, "program\n");
    EXPECT_EQ(run("ls -A /tmp /dev/shm /home/program").output,
              "/dev/shm:\n\n/home/program:\n\n/tmp:\n");
    EXPECT_EQ(run("ls /dev | tr '\\n' ' '").output, "null random shm urandom ");
    EXPECT_EQ(run("cat /proc/self/status").status, 1);
    EXPECT_EQ(run("ls /proc; grep -c ^processor /proc/cpuinfo >/dev/null && echo read").output,
              "cpuinfo\nread\n");
    EXPECT_NE(run("echo 1 > /proc/cpuinfo").status, 0);
}

TEST_F(Held, WritesToMemoryOfItsOwnUpToTheStatedSize) {
    for (const char* place : {"/", "/usr", "/dev", "/etc", "/home"}) {
        EXPECT_NE(run("touch " + std::string(place) + "/x").status, 0) << place;
    }
    const Confinement small{.scratchBytes = 1 << 20};
    EXPECT_EQ(run("head -c 1000000 /dev/urandom > /tmp/x", small).status, 0);
    EXPECT_NE(run("head -c 1100000 /dev/urandom > /tmp/x", small).status, 0);
    for (const char* place : {"/dev/shm", "/home/program"}) {
        EXPECT_NE(run("head -c 70000000 /dev/urandom > " + std::string(place) + "/x").status, 0);
    }
}

TEST_F(Held, ReadsAndWritesTheFilesThatItIsGiven) {
    std::ofstream(folder.path() / "in") << "text";
    std::ofstream(folder.path() / "out");
    const std::string in = (folder.path() / "in").string();
    const std::string out = (folder.path() / "out").string();
    const ChildResult result = run(
        "cat " + in + " > " + out + "; echo x > " + in + "; ls " + folder.path().string() + "; pwd",
        {.readable = {in}, .writable = {out}, .folder = folder.path()});
    EXPECT_NE(result.output.find("\nin\nout\n" + folder.path().string()), std::string::npos)
        << result.output;
    EXPECT_EQ(readFile(out), "text");
    EXPECT_EQ(readFile(in), "text");
}

TEST_F(Held, HasAnEnvironmentOfItsOwn) {
    setenv("WARPLENS_SECRET", "1", 1);
    const std::string output = run("env").output;
    EXPECT_EQ(output.find("SECRET"), std::string::npos) << output;
    EXPECT_NE(output.find("HOME=/home/program\n"), std::string::npos) << output;
    unsetenv("WARPLENS_SECRET");
}

TEST_F(Held, HasNoCapabilityAndNoWayToANewOne) {
    EXPECT_EQ(run("id -u").output, "1000\n");
    for (const char* attempt :
         {"mount -t tmpfs none /tmp", "unshare -U true", "/usr/sbin/chroot / true",
          "mount -o remount,rw,bind /usr", "nsenter -t 1 -m true"}) {
        EXPECT_NE(run(attempt).status, 0) << attempt;
    }
}

TEST_F(Held, SeesNoOtherProcess) {
    EXPECT_EQ(run("kill -0 " + std::to_string(getpid())).status, 1);
}

TEST_F(Held, WaitsInItsSandboxForItsStart) {
    std::ofstream(folder.path() / "in");
    const std::string in = (folder.path() / "in").string();
    Pipe start = makePipe();
    ChildCommand command{.arguments = {"/bin/cat", in},
                         .calls = SystemCalls::ofCompiler,
                         .startsAfter = start.readEnd.value()};
    command.limits.wall = std::chrono::seconds(20);
    command = Sandbox::ofThisMachine().confined(std::move(command), {.readable = {in}});
    auto running = std::async(std::launch::async, [&] { return runChild(command); });
    EXPECT_EQ(running.wait_for(std::chrono::milliseconds(200)), std::future_status::timeout);
    std::ofstream(folder.path() / "in") << "written since";
    letBegin(start.writeEnd);
    EXPECT_EQ(running.get().output, "written since");
}

/// Processes with these words on their command line. Not bubblewrap's own: one whose first half
/// is killed before it has let the second begin leaves that waiting, and has run nothing.
std::vector<pid_t> running(const std::string& words) {
    std::vector<pid_t> all;
    for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
        const pid_t process = std::atoi(entry.path().filename().c_str());
        std::ifstream file(entry.path() / "cmdline");
        std::string line;
        std::getline(file, line);
        const bool isBubblewrap = line.substr(0, line.find('\0')).ends_with("bwrap");
        if (process > 0 && !isBubblewrap && line.find(words) != std::string::npos) {
            all.push_back(process);
        }
    }
    return all;
}

/// While one sandbox is made or runs, and another waits for its start.
void startAndBeKilled(const std::string& mark, int milliseconds) {
    const Pipe start = makePipe();
    std::vector<std::thread> running;
    for (const int startsAfter : {start.readEnd.value(), -1}) {
        running.emplace_back([&mark, startsAfter] {
            ChildCommand command{.arguments = {"/bin/sleep", mark}, .startsAfter = startsAfter};
            (void)runChild(Sandbox::ofThisMachine().confined(std::move(command), {}));
        });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    raise(SIGKILL);
}

TEST_F(Held, EndsWithUsWheneverWeAreKilled) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // started anew for each
    setenv("WARPLENS_TEST", std::to_string(getpid()).c_str(), 0);
    const std::string mark = std::string("7") + std::getenv("WARPLENS_TEST");
    // A sandbox takes some milliseconds to be made: before, within and after.
    for (const int milliseconds : {0, 1, 2, 3, 4, 6, 8, 12, 20, 50, 200}) {
        EXPECT_EXIT(startAndBeKilled(mark, milliseconds), testing::KilledBySignal(SIGKILL), "");
        // A process that begins another program has no command line for a moment.
        std::vector<pid_t> left{0};
        for (int looks = 0; looks < 500 && !left.empty(); ++looks) {
            left.clear();
            for (int again = 0; again < 5 && left.empty(); ++again) {
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
                left = running(mark);
            }
        }
        EXPECT_TRUE(left.empty()) << "after " << milliseconds << " ms";
        for (const pid_t process : left) syscall(SYS_kill, process, SIGKILL);
    }
}

TEST_F(Held, ATrialThatWentWellIsNotMadeAgainUntilSomethingChanges) {
    const auto say = [&](const std::string& last) {
        const std::string script = (folder.path() / "bwrap").string();
        writeFileAtomically(script, "#!/bin/sh\necho trial >> " +
                                        (folder.path() / "trials").string() + '\n' + last + '\n');
        std::filesystem::permissions(script, fs::perms::owner_all);
    };
    const std::string bubblewrap = findProgram("bwrap");
    const std::string path = std::getenv("PATH");
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const std::optional<std::string> before =
        cache == nullptr ? std::nullopt : std::optional<std::string>(cache);
    setenv("PATH", (folder.path().string() + ':' + path).c_str(), 1);
    setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
    const auto trials = [&] { return readFile(folder.path() / "trials"); };
    say("exec " + bubblewrap + " \"$@\"");
    EXPECT_TRUE(Sandbox().holds());
    EXPECT_TRUE(Sandbox().holds());
    EXPECT_EQ(trials(), "trial\n");
    say("echo no namespaces; exit 1");
    EXPECT_FALSE(Sandbox().holds()) << "another bubblewrap";
    EXPECT_NE(Sandbox().notHeld().find("no namespaces"), std::string::npos);
    EXPECT_EQ(trials(), "trial\ntrial\ntrial\n") << "what went wrong is tried again";
    setenv("PATH", path.c_str(), 1);
    before ? setenv("XDG_CACHE_HOME", before->c_str(), 1) : unsetenv("XDG_CACHE_HOME");
}

TEST(Unheld, IsNotRunWhereNobodyHasSaidSo) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // started anew: bubblewrap is looked for once
    const std::string refusal = "bubblewrap is not installed";
    EXPECT_EXIT(
        {
            setenv("PATH", "/nothing", 1);
            try {
                (void)Sandbox::ofThisMachine().confined({.arguments = {"/bin/true"}}, {});
            } catch (const NotConfined& words) {
                const bool isNamed = std::string(words.what()).starts_with(refusal);
                allowUnconfined();
                const ChildCommand command =
                    Sandbox::ofThisMachine().confined({.arguments = {"/bin/true"}}, {});
                _exit(isNamed && command.arguments.size() == 1 ? 7 : 1);
            }
            _exit(2);
        },
        testing::ExitedWithCode(7), "");
}

}  // namespace
}  // namespace warplens
