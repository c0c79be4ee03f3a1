// Branches and where lanes meet again, seen by the requests that a warp makes.
#include <gtest/gtest.h>

#include "tests/ptx/machine.h"

namespace warplens::ptx::test {
namespace {

struct Stored final {
    std::vector<std::uint32_t> values;
    std::uint64_t requests;
    std::uint64_t divergent;
};
/// The body computes %r1; one store stands behind it.
Stored stored(const std::string& body, std::uint32_t threads = 32, const std::string& before = {}) {
    Machine machine(kernel(1, element() + body + "\nst.global.u32 [%rd0], %r1;", before));
    const std::uint64_t out = machine.zeros<std::uint32_t>(threads);
    const LaunchResult result = machine.run({1, 1, 1}, {threads, 1, 1}, {out});
    EXPECT_EQ(said(result), "");
    return {machine.values<std::uint32_t>(out), sumOf(machine, result, AccessKind::store).requests,
            sumOf(machine, result, AccessKind::branch).divergent};
}

TEST(Control, HalvesOfABranchMeet) {
    const Stored got = stored(
        "setp.lt.u32 %p1, %r0, 16; @%p1 bra A; mov.u32 %r1, 2; bra B; A: mov.u32 %r1, 1; B:");
    EXPECT_EQ(got.requests, 1u);
    EXPECT_EQ(got.divergent, 1u);
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(got.values[lane], lane < 16 ? 1u : 2u);
}

TEST(Control, LanesThatLeaveALoopAtDifferentTimesMeetBehindIt) {
    const Stored got =
        stored("mov.u32 %r1, 0; L: add.u32 %r1, %r1, 1; setp.le.u32 %p1, %r1, %r0; @%p1 bra L;");
    EXPECT_EQ(got.requests, 1u);
    EXPECT_EQ(got.divergent, 31u);
    for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(got.values[lane], lane + 1);
}

TEST(Control, ReturnInALoopAndANestedIfLeavesTheOthersTogether) {
    // for (i = 0; i < 4; ++i) { if (lane & 1) { if (lane == 5 && i == 2) return; x += 10; } else if
    // (lane == 8 && i == 1) return; x += 1; }
    const Stored got = stored(
        "mov.u32 %r1, 0; mov.u32 %r2, 0; L: and.b32 %r3, %r0, 1; setp.eq.u32 %p1, %r3, 0; @%p1 bra "
        "EVEN;\n"
        "setp.eq.u32 %p2, %r0, 5; setp.eq.and.u32 %p3, %r2, 2, %p2; @%p3 bra LEAVE; add.u32 %r1, "
        "%r1, 10; bra JOIN;\n"
        "EVEN: setp.eq.u32 %p2, %r0, 8; setp.eq.and.u32 %p3, %r2, 1, %p2; @%p3 ret;\n"
        "JOIN: add.u32 %r1, %r1, 1; add.u32 %r2, %r2, 1; setp.lt.u32 %p4, %r2, 4; @%p4 bra L; bra "
        "STORE;\nLEAVE: ret;\nSTORE:");
    EXPECT_EQ(got.requests, 1u);
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(got.values[lane], lane == 5 || lane == 8 ? 0u : lane % 2 ? 44u : 4u) << lane;
}

TEST(Control, ReturnsUnderAGuardLeaveTheOthers) {
    const Stored got = stored("setp.ge.u32 %p1, %r0, 20; @%p1 ret; mov.u32 %r1, 3;");
    EXPECT_EQ(got.requests, 1u);
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(got.values[lane], lane < 20 ? 3u : 0u);
}

TEST(Control, BranchesByIndexGoEverywhereAndMeet) {
    const Stored got = stored(
        "ts: .branchtargets A, B, C, D; rem.u32 %r2, %r0, 4; brx.idx %r2, ts;\n"
        "A: mov.u32 %r1, 10; bra D; B: mov.u32 %r1, 20; C: add.u32 %r1, %r1, 1; D:");
    EXPECT_EQ(got.requests, 1u);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const std::uint32_t expected[] = {10, 21, 1, 0};
        EXPECT_EQ(got.values[lane], expected[lane % 4]) << lane;
    }
}

TEST(Control, GuardsKeepWhatWasThere) {
    const Stored got = stored(
        "mov.u32 %r1, 5; setp.lt.u32 %p1, %r0, 7; @%p1 mov.u32 %r1, 6; @!%p1 add.u32 %r1, %r1, "
        "%r0;");
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(got.values[lane], lane < 7 ? 6u : lane + 5);
}

TEST(Control, BlocksOfEverySizeHaveAPartialLastWarp) {
    for (std::uint32_t threads = 1; threads <= 1024; threads += threads < 70 ? 1 : 53) {
        const Stored got = stored(
            "mov.u32 %r1, %laneid; mov.u32 %r2, %warpid; mad.lo.u32 %r1, %r2, 32, %r1; add.u32 "
            "%r1, %r1, 1; bar.sync 0;",
            threads);
        EXPECT_EQ(got.requests, (threads + 31) / 32);
        for (std::uint32_t thread = 0; thread < threads; ++thread)
            EXPECT_EQ(got.values[thread], thread + 1);
    }
    EXPECT_EQ(stored("mov.u32 %r1, 1; bar.sync 0;", 1024).requests, 32u);
}

/// `if (i < 8 && i > 3)` as nvcc -G has it, the second half in line `second`; `apart` decides the
/// second by something else.
std::size_t statementsOf(int second, bool apart, const std::string& target = "sm_90, debug") {
    std::string text = kernel(
        1,
        ".loc 1 3 5\nmov.u32 %r0, %tid.x; setp.lt.u32 %p1, %r0, 8; mov.pred %p2, 0; not.pred %p3, "
        "%p1; mov.pred %p4, %p2; @%p3 bra BOTH; bra.uni NEXT; NEXT:\n.loc 1 " +
            std::to_string(second) +
            " 9\nsetp.gt.u32 %p5, %r0, 3; mov.pred %p4, %p5; bra.uni BOTH; BOTH: " +
            (apart ? "setp.lt.u32 %p6, %r0, 2;" : "mov.pred %p6, %p4;") +
            " not.pred %p7, %p6; @%p7 bra OUT; bra.uni IN; IN: mov.u32 %r1, 1; OUT:");
    Machine machine(text.replace(text.find("sm_90"), 5, target));
    Program& program = machine.program;
    static_cast<void>(program.code(*program.function("k")));
    return static_cast<std::size_t>(std::ranges::count_if(program.sites(), [](const Site& site) {
        return site.kind == AccessKind::branch && !site.isPart;
    }));
}
TEST(Control, AConditionInPartsIsOneBranchInOneLineOrSeveral) {
    EXPECT_EQ(statementsOf(3, false), 1u);
    EXPECT_EQ(statementsOf(4, false), 1u);
    EXPECT_EQ(statementsOf(4, true), 2u);
    EXPECT_EQ(statementsOf(3, false, "sm_90"), 2u);  // of optimised code each counts
}

}  // namespace
}  // namespace warplens::ptx::test
