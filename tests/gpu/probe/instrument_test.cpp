#include "tests/gpu/probe/instrument.h"

#include <gtest/gtest.h>

#include "tests/gpu/probe/ptx_reader.h"

namespace warplens {
namespace {

constexpr const char* smallPtx = R"(.version 9.0
.target sm_90
.address_size 64

.func helper(.param .b64 p)
{
	.reg .b64 %rd<4>;
	.loc	1 3 5
	ld.u32 	%r1, [%rd1];
	ret;
}
.visible .entry wanted(
	.param .u64 wanted_param_0
)
{
	.reg .pred 	%p<5>;
	.loc	1 10 9
	ld.param.u64 	%rd1, [wanted_param_0];
	ld.global.nc.v4.f32 	{%f1, %f2, %f3, %f4}, [%rd1+-16];
	.loc	2 77 1, function_name $L__info_string0, inlined_at 1 12 3
	@!%p2 st.shared.u16 	[tile+8], %rs1;
	.loc	1 13 3
	@%p1 bra 	$L1;
	bra.uni 	$L1;
	atom.shared.add.u32 	%r1, [%r7], 1;
	red.global.add.f64 	[%rd2+8], %fd1;
	ld.const.f32 	%f5, [coef];
	st.local.u32 	[%rd3], %r1;
	cp.async.ca.shared.global [%r3], [%rd2], 4;
$L1:
	ret;
}
.visible .entry other()
{
	ld.global.u32 	%r1, [%rd1];
	ret;
}
	.file	1 "my.cu"
	.file	2 "inner.h"
)";

/// Functions that do nothing but name themselves, as NVRTC writes them.
ProbeCode smallProbe() {
    std::string ptx = ".version 9.0\n.visible .global .align 8 .b8 warplens_table[8];\n";
    const auto add = [&](const std::string& name, const std::string& type,
                         const std::string& parameters) {
        ptx += "\n.visible .func " + name + "(\n\t.param .b32 " + name + "_param_0" + parameters +
               "\n)\n{\n\t.reg .b64 \t%rd<2>;\n\tld.param." + type + " \t%x1, [" + name +
               "_param_0];\n\tld.param.u32 \t%r9, [" + name +
               "_param_1];\n\t@%q1 bra \t$L__BB0_2;\n\t" + name +
               " %x1;\n$L__BB0_2:\n\tret;\n\n}\n";
    };
    for (const char* name : {"global", "global_atomic", "generic", "generic_atomic"}) {
        add("warplens_" + std::string(name), "u64", "");
    }
    for (const char* name : {"shared_4", "shared_8", "shared_16", "shared_atomic_4", "branch"}) {
        add("warplens_" + std::string(name), "u32", "");
    }
    return ProbeCode(ptx);
}

TEST(ProbeCode, IsABlockWithItsArgumentsAndLabelsOfItsOwn) {
    EXPECT_EQ(smallProbe().declarations(), ".visible .global .align 8 .b8 warplens_table[8];\n");
    EXPECT_EQ(smallProbe().block("warplens_shared_4", {"%warplens_s", "7"}, "WL7"),
              "\t{\n\t.reg .b64 \t%rd<2>;\n\tmov.u32 \t%x1, %warplens_s;\n\tmov.u32 \t%r9, 7;\n"
              "\t@%q1 bra \t$LWL7_BB0_2;\n\twarplens_shared_4 %x1;\n$LWL7_BB0_2:\n"
              "\tbra $LWL7_end;\n\n\t}\n$LWL7_end:\n");
    EXPECT_THROW((void)smallProbe().block("warplens_other", {}, "WL7"), UnknownPtx);
    EXPECT_THROW((void)ProbeCode("int main() {}"), UnknownPtx);
}

TEST(Instrument, FindsSitesWithWidthSpaceAndPlace) {
    const InstrumentedPtx result = instrument(smallProbe(), smallPtx, {"wanted"}, {32, 1, 1});
    ASSERT_EQ(result.sites.size(), 6u);
    EXPECT_EQ(result.sites[0], (Site{.function = "helper",
                                     .kind = SiteKind::load,
                                     .space = SiteSpace::generic,
                                     .bytes = 4,
                                     .file = "my.cu",
                                     .line = 3,
                                     .column = 5,
                                     .instruction = "ld.u32  %r1, [%rd1]"}));
    EXPECT_EQ(result.sites[1].bytes, 16u);
    EXPECT_EQ(result.sites[1].space, SiteSpace::global);
    EXPECT_EQ(result.sites[1].line, 10u);
    EXPECT_EQ(result.sites[2].kind, SiteKind::store);
    EXPECT_EQ(result.sites[2].bytes, 2u);
    EXPECT_EQ(result.sites[2].file, "inner.h");
    EXPECT_EQ(result.sites[3].kind, SiteKind::branch);
    EXPECT_EQ(result.sites[4].kind, SiteKind::atomic);
    EXPECT_EQ(result.sites[4].space, SiteSpace::shared);
    EXPECT_EQ(result.sites[5].bytes, 8u);
    EXPECT_EQ(result.sites, sitesOf(smallPtx, {"wanted"}));
}

TEST(Instrument, PutsTheProbeBeforeEachSiteUnderItsGuard) {
    const std::string ptx = instrument(smallProbe(), smallPtx, {"wanted"}, {32, 1, 1}).ptx;
    const auto before = [&](const char* first, const char* then) {
        const std::size_t a = ptx.find(first);
        const std::size_t b = ptx.find(then);
        return a != std::string::npos && b != std::string::npos && a < b;
    };
    EXPECT_TRUE(before("add.s64 %warplens_a, %rd1, -16;", "ld.global.nc.v4.f32"));
    EXPECT_TRUE(before("warplens_global %x1;", "ld.global.nc.v4.f32"));
    EXPECT_TRUE(before("@%p2 bra $LWL2_round;", "warplens_shared_4 %x1;"));
    EXPECT_TRUE(before("warplens_shared_4 %x1;", "$LWL2_round:\n\t@!%p2 st.shared.u16"));
    EXPECT_TRUE(before("selp.u32 %warplens_t, 1, 0, %p1;", "@%p1 bra"));
    EXPECT_TRUE(before("mov.u32 %warplens_s, %r7;", "atom.shared.add.u32"));
    EXPECT_TRUE(before("warplens_shared_atomic_4 %x1;", "atom.shared.add.u32"));
    EXPECT_TRUE(before(".b8 warplens_table[8];", ".func helper"));
    EXPECT_EQ(ptx.find("call"), std::string::npos);
}

// Where static arrays lie is known to the compiled code alone: it tells the probe.
TEST(Instrument, TellsWhereTheArraysInSharedMemoryOfItsKernelBegin) {
    const std::string ptx = R"(.version 9.0
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 tiles[];

.visible .entry other()
{
	// demoted variable
	.shared .align 4 .b8 _ZZ5otherE4mine[64];
	ld.shared.u32 	%r1, [_ZZ5otherE4mine];
	ret;
}
.visible .entry wanted()
{
	.reg .b32 	%r<5>;
	// demoted variable
	.shared .align 4 .b8 _ZZ6wantedE4tile[64];
$L__func_begin0:
	.loc	1 10 9
	mov.u32 	%r2, %tid.x;
	ld.shared.u32 	%r1, [_ZZ6wantedE4tile];
	ret;
}
)";
    const InstrumentedPtx result = instrument(smallProbe(), ptx, {"wanted"}, {32, 1, 1});
    EXPECT_EQ(result.sharedSymbols, (std::vector<std::string>{"tiles", "_ZZ6wantedE4tile"}));
    EXPECT_NE(result.ptx.find("\t.loc\t1 10 9\n"
                              "\tmov.u32 %warplens_s, tiles;\n"
                              "\tst.global.u32 [warplens_shared_begins+0], %warplens_s;\n"
                              "\tmov.u32 %warplens_s, _ZZ6wantedE4tile;\n"
                              "\tst.global.u32 [warplens_shared_begins+4], %warplens_s;\n"
                              "\tmov.u32 \t%r2, %tid.x;\n"),
              std::string::npos)
        << result.ptx;
    EXPECT_EQ(result.ptx.find("warplens_s, _ZZ5otherE4mine"), std::string::npos);
}

