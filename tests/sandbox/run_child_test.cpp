#include "kernels/programs/run_child.h"

#include <chrono>
#include <gtest/gtest.h>
#include <string>

namespace warplens {
namespace {

using namespace std::chrono_literals;

ChildCommand python(const std::string& script) {
    return {.arguments = {"/usr/bin/python3", "-c", script}, .environment = {"PATH=/usr/bin:/bin"}};
}

class RunChild : public testing::Test {
  protected:
    void SetUp() override {
        if (findProgram("/usr/bin/python3").empty()) GTEST_SKIP() << "no python3 on this machine";
    }
};

TEST_F(RunChild, KeepsTheOutputThatThereIsRoomFor) {
    ChildCommand command = python("print('x' * 5000, end='')");
    command.limits.outputKept = 100;
    const ChildResult result = runChild(command);
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.output, std::string(100, 'x'));
    EXPECT_TRUE(result.outputCut);
}

TEST_F(RunChild, CountsMemoryThatIsSharedOrWasMadeReadOnly) {
    // A limit on data (RLIMIT_DATA) sees neither.
    for (const char* script :
         {"import mmap, time\nm = mmap.mmap(-1, 300 << 20)\n"
          "for i in range(0, 300 << 20, 4096): m[i] = 1\ntime.sleep(100)",
          "import ctypes, time\nc = ctypes.CDLL(None)\nc.mmap.restype = ctypes.c_void_p\n"
          "for i in range(30):\n"
          "  a = c.mmap(None, ctypes.c_size_t(10 << 20), 3, 0x22, -1, ctypes.c_long(0))\n"
          "  ctypes.memset(ctypes.c_void_p(a), 1, 10 << 20)\n"
          "  c.mprotect(ctypes.c_void_p(a), ctypes.c_size_t(10 << 20), 1)\ntime.sleep(100)"}) {
        ChildCommand command = python(script);
        command.limits.memoryBytes = 100 << 20;
        command.limits.wall = 20s;
        EXPECT_EQ(runChild(command).stopped, "it took more than 100 MiB of memory") << script;
    }
}

TEST_F(RunChild, CountsThreadsAlsoWhereTheUserIsRoot) {
    ChildCommand command = python(
        "import threading, time\nthreading.stack_size(65536)\n"
        "for i in range(50): threading.Thread(target=time.sleep, args=(100,)).start()");
    command.limits.wall = 20s;
    // Of the user's own there may be more already: then they are not to be had at all.
    if (getuid() != 0) GTEST_SKIP() << "the system's own limit counts: this user is not root";
    command.limits.processes = 20;
    EXPECT_EQ(runChild(command).stopped, "it started more than 20 threads");
}

bool endNow() {
    return true;
}

TEST_F(RunChild, IsCancelledWhereTheProcessIsAskedToEnd) {
    cancelChildrenWhen(&endNow);
    const ChildResult result = runChild(python("import time\ntime.sleep(100)"));
    cancelChildrenWhen(nullptr);
    EXPECT_TRUE(result.cancelled);
}

}  // namespace
}  // namespace warplens
