#include "core/trace/warp_alignment.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace warplens::trace {
namespace {

constexpr char splitName[] = "split";

/// Writes lanes' events by hand.
struct Script {
    std::vector<Event> events;
    Script& load(std::uint32_t line, std::uint64_t address = 0) {
        events.push_back({address, line, 0, EventKind::load, 4});
        return *this;
    }
    Script& branch(std::uint32_t line, bool taken) {
        const auto name = reinterpret_cast<std::uint64_t>(splitName);
        events.push_back({name | (taken ? Event::takenBit : 0), line, 0, EventKind::branch, 0});
        return *this;
    }
    Script& leave(std::uint32_t line) {
        events.push_back({0, line, 0, EventKind::leave, 0});
        return *this;
    }
};

/// Tells what a warp did as one line of text: `10:3` a load at line 10 by lanes 0 and 1,
/// `5?3/1` a branch at line 5 by lanes 0 and 1 that lane 0 took.
class Story final : public WarpObserver {
  public:
    void onRequest(const WarpRequest& r) override {
        text += std::to_string(r.line) + ':' + std::to_string(r.activeLanes) + ' ';
        EXPECT_EQ(static_cast<int>(r.addresses.size()), __builtin_popcount(r.activeLanes));
    }
    void onBranch(const WarpBranch& b) override {
        EXPECT_STREQ(b.name, splitName);
        text += std::to_string(b.line) + '?' + std::to_string(b.activeLanes) + '/' +
                std::to_string(b.takenLanes) + ' ';
    }
    std::string text;
};

std::string told(const std::vector<Script>& lanes) {
    std::vector<std::span<const Event>> spans;
    for (const Script& lane : lanes) spans.emplace_back(lane.events);
    Story story;
    alignWarp(spans, story);
    return story.text;
}

TEST(WarpAlignment, lanesAtTheSamePlaceMakeOneRequest) {
    EXPECT_EQ(told({Script().load(10), Script().load(10)}), "10:3 ");
}

TEST(WarpAlignment, lanesPartAtABranchAndMeetAtItsEnd) {
    const Script taken = Script().branch(5, true).load(6).leave(5).load(9);
    const Script notTaken = Script().branch(5, false).load(8).leave(5).load(9);
    EXPECT_EQ(told({taken, notTaken, taken}), "5?7/5 6:5 8:2 9:7 ");
}

TEST(WarpAlignment, branchInsideADivergedArmConcernsOnlyItsLanes) {
    const Script outer = Script().branch(1, true).branch(2, true).load(3).leave(2).leave(1);
    const Script inner = Script().branch(1, true).branch(2, false).load(4).leave(2).leave(1);
    const Script other = Script().branch(1, false).load(5).leave(1);
    EXPECT_EQ(told({outer, inner, other}), "1?7/3 2?3/1 3:1 4:2 5:4 ");
}

TEST(WarpAlignment, lanesThatLeaveALoopEarlyWaitForTheOthers) {
    const Script once = Script().load(10).load(12);
    const Script thrice = Script().load(10).load(10).load(10).load(12);
    EXPECT_EQ(told({once, thrice}), "10:3 10:2 10:2 12:3 ");
}

TEST(WarpAlignment, lanesWithNothingToDoAreNotActive) {
    EXPECT_EQ(told({Script(), Script().load(10)}), "10:2 ");
}

TEST(WarpAlignment, aSingleLaneIsAWarp) {
    EXPECT_EQ(told({Script().branch(1, true).load(2).leave(1)}), "1?1/1 2:1 ");
}

}  // namespace
}  // namespace warplens::trace
