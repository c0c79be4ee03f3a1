#include <algorithm>
#include <gtest/gtest.h>

#include "core/program/cuda_tokens.h"
#include "kernels/device/differences.h"

namespace warplens {
namespace {

TEST(WithoutUnrolling, MarksTheLoopsAroundALineAndNoOthers) {
    const std::string text = withoutUnrolling(
        "for (int i = 0; i < 4; ++i)\n    a[i] = 1;\nwhile (x) {\n    b();\n}\n", {2});
    EXPECT_EQ(text,
              "_Pragma(\"unroll 1\") for (int i = 0; i < 4; ++i)\n    a[i] = 1;\nwhile (x) {\n"
              "    b();\n}\n");
}

TEST(WithoutUnrolling, MarksNestedLoopsAndTakesTheProgramsOwnPragmasOut) {
    const std::string source =
        "#pragma unroll\nfor (;;) {\n#pragma unroll 4\n    for (;;) {\n        a();\n    }\n}\n";
    const std::string text = withoutUnrolling(source, {5});
    EXPECT_EQ(std::ranges::count(text, '\n'), std::ranges::count(source, '\n'));
    EXPECT_EQ(text.find("#pragma"), std::string::npos);
    EXPECT_NE(text.find("_Pragma(\"unroll 1\") for (;;) {\n"), std::string::npos);
    EXPECT_NE(text.find("    _Pragma(\"unroll 1\") for (;;) {\n        a();"), std::string::npos);
}

TEST(WithoutUnrolling, LeavesTheTestOfADoLoopWhereItIs) {
    const std::string text = withoutUnrolling("do {\n  a();\n} while (x < 3);\nb();\n", {2});
    EXPECT_EQ(text, "_Pragma(\"unroll 1\") do {\n  a();\n} while (x < 3);\nb();\n");
}

TEST(WithoutUnrolling, ChangesNothingWhereNoLoopIs) {
    const std::string source = "int a;\nfor (;;) {}\n";
    EXPECT_EQ(withoutUnrolling(source, {1}), source);
    EXPECT_EQ(withoutUnrolling("", {1}), "");
    EXPECT_NO_THROW((void)withoutUnrolling("for", {1}));
    EXPECT_NO_THROW((void)withoutUnrolling("for ( { do while", {1}));
}

TEST(StatementLines, BeginWhereTheStatementDoes) {
    const std::string source =
        "int a = b +\n"         // 1
        "    c;\n"              // 2
        "if (x &&\n"            // 3
        "    y)\n"              // 4
        "    f(1,\n"            // 5
        "      2);\n"           // 6
        "for (int i = 0;\n"     // 7
        "     i < 3; ++i) {\n"  // 8
        "    g();\n"            // 9
        "}\n";                  // 10
    EXPECT_EQ(statementLines(source),
              (std::vector<std::uint32_t>{1, 1, 3, 3, 5, 5, 7, 7, 9, 10, 11}));
}

}  // namespace
}  // namespace warplens
