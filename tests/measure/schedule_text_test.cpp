#include <algorithm>
#include <gtest/gtest.h>

#include "core/kernel/kernel.h"
#include "kernels/device/compile.h"
#include "kernels/measure/scenario_launch.h"

namespace warplens {
namespace {

std::size_t countOf(const std::string& text, std::string_view words) {
    std::size_t count = 0;
    for (std::size_t at = text.find(words); at != std::string::npos;
         at = text.find(words, at + 1)) {
        ++count;
    }
    return count;
}

std::string textOf(const std::string& loop) {
    const Kernel file = parseKernelFile(
        "sum.cu",
        "// Adds up.\n//\n// size n: 32, 1 to 64, values\n// array in: in, n\n// array other: in, "
        "n\n"
        "// array out: out, n\n// element: x\n// written by: element\n// moves: n\n//\n"
        "// scenario A1: sum\n// title: Sum\n// look for: The sum.\n// block: 32\n// grid: 1\n"
        "__global__ void sum(const float* in, const float* other, float* out, int n) {\n"
        "    float sum = 0;\n" +
            loop + "    out[threadIdx.x] = sum;\n}\n");
    return scheduleText(file, "sum");
}

TEST(ScheduleText, StampsALoopThatReadsOneValueInEachRound) {
    const std::string text = textOf(
        "    for (int i = 0; i < n; ++i) {  // step: i\n"
        "        float value = in[i];\n"
        "        sum += value;\n    }\n");
    EXPECT_EQ(countOf(text, "for (int i = 0; i < n; ++i) { warplens_schedule::asked();  // step"),
              1u);
    EXPECT_EQ(countOf(text, "float value = in[i]; warplens_schedule::arrived(value);\n"), 1u);
}

// Two values at once are in flight together: a stamp between them would part them.
TEST(ScheduleText, LeavesLoopsAloneThatReadMoreOrNothingOrHaveNoMark) {
    for (const char* loop :
         {"    for (int i = 0; i < n; ++i) {  // step: i\n        float a = in[i];\n"
          "        float b = other[i];\n        sum += a * b;\n    }\n",
          "    for (int i = 0; i < n; ++i) {  // step: i\n        float a = sum;\n        sum += "
          "a;\n"
          "    }\n",
          "    for (int i = 0; i < n; ++i) {\n        float a = in[i];\n        sum += a;\n    "
          "}\n"}) {
        EXPECT_EQ(countOf(textOf(loop), "asked();"), 0u) << loop;
    }
}

TEST(ScheduleText, KeepsEachLineInItsPlaceAndTellsTheCompilerSo) {
    for (const Kernel& file : allKernels()) {
        const std::string text = scheduleText(file, file.instances().front());
        const std::size_t begin = text.find("#line 1 \"" + file.file + "\"\n");
        ASSERT_NE(begin, std::string::npos) << file.file;
        const std::string after = text.substr(text.find('\n', begin) + 1);
        const auto lines = std::count(file.text.begin(), file.text.end(), '\n');
        const std::size_t wrapper = after.find("extern \"C\" __global__");
        EXPECT_EQ(
            std::count(after.begin(), after.begin() + static_cast<std::ptrdiff_t>(wrapper), '\n'),
            lines)
            << file.file;
    }
}

TEST(ScheduleText, OfEveryKernelCompiles) {
    try {
        (void)NvrtcLibrary::open();
    } catch (const CompilerUnavailable& error) {
        GTEST_SKIP() << error.what();
    }
    for (const Kernel& file : allKernels()) {
        for (const std::string& instance : file.instances()) {
            try {
                const CompiledUnit unit = compileScheduleText(file, instance, 90);
                EXPECT_NE(unit.ptx.find(std::string(".entry ") + scheduledKernelName),
                          std::string::npos);
                EXPECT_EQ(unit.log, "") << file.file;
            } catch (const CompileError& error) {
                ADD_FAILURE() << instance << ": " << error.what();
            }
        }
    }
}

}  // namespace
}  // namespace warplens
