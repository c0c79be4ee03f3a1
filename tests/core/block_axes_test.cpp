#include <gtest/gtest.h>

#include "core/library/kernel_file.h"

namespace warplens {
namespace {

using Axes = std::array<bool, 3>;

TEST(BlockAxes, areThoseThatTheCodeReads) {
    EXPECT_EQ(blockAxesRead("int i = blockIdx.x * 4;"), (Axes{true, false, false}));
    EXPECT_EQ(blockAxesRead("// blockIdx.x\nf(blockIdx . z, \"blockIdx.y\");"),
              (Axes{false, false, true}));
    EXPECT_EQ(blockAxesRead("#pragma unroll 1\nint i = threadIdx.x;"), Axes{});
}

TEST(BlockAxes, areAllWhereTheIndexMayBeReadOtherwise) {
    constexpr Axes all{true, true, true};
    EXPECT_EQ(blockAxesRead("const uint3 b = blockIdx; f(b.y);"), all);
    EXPECT_EQ(blockAxesRead("#include <cooperative_groups.h>\nint i = blockIdx.x;"), all);
    EXPECT_EQ(blockAxesRead("#define Y blockIdx.y\nint i = Y;"), all);
    EXPECT_EQ(blockAxesRead("int i = blockIdx"), all);
}

}  // namespace
}  // namespace warplens
