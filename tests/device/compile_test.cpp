#include "kernels/device/compile/compile.h"

#include <gtest/gtest.h>

namespace warplens {
namespace {

class CompileUnit : public testing::Test {
  protected:
    void SetUp() override {
        try {
            (void)NvrtcLibrary::open();
        } catch (const CompilerUnavailable& error) {
            GTEST_SKIP() << error.what();
        }
    }
    static ProgramSources sourcesOf(const std::string& text) {
        return {.units = {{.path = "my.cu", .text = text}}};
    }
};

constexpr const char* scaleProgram = R"(#include <iostream>
#include <algorithm>
template <int N> __global__ void scale(float* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < std::min(n, INT32_MAX)) a[i] *= N;
}
int main() {
    scale<3><<<1, 32>>>(nullptr, 0);
    std::cout << "done\n";
}
)";

TEST_F(CompileUnit, CompilesAWholeProgramsKernelsByName) {
    const auto kept = compileUnit(sourcesOf(scaleProgram), 0, {"scale<3>"}, {});
    const CompiledUnit& unit = *kept;
    ASSERT_TRUE(unit.symbols.contains("scale<3>"));
    EXPECT_NE(unit.ptx.find(".entry " + unit.symbols.at("scale<3>")), std::string::npos);
    EXPECT_TRUE(
        unit.cubin.starts_with("\x7f"
                               "ELF"));
    EXPECT_GE(unit.compilerVersion, 13000);
    // With lines: the store's is the fifth.
    EXPECT_NE(unit.ptx.find(".loc\t1 5 "), std::string::npos) << unit.ptx;
}

TEST_F(CompileUnit, KeepsWhatItCompiled) {
    const auto first = compileUnit(sourcesOf(scaleProgram), 0, {"scale<3>"}, {});
    EXPECT_EQ(first, compileUnit(sourcesOf(scaleProgram), 0, {"scale<3>"}, {}));
    EXPECT_NE(first, compileUnit(sourcesOf(scaleProgram), 0, {"scale<4>"}, {}));
}

TEST_F(CompileUnit, RefusesInTheCompilersWordsAtThePersonsLine) {
    try {
        (void)compileUnit(
            sourcesOf("int host;\n__global__ void k(int* p) {\n    p[0] = nothing;\n}\n"), 0, {"k"},
            {});
        FAIL() << "compiled";
    } catch (const CompileError& error) {
        EXPECT_NE(std::string(error.what()).find("my.cu(3): error: identifier \"nothing\""),
                  std::string::npos)
            << error.what();
    }
}

TEST_F(CompileUnit, LeavesOutUnmarkedPartsThatDoNotCompile) {
    // `points` is the host's list and, by accident, a parameter's name.
    const auto unit =
        compileUnit(sourcesOf("#include <vector>\nstd::vector<float> points;\n"
                              "__global__ void k(float* points) { points[threadIdx.x] = 1; }\n"),
                    0, {"k"}, {});
    EXPECT_TRUE(unit->symbols.contains("k"));
}

TEST_F(CompileUnit, TakesDefinesAndStandards) {
    const std::string source =
        "__global__ void k(int* p) { p[0] = SIZE; if constexpr (requires { 1; }) p[1] = 2; }\n";
    EXPECT_THROW((void)compileUnit(sourcesOf(source), 0, {"k"}, {.standard = "c++20"}),
                 CompileError);
    EXPECT_NO_THROW((void)compileUnit(sourcesOf(source), 0, {"k"},
                                      {.defines = {"SIZE=4"}, .standard = "c++20"}));
}

}  // namespace
}  // namespace warplens
