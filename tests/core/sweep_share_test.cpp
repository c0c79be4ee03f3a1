#include <gtest/gtest.h>
#include <random>

#include "core/sweep/share.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens {
namespace {

Sweep sweepOfStrides(int most) {
    auto axis = parseAxis("--over", "stride=1.." + std::to_string(most));
    return sweepOf(planOf(initialExperiment(scenarioNamed("access-stride")), true,
                          std::get<Axis>(std::move(axis))));
}

Measurement measuredOn(const std::string& device, const SweepPoint& point) {
    Measurement made = tests::scriptedMeasurement(point.experiment);
    made.device.name = device;
    return made;
}

const Failure lost{FailureKind::failed, "the worker was lost"};

TEST(SweepShare, handsEachPointOutOnceInOrder) {
    Sweep sweep = sweepOfStrides(5);
    SweepShare share({"a", "b"});
    EXPECT_EQ(share.next(sweep, 0), 0u);
    EXPECT_EQ(share.next(sweep, 0), std::nullopt) << "it has one";
    EXPECT_EQ(share.next(sweep, 1), 1u);
    EXPECT_TRUE(share.take(sweep, 1, measuredOn("H200", sweep.points[1])));
    EXPECT_EQ(share.next(sweep, 1), 2u);
    EXPECT_EQ(share.underWay(), 2u);
    EXPECT_FALSE(share.isOver(sweep));
}

TEST(SweepShare, givesAPointThatLostItsWorkerToAnother) {
    Sweep sweep = sweepOfStrides(2);
    SweepShare share({"a", "b"});
    (void)share.next(sweep, 0);
    (void)share.next(sweep, 1);
    EXPECT_FALSE(share.take(sweep, 0, lost)) << "the point is open again";
    EXPECT_EQ(share.next(sweep, 0), std::nullopt) << "where it was lost it may be lost again";
    EXPECT_TRUE(share.take(sweep, 1, measuredOn("H200", sweep.points[1])));
    EXPECT_EQ(share.next(sweep, 1), 0u);
    EXPECT_TRUE(share.take(sweep, 1, measuredOn("H200", sweep.points[0])));
    EXPECT_TRUE(share.isOver(sweep));
    EXPECT_EQ(sweep.measuredCount(), 2u);
}

TEST(SweepShare, givesUpAPointThatLosesTwoWorkersAndGoesOn) {
    Sweep sweep = sweepOfStrides(3);
    SweepShare share({"a", "b"});
    (void)share.next(sweep, 0);
    (void)share.next(sweep, 1);
    EXPECT_FALSE(share.take(sweep, 0, lost));
    EXPECT_TRUE(share.take(sweep, 1, measuredOn("H200", sweep.points[1])));
    EXPECT_EQ(share.next(sweep, 1), 0u);
    EXPECT_TRUE(share.take(sweep, 1, lost));
    EXPECT_EQ(std::get<Failure>(sweep.points[0].measured), lost);
    EXPECT_EQ(share.next(sweep, 1), 2u);
    EXPECT_EQ(share.workersLeft(), 2u);
}

TEST(SweepShare, leavesOutAWorkerThatIsLostTwiceInARow) {
    Sweep sweep = sweepOfStrides(6);
    SweepShare share({"a", "b"});
    (void)share.next(sweep, 0);
    (void)share.next(sweep, 1);
    (void)share.take(sweep, 0, lost);
    EXPECT_EQ(share.next(sweep, 0), 2u);
    (void)share.take(sweep, 0, lost);
    EXPECT_EQ(share.workersLeft(), 1u);
    EXPECT_EQ(share.problems(),
              (std::vector<std::string>{"a takes no more points: the worker was lost"}));
    for (const std::size_t expected : {1u, 0u, 2u, 3u}) {
        (void)share.take(sweep, 1, measuredOn("H200", sweep.points[expected]));
        (void)share.next(sweep, 1);
    }
}

TEST(SweepShare, withOneWorkerNotesALossAndGoesOn) {
    Sweep sweep = sweepOfStrides(4);
    SweepShare share({"a"});
    EXPECT_EQ(share.next(sweep, 0), 0u);
    EXPECT_TRUE(share.take(sweep, 0, lost));
    EXPECT_EQ(share.next(sweep, 0), 1u);
    EXPECT_TRUE(share.take(sweep, 0, measuredOn("H200", sweep.points[1])));
    EXPECT_EQ(share.next(sweep, 0), 2u);
    EXPECT_TRUE(share.take(sweep, 0, lost));
    EXPECT_EQ(share.next(sweep, 0), 3u);
    EXPECT_TRUE(share.take(sweep, 0, lost));
    EXPECT_TRUE(share.isOver(sweep));
    EXPECT_EQ(sweep.failedCount(), 3u);
}

TEST(SweepShare, doesNotMixDevicesOfDifferentKinds) {
    Sweep sweep = sweepOfStrides(3);
    SweepShare share({"a", "b"});
    (void)share.next(sweep, 0);
    (void)share.next(sweep, 1);
    EXPECT_TRUE(share.take(sweep, 0, measuredOn("NVIDIA H200", sweep.points[0])));
    EXPECT_FALSE(share.take(sweep, 1, measuredOn("NVIDIA A100", sweep.points[1])));
    EXPECT_EQ(share.workersLeft(), 1u);
    EXPECT_EQ(share.next(sweep, 0), 1u) << "its point is open again";
    ASSERT_EQ(share.problems().size(), 1u);
    EXPECT_NE(share.problems().front().find("b takes no more points: the points so far were"),
              std::string::npos);
}

TEST(SweepShare, leavesOutWorkersThatCannotMeasureAndSaysWhereNoneIsLeft) {
    Sweep sweep = sweepOfStrides(2);
    SweepShare share({"a", "b"});
    const Failure none{FailureKind::impossible, "no GPU"};
    (void)share.next(sweep, 0);
    (void)share.next(sweep, 1);
    EXPECT_FALSE(share.take(sweep, 0, none));
    EXPECT_FALSE(share.isOver(sweep));
    EXPECT_FALSE(share.take(sweep, 1, none));
    EXPECT_TRUE(share.isOver(sweep));
    EXPECT_EQ(share.impossible(), none);
    EXPECT_EQ(sweep.failedCount(), 0u);
}

TEST(SweepShare, notesWhatCannotBeMeasuredWhereOtherPointsCould) {
    Sweep sweep = sweepOfStrides(3);
    SweepShare share({"a"});
    (void)share.next(sweep, 0);
    EXPECT_TRUE(share.take(sweep, 0, measuredOn("H200", sweep.points[0])));
    (void)share.next(sweep, 0);
    EXPECT_TRUE(share.take(sweep, 0, {FailureKind::impossible, "too large"}));
    EXPECT_EQ(share.next(sweep, 0), 2u);
    EXPECT_FALSE(share.impossible());
}

TEST(SweepShare, takesNoAnswerAboutAnotherLaunch) {
    Sweep sweep = sweepOfStrides(3);
    SweepShare share({"a"});
    (void)share.next(sweep, 0);
    EXPECT_TRUE(share.take(sweep, 0, measuredOn("H200", sweep.points[1])));
    EXPECT_EQ(sweep.measuredCount(), 0u);
    EXPECT_EQ(sweep.failedCount(), 1u);
}

TEST(SweepShare, stopsWhenCancelledAndLeavesThePointOpen) {
    Sweep sweep = sweepOfStrides(2);
    SweepShare share({"a"});
    (void)share.next(sweep, 0);
    EXPECT_FALSE(share.take(sweep, 0, {FailureKind::cancelled, "cancelled"}));
    EXPECT_TRUE(share.isOver(sweep));
    EXPECT_EQ(sweep.nextToMeasure(), 0u);
}

TEST(SweepShare, endsWhateverHappensWithEveryPointSettledWhileAWorkerIsLeft) {
    std::mt19937 random(17);
    for (int trial = 0; trial < 200; ++trial) {
        Sweep sweep = sweepOfStrides(20);
        const std::size_t workers = 1 + random() % 5;
        SweepShare share(std::vector<std::string>(workers, "w"));
        std::vector<std::optional<std::size_t>> has(workers);
        int steps = 0;
        while (!share.isOver(sweep)) {
            ASSERT_LT(++steps, 10'000);
            const std::size_t worker = random() % workers;
            if (!has[worker]) {
                has[worker] = share.next(sweep, worker);
                continue;
            }
            const std::size_t point = *std::exchange(has[worker], std::nullopt);
            switch (random() % 8) {
                case 0:
                    (void)share.take(sweep, worker, lost);
                    break;
                case 1:
                    (void)share.take(sweep, worker, {FailureKind::wrongResult, "wrong"});
                    break;
                default:
                    (void)share.take(sweep, worker, measuredOn("H200", sweep.points[point]));
            }
        }
        EXPECT_TRUE(share.workersLeft() == 0 || !sweep.nextToMeasure());
    }
}

}  // namespace
}  // namespace warplens