TEST(Instrument, LeavesKernelsAloneThatWereNotAskedFor) {
    const std::string ptx = instrument(smallProbe(), smallPtx, {"wanted"}, {32, 1, 1}).ptx;
    const std::string other = ptx.substr(ptx.find(".entry other"));
    EXPECT_EQ(other.find("warplens"), std::string::npos);
    EXPECT_NE(
        instrument(smallProbe(), smallPtx, {"other"}, {1, 1, 1}).ptx.find("warplens_global %x1;"),
        std::string::npos);
}

TEST(Instrument, BoundsTheBlockOfTheKernelWhereItIsNot) {
    const std::string ptx = instrument(smallProbe(), smallPtx, {"wanted"}, {8, 4, 2}).ptx;
    EXPECT_NE(ptx.find(")\n\t.maxntid 8, 4, 2\n{"), std::string::npos);
    std::string bounded = smallPtx;
    bounded.insert(bounded.find("{\n\t.reg .pred"), ".maxntid 64, 1, 1\n");
    EXPECT_EQ(instrument(smallProbe(), bounded, {"wanted"}, {8, 4, 2}).ptx.find("8, 4, 2"),
              std::string::npos);
}

TEST(Instrument, LaysInlinedForeignCodeToThePlaceThatCallsIt) {
    const InstrumentedPtx result =
        instrument(smallProbe(), smallPtx, {"wanted"}, {32, 1, 1}, {"my.cu"});
    EXPECT_EQ(result.sites[2].file, "my.cu");
    EXPECT_EQ(result.sites[2].line, 12u);
    EXPECT_EQ(result.sites[2].column, 3u);
}

