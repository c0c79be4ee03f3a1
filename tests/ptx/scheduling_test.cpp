// Lanes, warps and blocks that wait on one another. Since Volta every thread makes progress of its
// own (CUDA C++ Programming Guide, "SIMT Architecture", independent thread scheduling).
#include <gtest/gtest.h>

#include "tests/ptx/machine.h"

namespace warplens::ptx::test {
namespace {

struct Ran final {
    std::string said;
    std::vector<std::uint32_t> values;
};
/// p0: an array of `count` zeros, whose address is %rd5; %r0 the thread, %r20 the block.
Ran run(const std::string& body, Extents grid, Extents block, std::size_t count) {
    Machine machine(kernel(1,
                           ".shared .align 4 .b8 s[4096];\nld.param.u64 %rd5, [p0]; mov.u32 %r0, "
                           "%tid.x; mov.u32 %r20, %ctaid.x;\n" +
                               body));
    machine.bounds.jumps = 1 << 26;
    const std::uint64_t out = machine.zeros<std::uint32_t>(count);
    const LaunchResult result = machine.run(grid, block, {out});
    return {said(result), machine.values<std::uint32_t>(out)};
}

TEST(Scheduling, ALockBetweenLanesOfAWarpIsFreedByItsHolder) {
    // PTX ISA, "Independent Thread Scheduling": threads of a warp that diverged may wait for one
    // another. while (atomicCAS(lock, 0, 1) != 0); counter = counter + 1; atomicExch(lock, 0);
    const Ran got =
        run("SPIN: atom.global.cas.b32 %r1, [%rd5], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra SPIN;\n"
            "ld.volatile.global.u32 %r2, [%rd5+4]; add.u32 %r2, %r2, 1; st.volatile.global.u32 "
            "[%rd5+4], %r2; membar.gl; atom.global.exch.b32 %r3, [%rd5], 0;",
            {3, 1, 1}, {96, 1, 1}, 2);
    EXPECT_EQ(got.said, "");
    EXPECT_EQ(got.values[1], 3u * 96);
}

TEST(Scheduling, ALockWithADoneFlag) {
    // done = false; while (!done) if (atomicCAS(lock, 0, 1) == 0) { ++counter; atomicExch(lock, 0);
    // done = true; }
    const Ran got =
        run("mov.u32 %r9, 0; LOOP: atom.global.cas.b32 %r1, [%rd5], 0, 1; setp.ne.u32 %p1, %r1, 0; "
            "@%p1 bra NEXT;\n"
            "ld.volatile.global.u32 %r2, [%rd5+4]; add.u32 %r2, %r2, 1; st.volatile.global.u32 "
            "[%rd5+4], %r2; atom.global.exch.b32 %r3, [%rd5], 0; mov.u32 %r9, 1;\n"
            "NEXT: setp.eq.u32 %p2, %r9, 0; @%p2 bra LOOP;",
            {2, 1, 1}, {64, 1, 1}, 2);
    EXPECT_EQ(got.said, "");
    EXPECT_EQ(got.values[1], 128u);
}

TEST(Scheduling, HalvesOfAWarpWaitAtDifferentBarrierInstructions) {
    // PTX ISA, "barrier": without .aligned the lanes of a warp need not come to the same
    // instruction.
    const Ran got =
        run("mad.wide.u32 %rd6, %r0, 4, %rd5; mov.u64 %rd7, s; mad.wide.u32 %rd7, %r0, 4, %rd7; "
            "xor.b32 %r2, %r0, 16; mov.u64 %rd8, s; mad.wide.u32 %rd8, %r2, 4, %rd8;\n"
            "and.b32 %r1, %r0, 16; setp.eq.u32 %p1, %r1, 0; @%p1 bra A; st.shared.u32 [%rd7], %r0; "
            "barrier.sync 0; ld.shared.u32 %r3, [%rd8]; bra B;\n"
            "A: st.shared.u32 [%rd7], %r0; barrier.sync 0; ld.shared.u32 %r3, [%rd8];\nB: "
            "st.global.u32 [%rd6], %r3;",
            {1, 1, 1}, {64, 1, 1}, 64);
    EXPECT_EQ(got.said, "");
    for (std::uint32_t thread = 0; thread < 64; ++thread)
        EXPECT_EQ(got.values[thread], thread ^ 16);
}

TEST(Scheduling, SyncthreadsInABranchOfAWarpIsTold) {
    const Ran got =
        run("setp.lt.u32 %p1, %r0, 16; @!%p1 bra B; bar.sync 0; B: st.global.u32 [%rd5], 1;",
            {1, 1, 1}, {32, 1, 1}, 1);
    EXPECT_NE(got.said.find("barrier_mismatch: a barrier that 16 of a warp's 32 threads reach"),
              std::string::npos)
        << got.said;
}

TEST(Scheduling, LanesThatReturnAreNotWaitedFor) {
    // for (i = 0; i <= lane % 4; ++i) if (lane == 31) return; ++out[0] of the warp: those that are
    // left meet behind the loop (__activemask).
    const Ran got =
        run("and.b32 %r1, %r0, 3; mov.u32 %r2, 0; L: setp.gt.u32 %p1, %r2, %r1; @%p1 bra X; "
            "setp.eq.u32 %p2, %r0, 31; @!%p2 bra N; bra R; N: add.u32 %r2, %r2, 1; bra L;\n"
            "X: activemask.b32 %r3; red.global.or.b32 [%rd5], %r3; bar.sync 0; mad.wide.u32 %rd6, "
            "%r0, 4, %rd5; st.global.u32 [%rd6+4], %r3; R:",
            {1, 1, 1}, {32, 1, 1}, 33);
    EXPECT_EQ(got.said, "");
    EXPECT_EQ(got.values[0], 0x7fffffffu);
    EXPECT_EQ(got.values[1], 0x7fffffffu);
    EXPECT_EQ(got.values[32], 0u);
}

TEST(Scheduling, LanesBehindABranchComeToABarrierThatOthersWaitAtInIt) {
    // Neither half is the last to move: 16 lanes wait in the branch, 16 where it ends.
    const Ran got =
        run("setp.ge.u32 %p1, %r0, 16; @%p1 bra B; barrier.sync 0, 32; B: red.global.add.u32 "
            "[%rd5], 1; @!%p1 bra E; barrier.sync 0, 32; E:",
            {1, 1, 1}, {32, 1, 1}, 1);
    EXPECT_EQ(got.said, "");
    EXPECT_EQ(got.values[0], 32u);
}

TEST(Scheduling, ABarrierThatOneWarpNeverReachesIsToldAndLeft) {
    const Ran got = run(
        "setp.lt.u32 %p1, %r0, 32; @%p1 bra B; bar.sync 1, 96; B: red.global.add.u32 [%rd5], 1;",
        {1, 1, 1}, {64, 1, 1}, 1);
    EXPECT_EQ(got.said,
              "barrier_mismatch: a barrier that 32 threads reach, and that waits for 96\n");
    EXPECT_EQ(got.values[0], 64u);
}

TEST(Scheduling, WarpsThatEndedAreNotWaitedFor) {
    const Ran got =
        run("setp.ge.u32 %p1, %r0, 64; @%p1 ret; bar.sync 0; red.global.add.u32 [%rd5], 1;",
            {1, 1, 1}, {128, 1, 1}, 1);
    EXPECT_EQ(got.said, "");
    EXPECT_EQ(got.values[0], 64u);
}

TEST(Scheduling, NamedBarriersOfAProducerAndAConsumer) {
    // Warp 0 fills and arrives (PTX ISA, "bar", example of producer and consumer); warp 1 waits for
    // it.
    const Ran got =
        run("mov.u64 %rd7, s; and.b32 %r1, %r0, 31; mad.wide.u32 %rd7, %r1, 4, %rd7; setp.ge.u32 "
            "%p1, %r0, 32; @%p1 bra CONSUMER;\n"
            "add.u32 %r2, %r0, 1000; st.shared.u32 [%rd7], %r2; bar.arrive 3, 64; bra END;\n"
            "CONSUMER: bar.sync 3, 64; ld.shared.u32 %r3, [%rd7]; mad.wide.u32 %rd6, %r1, 4, %rd5; "
            "st.global.u32 [%rd6], %r3; END:",
            {1, 1, 1}, {64, 1, 1}, 32);
    EXPECT_EQ(got.said, "");
    for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(got.values[lane], 1000 + lane);
}

TEST(Scheduling, BarriersReduce) {
    const Ran got =
        run("setp.lt.u32 %p1, %r0, 40; bar.red.popc.u32 %r1, 0, %p1; bar.red.and.pred %p2, 0, %p1; "
            "bar.red.or.pred %p3, 0, %p1; bar.red.and.pred %p4, 0, !%p1;\n"
            "setp.lt.u32 %p5, %r0, 999; bar.red.and.pred %p5, 0, %p5; selp.u32 %r2, 1000, 0, %p2; "
            "selp.u32 %r3, 2000, 0, %p3; selp.u32 %r4, 4000, 0, %p4; selp.u32 %r5, 8000, 0, %p5;\n"
            "add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; add.u32 %r1, %r1, %r4; add.u32 %r1, "
            "%r1, %r5; mad.wide.u32 %rd6, %r0, 4, %rd5; st.global.u32 [%rd6], %r1;",
            {1, 1, 1}, {96, 1, 1}, 96);
    EXPECT_EQ(got.said, "");
    for (const std::uint32_t value : got.values) EXPECT_EQ(value, 40u + 2000 + 8000);
}

TEST(Scheduling, SyncwarpMeetsDivergedHalves) {
    // One half writes before its __syncwarp, the other reads behind its own, at another place.
    const Ran got =
        run("mov.u64 %rd7, s; and.b32 %r1, %r0, 15; mad.wide.u32 %rd7, %r1, 4, %rd7; setp.ge.u32 "
            "%p1, %r0, 16; @%p1 bra READ;\n"
            "add.u32 %r2, %r0, 7; st.shared.u32 [%rd7], %r2; bar.warp.sync -1; bra END;\n"
            "READ: bar.warp.sync -1; ld.shared.u32 %r3, [%rd7]; mad.wide.u32 %rd6, %r1, 4, %rd5; "
            "st.global.u32 [%rd6], %r3; END:",
            {1, 1, 1}, {32, 1, 1}, 16);
    EXPECT_EQ(got.said, "");
    for (std::uint32_t lane = 0; lane < 16; ++lane) EXPECT_EQ(got.values[lane], lane + 7);
}

TEST(Scheduling, ShufflesOfHalfAWarpWithItsOwnMaskAreRight) {
    // PTX ISA, "shfl.sync": the executing thread waits until all of membermask have come with the
    // same one; beyond c a lane gets its own value.
    const Ran got =
        run("mad.wide.u32 %rd6, %r0, 4, %rd5; setp.ge.u32 %p1, %r0, 16; @%p1 bra HIGH;\n"
            "shfl.sync.bfly.b32 %r1, %r0, 1, 31, 0xffff; bra END; HIGH: shfl.sync.down.b32 %r1, "
            "%r0, 2, 31, 0xffff0000; END: st.global.u32 [%rd6], %r1;",
            {1, 1, 1}, {32, 1, 1}, 32);
    EXPECT_EQ(got.said, "");
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(got.values[lane], lane < 16 ? lane ^ 1 : lane < 30 ? lane + 2 : lane) << lane;
}

TEST(Scheduling, AMaskThatNamesLanesWhichDoNotComeIsTold) {
    // PTX ISA, "shfl.sync": undefined where the executing threads are not those of membermask.
    const Ran got =
        run("setp.ge.u32 %p1, %r0, 16; @%p1 bra END; shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1; END: "
            "bar.warp.sync -1;",
            {1, 1, 1}, {32, 1, 1}, 1);
    EXPECT_NE(got.said.find("barrier_mismatch: a warp intrinsic's mask names 32 lanes"),
              std::string::npos)
        << got.said;
}

TEST(Scheduling, ShufflesOfEveryMode) {
    const std::string modes[] = {"up", "down", "bfly", "idx"};
    for (const std::string& mode : modes) {
        for (const std::uint32_t width : {32u, 8u}) {
            const std::uint32_t segment = (32 - width) << 8;
            const std::uint32_t c = segment | (mode == "up" ? 0 : 31);
            const Ran got = run("mad.wide.u32 %rd6, %r0, 4, %rd5; shfl.sync." + mode +
                                    ".b32 %r1|%p1, %r0, 3, " + std::to_string(c) +
                                    ", -1; selp.u32 %r2, 100, 0, %p1; add.u32 %r1, %r1, %r2; "
                                    "st.global.u32 [%rd6], %r1;",
                                {1, 1, 1}, {32, 1, 1}, 32);
            EXPECT_EQ(got.said, "");
            for (std::uint32_t lane = 0; lane < 32; ++lane) {
                const std::uint32_t first = lane / width * width, in = lane % width;
                const std::int32_t from = mode == "up"     ? int(in) - 3
                                          : mode == "down" ? int(in) + 3
                                          : mode == "bfly" ? int(in ^ 3)
                                                           : 3;
                const bool valid = from >= 0 && from < int(width);
                EXPECT_EQ(got.values[lane],
                          (valid ? first + std::uint32_t(from) : lane) + (valid ? 100 : 0))
                    << mode << width << ' ' << lane;
            }
        }
    }
}

TEST(Scheduling, VotesMatchesAndReductions) {
    const Ran got =
        run("setp.lt.u32 %p1, %r0, 5; vote.sync.ballot.b32 %r1, %p1, -1; vote.sync.all.pred %p2, "
            "%p1, -1; vote.sync.any.pred %p3, %p1, -1; and.b32 %r2, %r0, 3; match.any.sync.b32 "
            "%r3, %r2, -1;\n"
            "redux.sync.add.s32 %r4, %r0, -1; redux.sync.max.u32 %r5, %r0, -1; activemask.b32 %r6; "
            "match.all.sync.b32 %r7|%p4, %r2, -1; selp.u32 %r8, 1, 0, %p2; selp.u32 %r9, 2, 0, "
            "%p3; selp.u32 %r10, 4, 0, %p4; add.u32 %r8, %r8, %r9; add.u32 %r8, %r8, %r10;\n"
            "setp.ne.u32 %p5, %r0, 6; @%p5 ret; st.global.u32 [%rd5], %r1; st.global.u32 [%rd5+4], "
            "%r3; st.global.u32 [%rd5+8], %r4; st.global.u32 [%rd5+12], %r5; st.global.u32 "
            "[%rd5+16], %r6; st.global.u32 [%rd5+20], %r7; st.global.u32 [%rd5+24], %r8;",
            {1, 1, 1}, {32, 1, 1}, 7);
    EXPECT_EQ(got.said, "");
    EXPECT_EQ(got.values, (std::vector<std::uint32_t>{31, 0x44444444, 496, 31, ~0u, 0, 2}));
}

TEST(Scheduling, ABlockSpinsOnAnothersFlag) {
    // Block 0 waits for the last one, which begins long after it.
    const Ran got =
        run("setp.ne.u32 %p1, %r20, 0; @%p1 bra WRITE; SPIN: ld.volatile.global.u32 %r1, [%rd5]; "
            "setp.eq.u32 %p2, %r1, 0; @%p2 bra SPIN; ld.volatile.global.u32 %r2, [%rd5+4]; "
            "st.global.u32 [%rd5+8], %r2; ret;\n"
            "WRITE: setp.ne.u32 %p3, %r20, 99; @%p3 ret; st.volatile.global.u32 [%rd5+4], 77; "
            "membar.gl; st.volatile.global.u32 [%rd5], 1;",
            {100, 1, 1}, {32, 1, 1}, 3);
    EXPECT_EQ(got.said, "");
    EXPECT_EQ(got.values[2], 77u);
}

TEST(Scheduling, ABlockLooksAtPlainMemoryUntilAnotherWritesIt) {
    const Ran got =
        run("setp.ne.u32 %p1, %r20, 0; @%p1 bra WRITE; SPIN: ld.global.u32 %r1, [%rd5]; "
            "setp.eq.u32 %p2, %r1, 0; @%p2 bra SPIN; st.global.u32 [%rd5+8], %r1; ret;\n"
            "WRITE: setp.eq.u32 %p3, %r20, 99; @%p3 st.global.u32 [%rd5], 77;",
            {100, 1, 1}, {32, 1, 1}, 3);
    EXPECT_EQ(got.said, "");
    EXPECT_EQ(got.values[2], 77u);
}

TEST(Scheduling, ABarrierOfTheWholeGridByAtomics) {
    const Ran got =
        run("red.global.add.u32 [%rd5+4], 1; bar.sync 0; setp.ne.u32 %p1, %r0, 0; @%p1 bra WAITED; "
            "atom.global.add.u32 %r1, [%rd5], 1;\n"
            "SPIN: ld.volatile.global.u32 %r2, [%rd5]; setp.lt.u32 %p2, %r2, 40; @%p2 bra "
            "SPIN;\nWAITED: bar.sync 0; ld.volatile.global.u32 %r3, [%rd5+4]; mad.wide.u32 %rd6, "
            "%r20, 4, %rd5; st.global.u32 [%rd6+8], %r3;",
            {40, 1, 1}, {64, 1, 1}, 42);
    EXPECT_EQ(got.said, "");
    for (std::size_t block = 0; block < 40; ++block) EXPECT_EQ(got.values[2 + block], 40u * 64);
}

TEST(Scheduling, TheBlocksOfACooperativeLaunchMeetInAWorkspaceOfZeros) {
    // As this_grid().sync() does it: %envreg1 and %envreg2 are the halves of its address.
    Machine machine(kernel(
        1, element() +
               "mov.u32 %r1, %envreg1; mov.u32 %r2, %envreg2; mov.b64 %rd2, {%r2, %r1}; "
               "setp.eq.u64 %p1, %rd2, 0; @%p1 trap; atom.add.release.gpu.u32 %r3, [%rd2+4], "
               "1;\nSPIN: ld.acquire.gpu.u32 %r4, [%rd2+4]; setp.lt.u32 %p2, %r4, 20; @%p2 "
               "bra SPIN; mov.u32 %r5, %ctaid.x; mad.wide.u32 %rd0, %r5, 4, %rd0; "
               "st.global.u32 [%rd0], %r4;"));
    const std::uint64_t out = machine.zeros<std::uint32_t>(20);
    EXPECT_NE(said(machine.run({20, 1, 1}, {1, 1, 1}, {out})).find("trapped"), std::string::npos);
    machine.isCooperative = true;
    for (int times = 0; times < 2; ++times) {
        EXPECT_EQ(said(machine.run({20, 1, 1}, {1, 1, 1}, {out})), "");
        EXPECT_EQ(machine.values<std::uint32_t>(out), std::vector<std::uint32_t>(20, 20));
    }
}

TEST(Scheduling, LanesThatMetAtABarrierInCallsOfTheirOwnGoOnTogether) {
    // As without optimisation: thread 0 waits for the other blocks, and the barrier is in a
    // function.
    Machine machine(
        kernel(1,
               element() +
                   "ld.param.u64 %rd5, [p0]; setp.ne.u32 %p1, %r0, 0; @%p1 bra WAITED; "
                   "atom.global.add.u32 %r1, [%rd5], 1;\nSPIN: ld.volatile.global.u32 %r2, [%rd5]; "
                   "setp.lt.u32 %p2, %r2, 5; @%p2 bra SPIN;\nWAITED: call meet; st.global.u32 "
                   "[%rd0+4], %r0;",
               ".func meet() { barrier.sync 0; ret; }\n"));
    const LaunchResult result =
        machine.run({5, 1, 1}, {32, 1, 1}, {machine.zeros<std::uint32_t>(33)});
    EXPECT_EQ(said(result), "");
    EXPECT_EQ(sumOf(machine, result, AccessKind::store).requests, 5u);
}

TEST(Scheduling, TheReservedSharedMemoryOfEachBlockBeginsWithZeros) {
    const Ran got =
        run("mov.u32 %r1, %reserved_smem_offset_1; cvt.u64.u32 %rd6, %r1; cvta.shared.u64 %rd6, "
            "%rd6; atom.add.u32 %r2, [%rd6+16], 1; bar.sync 0; ld.u32 %r3, [%rd6+16]; mad.wide.u32 "
            "%rd7, %r20, 4, %rd5; st.global.u32 [%rd7], %r3;",
            {5, 1, 1}, {64, 1, 1}, 5);
    EXPECT_EQ(got.said, "");
    EXPECT_EQ(got.values, std::vector<std::uint32_t>(5, 64));
}

TEST(Scheduling, WaitingForWhatNobodyWritesEnds) {
    const Ran got =
        run("SPIN: ld.volatile.global.u32 %r1, [%rd5]; setp.eq.u32 %p2, %r1, 0; @%p2 bra SPIN;",
            {4, 1, 1}, {64, 1, 1}, 1);
    EXPECT_NE(got.said.find("endless_loop"), std::string::npos) << got.said;
}

}  // namespace
}  // namespace warplens::ptx::test
