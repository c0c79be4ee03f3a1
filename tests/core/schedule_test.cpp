#include "core/schedule/schedule.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

#include "core/json/json.h"
#include "tests/support/refusal.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens {
namespace {

using Json = nlohmann::ordered_json;

/// Two SMs of three; block 2 waits for room on SM 0, block 3 begins before it.
Schedule smallSchedule() {
    return {.launchedBlocks = 4,
            .multiprocessors = 3,
            .blocks = {{0, 0, 100}, {4, 10, 90}, {0, 100, 150}, {0, 20, 120}},
            .movedBlocks = 1,
            .clockStep = 10,
            .followedSm = 0,
            .warps = {{0, 0, 0, 1000, {100, 600, 700, 800}}, {0, 1, 5, 990, {}}}};
}

TEST(Schedule, IsSummedUp) {
    const ScheduleSummary summary = summaryOf(smallSchedule());
    EXPECT_EQ(summary.multiprocessorsUsed, 2u);
    EXPECT_EQ(summary.fewestBlocks, 1u);
    EXPECT_EQ(summary.mostBlocks, 3u);
    EXPECT_EQ(summary.mostAtOnce, 2u);
    EXPECT_EQ(summary.duration, 150u);
    EXPECT_EQ(summary.firstIdle, 0u) << "one SM had no block at all";
    EXPECT_EQ(summary.beganBeforeLower, 1u) << "block 3 before block 2";
    Schedule all = smallSchedule();
    all.multiprocessors = 2;
    EXPECT_EQ(summaryOf(all).firstIdle, 90u);
    EXPECT_EQ(summaryOf(Schedule{}).duration, 0u);
}

TEST(Schedule, PutsEachBlockOnTheLowestPlaceThatIsFree) {
    const Packing packing = packBlocks(smallSchedule());
    EXPECT_EQ(packing.slots, (std::vector<std::uint32_t>{0, 0, 0, 1}));
    EXPECT_EQ(packing.turns, (std::vector<std::uint32_t>{0, 0, 1, 0}));
    EXPECT_EQ(packing.slotCount, 2u);
}

TEST(Schedule, NeverPutsTwoRunsOnOnePlaceAtOneTime) {
    std::mt19937_64 random(5);
    const auto dice = [&](std::uint64_t most) { return random() % (most + 1); };
    for (int round = 0; round < 200; ++round) {
        Schedule schedule;
        schedule.launchedBlocks = 60;
        schedule.multiprocessors = 4;
        std::uint32_t most = 0;
        for (int i = 0; i < 60; ++i) {
            const std::uint64_t begin = dice(50);
            schedule.blocks.push_back(
                {static_cast<std::uint32_t>(dice(3)), begin, begin + 1 + dice(20)});
        }
        const Packing packing = packBlocks(schedule);
        for (std::size_t i = 0; i < 60; ++i) {
            const BlockRun& a = schedule.blocks[i];
            std::uint32_t together = 0;
            for (std::size_t k = 0; k < 60; ++k) {
                const BlockRun& b = schedule.blocks[k];
                if (a.sm != b.sm) continue;
                together += b.begin <= a.begin && a.begin < b.end;
                if (k == i || packing.slots[i] != packing.slots[k]) continue;
                EXPECT_TRUE(a.end <= b.begin || b.end <= a.begin);
            }
            most = std::max(most, together);
        }
        EXPECT_EQ(packing.slotCount, most) << "no more places than runs at one time";
    }
}

TEST(Schedule, SharesOutAWarpsTime) {
    EXPECT_DOUBLE_EQ(waitingShare(smallSchedule().warps[0]), 600.0 / 800);
    EXPECT_DOUBLE_EQ(waitingShare(smallSchedule().warps[1]), 0);
}

TEST(Schedule, SharesOutAnSmsTime) {
    Schedule schedule = smallSchedule();
    // Works 0..100 and 600..700; waits else, until 800.
    schedule.warps = {{0, 0, 0, 1000, {100, 600, 700, 800}}};
    EXPECT_DOUBLE_EQ(busyShare(schedule), 200.0 / 800);
    // The second works 300..500 as well, and while the first does.
    schedule.warps.push_back({0, 1, 0, 1000, {50, 300, 500, 650, 690, 800}});
    EXPECT_DOUBLE_EQ(busyShare(schedule), 400.0 / 800);
    EXPECT_EQ(warpsInWords(schedule).back(),
              "2 warps share the SM, and at least one of them works 50.0 % of the time");
    EXPECT_DOUBLE_EQ(busyShare(Schedule{}), 0);
    EXPECT_TRUE(warpsInWords(Schedule{}).empty());
    EXPECT_FALSE(aboutWaits(smallSchedule())) << "block 2 waited for a place";
    schedule.blocks.clear();
    EXPECT_TRUE(aboutWaits(schedule)) << "waits without blocks";
}

TEST(Schedule, IsToldInWords) {
    EXPECT_EQ(
        inWords(smallSchedule()),
        (std::vector<std::string>{"2 of 3 SMs ran 1 to 3 blocks each, at most 2 at once",
                                  "1 of 4 blocks ran on another SM when the launch was repeated",
                                  "1 of 4 blocks began before one of lower number"}));
    Schedule part = smallSchedule();
    part.launchedBlocks = 10000;
    EXPECT_EQ(inWords(part).front(), "The first 4 of 10,000 blocks");
}

TEST(Schedule, SaysWhenBlocksOverlapInThePlacesOfEndedWarps) {
    // Two places for warps. Block 1 begins in that of block 0's first warp, while its second runs.
    Schedule schedule = smallSchedule();
    schedule.warps = {
        {0, 0, 0, 100, {}}, {0, 1, 0, 200, {}}, {1, 0, 100, 300, {}}, {1, 1, 200, 300, {}}};
    EXPECT_EQ(inWords(schedule)[1],
              "Blocks overlap in 2 places for warps: new ones take those of ended warps");
    // Side by side, each in places of its own.
    schedule.warps = {
        {0, 0, 0, 200, {}}, {0, 1, 0, 200, {}}, {1, 0, 100, 300, {}}, {1, 1, 100, 300, {}}};
    EXPECT_EQ(inWords(schedule).size(), 3u);
}

Measurement withSchedule() {
    Measurement measurement =
        tests::scriptedMeasurement(initialExperiment(scenarioNamed("block-placement")));
    measurement.device.fp32Rate = 6e13;
    measurement.device.fp32RateRuns = 11;
    measurement.schedule = smallSchedule();
    return measurement;
}

TEST(ScheduleJson, ReadsBackAsItWasWritten) {
    EXPECT_EQ(fromJson<Measurement>(toJson(withSchedule())), withSchedule());
}

TEST(ScheduleJson, IsRefusedWhereItCannotHaveHappened) {
    const auto refusal = [](const char* pointer, const Json& value) -> std::string {
        Json tree = Json::parse(toJson(withSchedule()));
        tree["schedule"][Json::json_pointer(pointer)] = value;
        return tests::refusal<MalformedJson>([&] { (void)fromJson<Measurement>(tree.dump()); });
    };
    EXPECT_EQ(refusal("/clock_step_ns", 32), "accepted");
    EXPECT_EQ(refusal("/sm", Json::array({0})),
              "\"sm\", \"begin_ns\" and \"end_ns\" have 1, 4 and 4 entries: as many as each other");
    EXPECT_EQ(refusal("/end_ns/0", -1), "\"end_ns\" = -1: from 0 to 9223372036854775807");
    EXPECT_EQ(refusal("/begin_ns/0", 101), "block 0 ends at 100 ns: at least 101, where it begins");
    EXPECT_EQ(refusal("/launched_blocks", 3),
              "\"sm\" has 4 entries: at most 3, the blocks launched");
    EXPECT_EQ(refusal("/sm/0", 70000), "\"sm\" = 70000: from 0 to 65535");
    EXPECT_EQ(refusal("/warps/0/end", 3),
              "warp 0 of block 0 runs from 0 to 3 cycles: its waits lie outside, or do not rise");
    EXPECT_EQ(
        refusal("/warps/0/waits", Json::array({700, 600})),
        "warp 0 of block 0 runs from 0 to 1000 cycles: its waits lie outside, or do not rise");
    EXPECT_EQ(refusal("/warps/1/begin", 991),
              "warp 1 of block 0 runs from 991 to 990 cycles: it ends before it begins");
    EXPECT_EQ(refusal("/warps/0/warp", 32), "\"warp\" = 32: from 0 to 31");
    EXPECT_EQ(refusal("/sm", std::vector<int>(8193, 0)), "\"sm\" has 8193 entries: at most 8192");
}

}  // namespace
}  // namespace warplens
