#include "kernels/device/instrument/instrument.h"

#include <gtest/gtest.h>

#include "kernels/device/instrument/ptx_reader.h"

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

TEST(Instrument, FindsSitesWithWidthSpaceAndPlace) {
    const InstrumentedPtx result = instrument(smallPtx, {"wanted"}, {32, 1, 1});
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

TEST(Instrument, PutsACallBeforeEachSiteUnderItsGuard) {
    const std::string ptx = instrument(smallPtx, {"wanted"}, {32, 1, 1}).ptx;
    const auto before = [&](const char* first, const char* then) {
        const std::size_t a = ptx.find(first);
        const std::size_t b = ptx.find(then);
        return a != std::string::npos && b != std::string::npos && a < b;
    };
    EXPECT_TRUE(before("add.s64 %warplens_a, %rd1, -16;", "ld.global.nc.v4.f32"));
    EXPECT_TRUE(before("@!%p2 call warplens_shared", "@!%p2 st.shared.u16"));
    EXPECT_TRUE(before("selp.u32 %warplens_t, 1, 0, %p1;", "@%p1 bra"));
    EXPECT_TRUE(before("mov.u32 %warplens_s, %r7;", "atom.shared.add.u32"));
    EXPECT_TRUE(before(".extern .func warplens_global", ".func helper"));
    EXPECT_EQ(ptx.find("call.uni warplens"), std::string::npos);
}

TEST(Instrument, LeavesKernelsAloneThatWereNotAskedFor) {
    const std::string ptx = instrument(smallPtx, {"wanted"}, {32, 1, 1}).ptx;
    const std::string other = ptx.substr(ptx.find(".entry other"));
    EXPECT_EQ(other.find("warplens"), std::string::npos);
    EXPECT_NE(instrument(smallPtx, {"other"}, {1, 1, 1}).ptx.find("call warplens_global"),
              std::string::npos);
}

TEST(Instrument, BoundsTheBlockOfTheKernelWhereItIsNot) {
    const std::string ptx = instrument(smallPtx, {"wanted"}, {8, 4, 2}).ptx;
    EXPECT_NE(ptx.find(")\n\t.maxntid 8, 4, 2\n{"), std::string::npos);
    std::string bounded = smallPtx;
    bounded.insert(bounded.find("{\n\t.reg .pred"), ".maxntid 64, 1, 1\n");
    EXPECT_EQ(instrument(bounded, {"wanted"}, {8, 4, 2}).ptx.find("8, 4, 2"), std::string::npos);
}

TEST(Instrument, LaysInlinedForeignCodeToThePlaceThatCallsIt) {
    const InstrumentedPtx result = instrument(smallPtx, {"wanted"}, {32, 1, 1}, {"my.cu"});
    EXPECT_EQ(result.sites[2].file, "my.cu");
    EXPECT_EQ(result.sites[2].line, 12u);
    EXPECT_EQ(result.sites[2].column, 3u);
}

TEST(Instrument, SaysWhichAccessesItDoesNotCount) {
    const InstrumentedPtx result = instrument(smallPtx, {"wanted"}, {32, 1, 1});
    ASSERT_EQ(result.notes.size(), 1u);
    EXPECT_EQ(result.notes[0], "my.cu:13: cp.async is not probed");
}

TEST(Instrument, RefusesTextThatIsNotPtx) {
    EXPECT_THROW((void)instrument("int main() {}", {"main"}, {1, 1, 1}), UnknownPtx);
    EXPECT_THROW((void)instrument("", {}, {1, 1, 1}), UnknownPtx);
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
