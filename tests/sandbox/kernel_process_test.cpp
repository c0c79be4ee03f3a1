#include "kernels/course/kernel_process.h"

#include <gtest/gtest.h>
#include <stdexcept>

#include "tests/sandbox/signalled.h"

namespace warplens::course {
namespace {

TEST(KernelProcess, ThatEndedByItselfIsNotSignalledOnceItIsReaped) {
    {
        KernelProcess process("/bin/true");
        tests::signalledOthers().clear();
        char byte = 0;
        EXPECT_THROW(process.read(&byte, 1), std::runtime_error);
    }
    EXPECT_TRUE(tests::signalledOthers().empty());
}

TEST(KernelProcess, ThatStillRunsIsEndedAlone) {
    {
        KernelProcess process("/bin/cat");
        tests::signalledOthers().clear();
    }
    EXPECT_TRUE(tests::signalledOthers().empty());
}

}  // namespace
}  // namespace warplens::course
