#include "kernels/course/kernel_process.h"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace {

/// Whom this program has signalled.
std::vector<pid_t> signalled;

}  // namespace

/// In place of the C library's: what would reach other processes is recorded and not sent.
extern "C" int kill(pid_t process, int signal) noexcept {
    signalled.push_back(process);
    return process > 0 ? static_cast<int>(syscall(SYS_kill, process, signal)) : 0;
}

namespace warplens::course {
namespace {

TEST(KernelProcess, ThatEndedByItselfIsNotSignalled) {
    {
        KernelProcess process("/bin/true");
        signalled.clear();
        char byte = 0;
        EXPECT_THROW(process.read(&byte, 1), std::runtime_error);
    }
    EXPECT_TRUE(signalled.empty()) << "a signal was sent to " << signalled.front();
}

TEST(KernelProcess, ThatStillRunsIsEndedAlone) {
    {
        KernelProcess process("/bin/cat");
        signalled.clear();
    }
    ASSERT_EQ(signalled.size(), 1);
    EXPECT_GT(signalled.front(), 1);
}

}  // namespace
}  // namespace warplens::course