TEST(Instrument, FollowsCallsWithinForeignFilesToThePlaceOfItsOwn) {
    const std::string ptx = R"(.version 9.0
.target sm_90
.address_size 64
.extern .func vprintf
(
	.param .b64 p
)
;
.global .align 1 .b8 $str[3] = {104, 105, 0};
.visible .entry wanted()
{
	.loc	2 50 1, function_name $L__info_string0, inlined_at 1 12 3
	.loc	3 77 1, function_name $L__info_string1, inlined_at 2 50 1
	atom.global.add.u32 	%r1, [%rd1], 1;
	ret;
}
	.file	1 "my.cu"
	.file	2 "groups.h"
	.file	3 "sync.h"
)";
    const InstrumentedPtx result = instrument(smallProbe(), ptx, {"wanted"}, {32, 1, 1}, {"my.cu"});
    ASSERT_EQ(result.sites.size(), 1u);
    EXPECT_EQ(result.sites[0].file, "my.cu");
    EXPECT_EQ(result.sites[0].line, 12u);
    // What a declaration is followed by is no function of its.
    EXPECT_GT(result.ptx.find("%warplens_a;"), result.ptx.find(".entry wanted"));
}

TEST(Instrument, SaysWhichAccessesItDoesNotCount) {
    const InstrumentedPtx result = instrument(smallProbe(), smallPtx, {"wanted"}, {32, 1, 1});
    ASSERT_EQ(result.notes.size(), 1u);
    EXPECT_EQ(result.notes[0], "my.cu:13: cp.async is not probed");
}

TEST(Instrument, RefusesTextThatIsNotPtx) {
    EXPECT_THROW((void)instrument(smallProbe(), "int main() {}", {"main"}, {1, 1, 1}), UnknownPtx);
    EXPECT_THROW((void)instrument(smallProbe(), "", {}, {1, 1, 1}), UnknownPtx);
}

TEST(AccessOf, ReadsWidthsOffsetsAndSpacesAndLeavesTheRest) {
    const auto bytes = [](const char* line) {
        const auto access = accessOf(line);
        return access ? static_cast<int>(access->bytes) : -1;
    };
    EXPECT_EQ(bytes("\tld.volatile.global.f64 \t%fd1, [%rd1];"), 8);
    EXPECT_EQ(bytes("\tst.global.v2.u64 \t[%rd1+16], {%rd2, %rd3};"), 16);
    EXPECT_EQ(bytes("\tld.relaxed.gpu.global.b8 %rs1, [%rd1];"), 1);
    EXPECT_EQ(bytes("\tatom.global.cas.b64 %rd1, [%rd2], %rd3, %rd4;"), 8);
    EXPECT_EQ(bytes("\tatom.global.add.noftz.f16x2 %r1, [%rd2], %r3;"), 4);
    EXPECT_EQ(bytes("\tld.global.nc.b128 %rq1, [%rd1];"), 16);
    EXPECT_EQ(bytes("\tld.param.u32 %r1, [k_param_0];"), -1);
    EXPECT_EQ(bytes("\tst.param.b32 [param0+0], %r1;"), -1);
    EXPECT_EQ(bytes("\tadd.s32 %r1, %r2, %r3;"), -1);
    EXPECT_EQ(bytes("$L__BB0_2:"), -1);
    EXPECT_EQ(bytes(""), -1);
}

}  // namespace
}  // namespace warplens
