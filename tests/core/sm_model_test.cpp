#include "core/schedule/sm_model.h"

#include <gtest/gtest.h>

namespace warplens {
namespace {

constexpr std::uint16_t loadedValue = 1;

/// Warps that load so many times, one waiting for the other, 4 sectors each.
BlockProgram chainOf(std::size_t loads, std::size_t warps) {
    BlockProgram program{.registers = 2};
    program.instructions.push_back(
        {.unit = IssueUnit::load, .line = 7, .sources = {loadedValue}, .results = {loadedValue}});
    program.warps.assign(warps, std::vector<ModelStep>(loads, {.sectors = 4, .passes = 1}));
    return program;
}

TEST(SmModel, AWarpAloneWaitsForEachOfItsLoads) {
    const SmModel model;
    const SmRun run = runModel(chainOf(10, 1), model, 1, 1);
    EXPECT_EQ(run.issued, 10u);
    EXPECT_GT(run.cycles, 10u * model.globalLatency);
    EXPECT_LT(run.cycles, 10u * (model.globalLatency + 20));
    const auto waited = run.spent.at(static_cast<std::size_t>(WarpActivity::waitsForMemory));
    EXPECT_GT(waited, 9u * model.globalLatency);
}

TEST(SmModel, LoadsBetweenJumpsThatNeedNothingOfOneAnotherWaitTogether) {
    EXPECT_EQ(memoryWaits(chainOf(10, 2)), 9u) << "the last is not needed";
    BlockProgram sum{.registers = 3};
    sum.instructions = {{.unit = IssueUnit::load, .results = {0}},
                        {.sources = {0, 2}, .results = {2}},
                        {.unit = IssueUnit::load, .results = {1}},
                        {.sources = {1, 2}, .results = {2}},
                        {.sources = {2}}};
    sum.warps.resize(1);
    std::vector<ModelStep>& steps = sum.warps[0];
    for (int round = 0; round < 5; ++round) {
        for (std::uint32_t at = 0; at < 5; ++at) {
            const std::uint16_t sectors = at == 0 || at == 2 ? 4 : 0;
            steps.push_back({.instruction = at, .sectors = sectors});
        }
    }
    EXPECT_EQ(memoryWaits(sum), 5u);
    sum.instructions[1] = {.unit = IssueUnit::store, .sources = {0}};
    EXPECT_EQ(memoryWaits(sum), 10u) << "what is loaded behind a store may be what was stored";
    for (ModelStep& step : steps) step.sectors = 0;
    EXPECT_EQ(memoryWaits(sum), 0u) << "the L1 has it";
}

TEST(SmModel, MoreWarpsHideTheLatencyUntilTheMemoryIsFull) {
    const SmModel model;
    const std::uint64_t alone = runModel(chainOf(20, 1), model, 1, 1).cycles;
    const std::uint64_t eight = runModel(chainOf(20, 8), model, 1, 1).cycles;
    EXPECT_LT(eight, alone * 11 / 10) << "eight warps in the time of one";
    // 64 warps ask for 20 x 64 x 128 bytes: no less than what the memory gives an SM.
    const SmRun full = runModel(chainOf(20, 32), model, 2, 2);
    EXPECT_GE(static_cast<double>(full.cycles), 20 * 64 * 128 / model.bytesPerCycle());
}

TEST(SmModel, ALongerLatencyTakesLonger) {
    SmModel slow;
    slow.globalLatency *= 2;
    const std::uint64_t before = runModel(chainOf(10, 2), {}, 1, 1).cycles;
    EXPECT_NEAR(static_cast<double>(runModel(chainOf(10, 2), slow, 1, 1).cycles),
                static_cast<double>(before + 10 * SmModel{}.globalLatency), 20);
}

TEST(SmModel, ABarrierHoldsWarpsUntilTheLastHasCome) {
    BlockProgram program = chainOf(0, 2);
    program.instructions.push_back({.unit = IssueUnit::barrier});
    program.warps[0] = {{.instruction = 1}, {.sectors = 4, .passes = 1}};
    program.warps[1] = {{.sectors = 4, .passes = 1},
                        {.sectors = 4, .passes = 1},
                        {.instruction = 1},
                        {.sectors = 4, .passes = 1}};
    const SmRun run = runModel(program, {}, 1, 1);
    EXPECT_EQ(run.issued, 6u);
    EXPECT_GT(run.spent.at(static_cast<std::size_t>(WarpActivity::waitsForBarrier)),
              SmModel{}.globalLatency);
}

TEST(SmModel, ABlockBeginsWhereOneEnds) {
    const SmRun one = runModel(chainOf(10, 1), {}, 4, 1);
    const SmRun all = runModel(chainOf(10, 1), {}, 4, 4);
    EXPECT_EQ(one.blocks, 4u);
    EXPECT_EQ(all.residentBlocks, 4u);
    EXPECT_GT(one.cycles, 3 * all.cycles);
}

TEST(SmModel, SpansOfAWarpFollowOneAnother) {
    const SmRun run = runModel(chainOf(5, 3), {}, 2, 1);
    std::vector<std::uint64_t> ends(run.slots);
    for (const WarpSpan& span : run.spans) {
        EXPECT_GE(span.begin, ends.at(span.slot));
        EXPECT_GT(span.end, span.begin);
        ends.at(span.slot) = span.end;
    }
}

TEST(SmModel, SaysHowMuchOfALongRunItIs) {
    const SmRun run = runModel(chainOf(100, 1), {}, 50, 1, 1000);
    EXPECT_EQ(run.blocksWanted, 50u);
    EXPECT_LT(run.blocks, 50u);
    const double whole = runModel(chainOf(100, 1), {}, 50, 1).seconds();
    EXPECT_NEAR(run.seconds() / whole, 1, 0.1);
}

}  // namespace
}  // namespace warplens
