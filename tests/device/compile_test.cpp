#include "kernels/device/compile/compile.h"

#include <gtest/gtest.h>

#include "kernels/device/compile/link.h"
#include "kernels/device/compile/nvrtc_library.h"
#include "kernels/device/instrument/instrument.h"
#include "kernels/device/instrument/probe.h"

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
    bool found = false;
    for (const Site& site : sitesOf(unit.ptx, {unit.symbols.at("scale<3>")}, {"my.cu"})) {
        found = found || (site.kind == SiteKind::store && site.file == "my.cu" && site.line == 5);
    }
    EXPECT_TRUE(found) << unit.ptx;
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

TEST_F(CompileUnit, InstrumentedCodeLinksWithTheProbeForEachArchitecture) {
    for (const int capability : {75, 80, 90, 100, 120}) {
        const CompileOptions options{.computeCapability = capability};
        const auto kept = compileUnit(sourcesOf(scaleProgram), 0, {"scale<3>"}, options);
        const CompiledUnit& unit = *kept;
        const InstrumentedPtx instrumented =
            instrument(probeCode(capability), unit.ptx, {unit.symbols.at("scale<3>")}, {256, 1, 1});
        try {
            const std::string cubin = linkPtx({{"program", instrumented.ptx}}, capability);
            EXPECT_TRUE(
                cubin.starts_with("\x7f"
                                  "ELF"))
                << capability;
        } catch (const CompilerUnavailable& error) {
            GTEST_SKIP() << error.what();
        }
    }
}

TEST(Link, SaysWhatTheAssemblerSaid) {
    try {
        (void)linkPtx({{"wrong", ".version 9.0\n.target sm_90\nnonsense\n"}}, 90);
        FAIL() << "linked";
    } catch (const CompileError& error) {
        EXPECT_NE(std::string(error.what()).find("nonsense"), std::string::npos) << error.what();
    } catch (const CompilerUnavailable& error) {
        GTEST_SKIP() << error.what();
    }
}

}  // namespace
}  // namespace warplens
