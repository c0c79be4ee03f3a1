#include "app/drawing/source_code.h"

#include <gtest/gtest.h>
#include <string>

#include "kernels/library/kernel_program.h"

namespace warplens::drawing {
namespace {

TEST(SourceTokens, TellWordsApart) {
    const std::vector<Token> expected{
        {"    "}, {"int", TokenKind::type},          {" "},   {"x1"},
        {" = "},  {"threadIdx", TokenKind::builtin}, {"."},   {"x"},
        {" * "},  {"0.875f", TokenKind::number},     {";  "}, {"// if 2", TokenKind::comment}};
    EXPECT_EQ(tokensOf("    int x1 = threadIdx.x * 0.875f;  // if 2"), expected);
    EXPECT_EQ(tokensOf("    #pragma unroll 1").back().kind, TokenKind::directive);
    EXPECT_EQ(tokensOf("__global__ void f(").front().kind, TokenKind::keyword);
    EXPECT_TRUE(tokensOf("").empty());
}

TEST(SourceTokens, TogetherAreTheLine) {
    for (const Kernel& kernel : allKernels()) {
        for (const KernelLine& line : codeLines(kernel)) {
            std::string together;
            for (const Token& token : tokensOf(line.text)) together += token.text;
            EXPECT_EQ(together, line.text);
            EXPECT_EQ(line.text.find("// name: "), std::string_view::npos) << "a file's mark";
        }
    }
}

}  // namespace
}  // namespace warplens::drawing
