#include "kernels/device/explain/compiled_launch.h"

#include <cstring>
#include <gtest/gtest.h>

#include "kernels/device/compile/compile.h"

namespace warplens {
namespace {

/// A launch of `k(const float* in, float* out, int n)` on arrays of `n` elements.
LaunchInputs inputsOf(std::uint32_t n, Extents block) {
    LaunchInputs inputs;
    inputs.kernel = "k";
    inputs.launch = {.grid = {1}, .block = block};
    inputs.parameters.bytes.resize(20);
    std::memcpy(inputs.parameters.bytes.data() + 16, &n, sizeof n);
    inputs.parameters.pointers = {{0, 0, 0}, {8, 1, 0}};
    for (const char* name : {"in", "out"}) {
        InputArray& array = inputs.arrays.emplace_back();
        array.name = name;
        array.elementBytes = 4;
        array.before.bytes.resize(4 * n);
        array.after = array.before;
    }
    return inputs;
}

class CompiledLaunches : public testing::Test {
  protected:
    void SetUp() override {
        try {
            (void)NvrtcLibrary::open();
        } catch (const CompilerUnavailable& error) {
            GTEST_SKIP() << error.what();
        }
    }
    static CompiledLaunch runOf(const std::string& text, const LaunchInputs& inputs,
                                double seconds = 8) {
        const ProgramSources sources{.units = {{.path = "dir/my.cu", .text = text}}};
        const ProgramCode code = compileProgram(sources, inputs, {});
        return runCompiled(code, inputs, {"dir/my.cu"}, seconds);
    }
    static const ProgramLine& lineOf(const CompiledLaunch& launch, AccessKind kind) {
        const auto found = std::ranges::find(launch.lines, kind, &ProgramLine::kind);
        EXPECT_NE(found, launch.lines.end());
        return *found;
    }
};

TEST_F(CompiledLaunches, CountWhatThePtxAsksForAtTheUsersLines) {
    const CompiledLaunch launch = runOf(
        "__global__ void k(const float* in, float* out, int n) {\n"
        "    int i = threadIdx.x;\n"
        "    if (i < n) out[i] = in[(i * 8) % n];\n"
        "}\n",
        inputsOf(256, {64}));
    ASSERT_EQ(launch.unavailable, "");
    const ProgramLine& load = lineOf(launch, AccessKind::load);
    EXPECT_EQ(load.place.file, "dir/my.cu");
    EXPECT_EQ(load.place.line, 3u);
    EXPECT_EQ(load.array, "in");
    EXPECT_EQ(load.source, Source::compiled);
    EXPECT_EQ(load.requests, 2u);
    EXPECT_EQ(load.sectors, 64u);
    const ProgramLine& store = lineOf(launch, AccessKind::store);
    EXPECT_EQ(store.array, "out");
    EXPECT_EQ(store.sectors, 8u);
    EXPECT_FALSE(launch.lanesShareBytes);
    EXPECT_TRUE(std::ranges::any_of(launch.instructions, [](const PtxInstruction& instruction) {
        return instruction.kind == AccessKind::load && instruction.line == 3 &&
               instruction.bytes == 4 && instruction.text.starts_with("ld.global");
    }));
}

TEST_F(CompiledLaunches, FollowWhatTheArraysHold) {
    LaunchInputs inputs = inputsOf(64, {32});
    for (std::uint32_t i = 0; i < 64; ++i) {
        const float value = i % 2 == 0 ? 1 : -1;
        std::memcpy(inputs.arrays[0].before.bytes.data() + 4 * i, &value, sizeof value);
    }
    const CompiledLaunch launch = runOf(
        "__device__ float table[4];\n"
        "__global__ void k(const float* in, float* out, int n) {\n"
        "    if (in[threadIdx.x] > 0) {\n"
        "        atomicAdd(&out[0], 1.0f);\n"
        "    }\n"
        "}\n",
        inputs);
    ASSERT_EQ(launch.unavailable, "");
    EXPECT_EQ(lineOf(launch, AccessKind::atomic).activeLanes, 16u);
    EXPECT_EQ(lineOf(launch, AccessKind::atomic).mostSameAddress, 16u);
}

TEST_F(CompiledLaunches, ThatTakeTooLongSaySo) {
    const CompiledLaunch launch = runOf(
        "__global__ void k(const float* in, float* out, int n) {\n"
        "    volatile const float* p = in;\n"
        "    while (p[0] == 0) out[0] += 1;\n"
        "}\n",
        inputsOf(4, {32}), 0.2);
    EXPECT_NE(launch.unavailable, "");
    EXPECT_TRUE(launch.lines.empty());
}

TEST(InlinedLines, AreThoseOfTheCallInAFileOfTheUsers) {
    const std::string ptx =
        "\t.file\t1 \"/x/dir/my.cu\"\n\t.file\t2 \"/usr/include/group.h\"\n"
        ".visible .entry k(\n{\n"
        "\t.loc\t1 12 3\n"
        "\t.loc\t2 77 1, function_name $L__info_string0, inlined_at 1 12 3\n"
        "\t.loc\t2 80 1, function_name $L__info_string0, inlined_at 2 77 1\n}\n"
        ".visible .entry other(\n{\n"
        "\t.loc\t2 80 1, function_name $L__info_string0, inlined_at 1 40 3\n}\n";
    EXPECT_EQ(inlinedLines(ptx, "k", {"dir/my.cu"}),
              (InlinedLines{{{"/usr/include/group.h", 77}, {"dir/my.cu", 12}},
                            {{"/usr/include/group.h", 80}, {"dir/my.cu", 12}}}));
}

}  // namespace
}  // namespace warplens
