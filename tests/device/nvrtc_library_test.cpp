#include <cstdlib>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "kernels/device/compile.h"

namespace warplens {
namespace {

/// Ends the process with what it finds: which NVRTC is open stays so.
[[noreturn]] void openFrom(const char* folder) {
    setenv("CUDA_PATH", folder, 1);
    int major = 0;
    int minor = 0;
    const NvrtcLibrary& nvrtc = NvrtcLibrary::open();
    if (nvrtc.version(&major, &minor) != 0 || minor != 99) std::_Exit(1);
    // As NVRTC does when it compiles.
    std::_Exit(dlopen("libnvrtc-builtins.so.13.99", RTLD_NOW) == nullptr ? 2 : 0);
}

TEST(NvrtcLibraryTest, ItsSecondHalfIsFoundBesideIt) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");  // a process that has opened none yet
    EXPECT_EXIT(openFrom(BARE_NVRTC), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace warplens
