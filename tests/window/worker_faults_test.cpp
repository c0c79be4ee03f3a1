// Faults of the worker as the window sees them: its state and the client that measures, without
// anything drawn.
#include <gtest/gtest.h>

#include "tests/window/measuring_session.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens::window {
namespace {

struct Fault final {
    const char* part;
    const char* message;
};

class EveryFault : public testing::TestWithParam<Fault> {};

TEST_P(EveryFault, IsOneMessageAndTheNextMeasureWorks) {
    MeasuringSession session(GetParam().part);
    const Edit edit = session.state.edit;
    session.measure();
    const auto* failed = std::get_if<Failed>(&session.state.measuring);
    ASSERT_NE(failed, nullptr);
    ASSERT_EQ(session.state.messages.size(), 1u);
    EXPECT_EQ(session.state.messages[0].text, GetParam().message);
    EXPECT_EQ(session.state.messages[0].kind, MessageKind::error);
    EXPECT_FALSE(shownResult(session.state));
    EXPECT_EQ(session.state.edit, edit);

    session.measure();
    EXPECT_TRUE(std::holds_alternative<Idle>(session.state.measuring));
    ASSERT_TRUE(shownResult(session.state));
    const Measurement sent = *shownResult(session.state)->measurement;
    EXPECT_EQ(sent, tests::scriptedAsSent(session.state.view.experiment, sent));
}

INSTANTIATE_TEST_SUITE_P(
    WorkerFaults, EveryFault,
    testing::Values(Fault{"crashes",
                          "Not measured: the worker was ended by signal 9 (Killed) while 'timing'. "
                          "The next Measure starts a fresh worker."},
                    Fault{"exits",
                          "Not measured: the worker exited with code 3 before answering; it said: "
                          "last words. The next Measure starts a fresh worker."},
                    Fault{"faults",
                          "Not measured: scripted: the kernel faulted. The next Measure starts a "
                          "fresh worker."},
                    Fault{"half-line",
                          "Not measured: the worker exited with code 0 before answering, in the "
                          "middle of a line: '{\"id\": 1, \"event\": \"resu'. The next Measure "
                          "starts a fresh worker."},
                    Fault{"wrong-id",
                          "Not measured: the worker answered request 42, which was never asked. "
                          "The next Measure starts a fresh worker."},
                    Fault{"no-gpu", "Not measured: scripted: no GPU here."},
                    Fault{"wrong-result", "Not measured: scripted: element 7 differs."},
                    Fault{"too-large", "Not measured: scripted: memory = 2: at most 1."}),
    [](const auto& fault) {
        std::string name = fault.param.part;
        std::erase(name, '-');
        return name;
    });

TEST(WorkerFaults, AHangIsEndedByCancelAndTheNextMeasureWorks) {
    MeasuringSession session("hangs");
    apply(session.state, Measure{});
    session.followUntilPlayed();
    apply(session.state, CancelMeasure{});
    session.follow();
    EXPECT_TRUE(std::holds_alternative<Idle>(session.state.measuring));
    ASSERT_EQ(session.state.messages.size(), 1u);
    EXPECT_EQ(session.state.messages[0].text, "Measurement cancelled.");
    session.measure();
    EXPECT_TRUE(shownResult(session.state));
}

TEST(WorkerFaults, OfAPointCostASweepThatPointAlone) {
    MeasuringSession session("faults");
    apply(session.state, ChooseScenario{"access-stride"});
    apply(session.state, Show{.over = "stride=1..4"});
    apply(session.state, MeasureSweep{});
    ASSERT_NE(running(session.state), nullptr);
    session.follow();
    const Sweep& sweep = shownSweep(session.state)->sweep;
    EXPECT_EQ(sweep.failedCount(), 1u);
    EXPECT_EQ(sweep.measuredCount(), 3u) << "the worker that faulted takes no other point with it";
}

TEST(WorkerBanner, IsSkippedAndToldOnce) {
    MeasuringSession session("banner", stateOf("matadd-coalesced"), {}, Plays::always);
    for (int run = 0; run < 2; ++run) {
        session.measure();
        ASSERT_TRUE(shownResult(session.state));
    }
    ASSERT_EQ(session.state.messages.size(), 1u);
    EXPECT_EQ(session.state.messages[0].text,
              "Skipped what came before the worker spoke: 'Welcome to lab-gpu!'");
}

TEST(SweepMeasuring, AsksForNoSchedule) {
    MeasuringSession session("no-schedule", stateOf("access-stride"), {}, Plays::always);
    AppState& state = session.state;
    apply(state, Show{.tab = RightTab::sweep});
    apply(state, Show{.over = "stride=1..2"});
    apply(state, MeasureSweep{});
    session.follow();
    ASSERT_NE(shownSweep(state), nullptr);
    EXPECT_EQ(shownSweep(state)->sweep.measuredCount(), 2u);
    EXPECT_EQ(shownSweep(state)->sweep.failedCount(), 0u);
}

}  // namespace
}  // namespace warplens::window
