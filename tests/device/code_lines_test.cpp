#include "kernels/device/code_lines.h"

#include <gtest/gtest.h>

namespace warplens {
namespace {

constexpr const char* twoKernels = R"(.version 9.0
.target sm_90
.address_size 64
	.file	1 "/x/dir/my.cu"
.visible .entry k(.param .u64 k_param_0)
{
	.reg .pred %p<2>;
	.reg .f32 %f<5>;
	.reg .b64 %rd<3>;
	.loc	1 4 1
	ld.param.u64 %rd1, [k_param_0];
	ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];
	.loc	1 5 1
	setp.gt.f32 %p1, %f1, 0f00000000;
@%p1 bra $L__BB0_2;
	.loc	1 6 1
	st.global.f32 [%rd1], %f1;
$L__BB0_2:
	ret;
}
.visible .entry _Z5otherILi2EEvPj(.param .u64 other_param_0)
{
	.reg .b64 %rd<3>;
	.loc	1 9 1
	ld.param.u64 %rd1, [other_param_0];
	red.global.add.u32 [%rd1], 1;
	ret;
}
)";

TEST(CodeByLine, HasTheAccessesAndBranchesOfOneKernelByItsSymbolOrItsName) {
    std::vector<std::string> notes;
    const std::vector<std::string> ptx{twoKernels};
    const std::vector<CompiledLine> one = codeByLine(ptx, "", "k", {"dir/my.cu"}, notes);
    ASSERT_EQ(one.size(), 3u);
    EXPECT_EQ(one[0], (CompiledLine{.file = "dir/my.cu",
                                    .line = 4,
                                    .ptx = {"ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1]"}}));
    EXPECT_EQ(one[1].ptx, std::vector<std::string>{"@%p1 bra $L__BB0_2"});
    EXPECT_EQ(one[2].ptx, std::vector<std::string>{"st.global.f32 [%rd1], %f1"});
    const std::vector<CompiledLine> other = codeByLine(ptx, "", "other<2>", {"dir/my.cu"}, notes);
    ASSERT_EQ(other.size(), 1u);
    EXPECT_EQ(other[0].line, 9u);
    EXPECT_TRUE(notes.empty());
}

TEST(InlinedLines, AreThoseOfTheCallInAFileOfTheUsers) {
    const std::string ptx =
        "\t.file\t1 \"/x/dir/my.cu\"\n\t.file\t2 \"/usr/bin/../include/group.h\"\n"
        ".visible .entry k(\n{\n"
        "\t.loc\t1 12 3\n"
        "\t.loc\t2 77 1, function_name $L__info_string0, inlined_at 1 12 3\n"
        "\tatom.shared.add.u32 %r1, [%r2], 1;\n"
        "\t.loc\t2 80 1, function_name $L__info_string0, inlined_at 2 77 1\n"
        "\t@%p1 st.global.u32 [%rd1], %r1;\n"
        "\t.loc\t2 77 1, function_name $L__info_string0, inlined_at 1 14 3\n"
        "\tred.global.add.u32 [%rd2], %r1;\n"
        "\t.loc\t2 90 1, function_name $L__info_string0, inlined_at 1 15 3\n"
        "\tld.global.u32 %r1, [%rd2];\n"
        "\t.loc\t2 90 1, function_name $L__info_string0, inlined_at 1 16 3\n"
        "\tld.global.u32 %r1, [%rd3];\n}\n"
        ".visible .entry other(\n{\n"
        "\t.loc\t2 80 1, function_name $L__info_string0, inlined_at 1 40 3\n"
        "\tst.global.u32 [%rd1], %r1;\n}\n";
    EXPECT_EQ(
        inlinedLines(ptx, "k", {"dir/my.cu"}),
        (InlinedLines{{{{"/usr/include/group.h", 77}, AccessKind::sharedAtomic}, {"dir/my.cu", 12}},
                      {{{"/usr/include/group.h", 77}, AccessKind::atomic}, {"dir/my.cu", 14}},
                      {{{"/usr/include/group.h", 80}, AccessKind::store}, {"dir/my.cu", 12}}}));
}

}  // namespace
}  // namespace warplens
