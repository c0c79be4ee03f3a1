#include <gtest/gtest.h>
#include <string>

#include "kernels/bodies/body_text.h"
#include "kernels/bodies/traced_kernel.h"

namespace warplens {
namespace {

const Kernel& kernelNamed(const char* scenario) {
    return kernelOf(scenarioNamed(scenario).kernel);
}

/// Tells requests, branches and, in brackets, rounds.
class Story final : public trace::WarpObserver {
  public:
    void onRequest(const trace::WarpRequest& request) override {
        events += std::to_string(request.line) + ':' + std::to_string(request.activeLanes) + '@' +
                  std::to_string(request.addresses.front()) + ' ';
    }
    void onBranch(const trace::WarpBranch& branch) override {
        events += std::to_string(branch.line) + '?' + std::to_string(branch.takenLanes) + ' ';
    }
    void onRound(const trace::WarpRound& round) override {
        EXPECT_EQ(round.activeLanes, ~0u);
        rounds += std::to_string(round.value) + ' ';
    }
    std::string events;
    std::string rounds;
};

TEST(Rounds, AreToldWithTheValueOfTheLoopsVariable) {
    TracedKernel kernel(initialExperiment(scenarioNamed("reduce-sequential")));
    kernel.reportRounds();
    Story story;
    kernel.runBlock({}, story, WarpRank{3});
    EXPECT_EQ(story.rounds, "256 128 64 32 16 8 4 2 1 ");
}

TEST(Rounds, ChangeNothingOfWhatAWarpDoes) {
    for (const Scenario& scenario : allScenarios()) {
        TracedKernel silent(initialExperiment(scenario));
        TracedKernel telling(initialExperiment(scenario));
        telling.reportRounds();
        Story without;
        Story with;
        silent.runBlock({}, without, WarpRank{0});
        telling.runBlock({}, with, WarpRank{0});
        EXPECT_EQ(without.events, with.events) << scenario.id;
        EXPECT_EQ(without.rounds, "") << scenario.id;
    }
}

TEST(LoopMarks, ReachToTheEndOfTheirLoops) {
    const auto marks = loopMarks(kernelNamed("matmul-tiled"));
    ASSERT_EQ(marks.size(), 2u);
    EXPECT_EQ(marks[0].name, "phase");
    EXPECT_EQ(marks[1].name, "k");
    EXPECT_LT(marks[0].line, marks[1].line);
    EXPECT_LT(marks[1].lastLine, marks[0].lastLine);
    const Kernel& kernel = kernelNamed("matmul-tiled");
    EXPECT_EQ(sourceLine(kernel, marks[0].line), "ROUND(phase);");
    for (const LoopMark& mark : marks) EXPECT_EQ(sourceLine(kernel, mark.lastLine), "}");
}

TEST(LoopMarks, CountTheRoundsOfALoopWhoseLanesLeaveItOneByOne) {
    const Kernel& kernel = kernelNamed("branch-loop-trips");
    const auto marks = loopMarks(kernel);
    ASSERT_EQ(marks.size(), 1u);
    EXPECT_TRUE(marks[0].counted);
    EXPECT_EQ(marks[0].line, markLine(kernel, "again"));
    EXPECT_EQ(sourceLine(kernel, marks[0].lastLine), "}");
    EXPECT_TRUE(sourceLine(kernel, marks[0].lastLine + 1).starts_with("out[i] = sum"));
    EXPECT_TRUE(loopMarks(kernelNamed("matadd-coalesced")).empty());
    EXPECT_EQ(sourceLine(kernel, 100000), "");
}

}  // namespace
}  // namespace warplens
