#include "kernels/programs/control_group.h"

#include <chrono>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "kernels/programs/run_child.h"

namespace warplens {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

/// Takes 200 MiB of memory that no limit of a process counts: it is shared.
const std::vector<std::string> takesMemory{
    "/usr/bin/python3", "-c",
    "import mmap\nm = mmap.mmap(-1, 200 << 20)\nfor i in range(200): m.write(b'x' * (1 << 20))"};

class GivenGroup : public testing::Test {
  protected:
    void SetUp() override {
        const ControlGroup group(64 * mebibyte, 64);
        if (!group.holdsMemory() || !group.holdsThreads()) {
            GTEST_SKIP() << "SKIPPED: this system gives this user no cgroup with memory and pids";
        }
        if (findProgram("/usr/bin/python3").empty()) GTEST_SKIP() << "no python3 on this machine";
    }
};

TEST_F(GivenGroup, EndsWhatTakesTooMuchMemoryBeforeAnybodyLooks) {
    ChildStart start{.arguments = takesMemory};
    start.limits.memoryBytes = 64 * mebibyte;
    ChildProcess child(start);
    const auto until = std::chrono::steady_clock::now() + 30s;
    while (!child.group().ranOutOfMemory() && std::chrono::steady_clock::now() < until) {
        (void)child.endsWithin(5ms);
    }
    EXPECT_TRUE(child.group().ranOutOfMemory());
    EXPECT_FALSE(child.group().ranOutOfThreads());
}

TEST_F(GivenGroup, IsToldAsTheLimitThatWasMet) {
    ChildCommand command{.arguments = takesMemory};
    command.limits.memoryBytes = 64 * mebibyte;
    command.limits.wall = 20s;
    EXPECT_EQ(runChild(command).stopped, "it took more than 64 MiB of memory");
}

TEST_F(GivenGroup, RefusesThreadsAboveItsLimitToRootToo) {
    ControlGroup group(0, 8);
    const pid_t child = fork();
    if (child == 0) {
        group.enter();
        std::vector<pid_t> made;
        for (int i = 0; i < 20; ++i) {
            const pid_t one = fork();
            if (one == 0) _exit(0);  // it counts until it is waited for
            if (one > 0) made.push_back(one);
        }
        _exit(static_cast<int>(made.size()));
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), 7);
    EXPECT_TRUE(group.ranOutOfThreads());
}

TEST_F(GivenGroup, IsGoneWithItsChildAndOneThatWasLeftIsRemoved) {
    const auto groups = [] {
        std::vector<fs::path> all;
        std::error_code error;
        for (auto each = fs::recursive_directory_iterator("/sys/fs/cgroup", error);
             each != fs::recursive_directory_iterator(); each.increment(error)) {
            const std::string name = each->path().filename();
            if (name.starts_with("warplens-")) all.push_back(each->path());
        }
        return all;
    };
    const std::string own = "warplens-" + std::to_string(getpid());
    fs::path inside;
    {
        ChildStart start{.arguments = {"/bin/sleep", "100"}};
        start.limits.memoryBytes = 64 * mebibyte;
        const ChildProcess child(start);
        for (const fs::path& each : groups()) {
            if (each.filename().string().starts_with(own)) inside = each;
        }
        ASSERT_FALSE(inside.empty());
    }
    EXPECT_FALSE(fs::exists(inside));
    const fs::path left = inside.parent_path() / "warplens-999999999-0";
    fs::create_directory(left);
    { const ControlGroup another(64 * mebibyte, 0); }
    EXPECT_FALSE(fs::exists(left));
}

}  // namespace
}  // namespace warplens
