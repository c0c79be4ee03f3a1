#include "kernels/device/compile.h"

#include <gtest/gtest.h>

#include "tests/support/refusal.h"

namespace warplens {
namespace {

class CompiledDeviceCode : public testing::Test {
  protected:
    void SetUp() override {
        try {
            (void)NvrtcLibrary::open();
        } catch (const CompilerUnavailable& error) {
            GTEST_SKIP() << error.what();
        }
    }
};

constexpr const char* scaleKernel = R"(#include <cstdint>
template <int N> __global__ void scale(float* a, std::uint32_t n) {
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= N;
}
)";

TEST_F(CompiledDeviceCode, HasTheKernelsByName) {
    const CompiledUnit unit = compileDeviceCode("my.cu", scaleKernel, {"scale<3>"}, {});
    ASSERT_TRUE(unit.symbols.contains("scale<3>"));
    EXPECT_NE(unit.ptx.find(".entry " + unit.symbols.at("scale<3>")), std::string::npos);
    EXPECT_TRUE(
        unit.cubin.starts_with("\x7f"
                               "ELF"));
    EXPECT_GE(unit.compilerVersion, 13000);
    // With lines: the store's is the fourth.
    EXPECT_NE(unit.ptx.find(" 4 "), std::string::npos) << unit.ptx;
}

TEST_F(CompiledDeviceCode, IsRefusedInTheCompilersWordsAtTheFilesLine) {
    const std::string why = tests::refusal<CompileError>([&] {
        (void)compileDeviceCode("my.cu", "__global__ void k(int* p) {\n    p[0] = nothing;\n}\n",
                                {"k"}, {});
    });
    EXPECT_NE(why.find("my.cu(2): error: identifier \"nothing\""), std::string::npos) << why;
    EXPECT_THROW((void)compileDeviceCode("my.cu", scaleKernel, {"missing"}, {}), CompileError);
}

}  // namespace
}  // namespace warplens
