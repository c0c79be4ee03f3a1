#include "kernels/device/compile/nvrtc_library.h"

#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warplens {
namespace {

constexpr int notOpened = 1;
constexpr int withoutBuiltins = 2;

/// In a process of its own: which NVRTC is open stays so.
int openedFrom(const char* folder) {
    const pid_t child = fork();
    if (child == 0) {
        setenv("CUDA_PATH", folder, 1);
        int major = 0;
        int minor = 0;
        const NvrtcLibrary& nvrtc = NvrtcLibrary::open();
        if (nvrtc.version(&major, &minor) != 0 || minor != 99) _exit(notOpened);
        // As NVRTC does when it compiles.
        _exit(dlopen("libnvrtc-builtins.so.13.99", RTLD_NOW) == nullptr ? withoutBuiltins : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(NvrtcLibraryTest, ItsSecondHalfIsFoundBesideIt) {
    EXPECT_EQ(openedFrom(BARE_NVRTC), 0);
}

}  // namespace
}  // namespace warplens
