// Faults of the worker as the window sees them: its state and the client that measures, without
// anything drawn.
#include <array>
#include <chrono>
#include <filesystem>
#include <gtest/gtest.h>
#include <thread>

#include "app/window/measuring.h"
#include "app/window/state/apply.h"
#include "tests/support/temporary_folder.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens::window {
namespace {

using namespace std::chrono_literals;

/// A window that measures with a worker that plays `part` once and then answers.
class Session final {
  public:
    explicit Session(const std::string& part)
        : measuring_({.command = WORKER_STUB " " + part + " --once " +
                                 (folder_.path() / "played").string()},
                     true) {}

    AppState state = initialState({initialExperiment(scenarioNamed("matadd-coalesced")), true},
                                  std::make_shared<RecordingLibrary>(), true);

    /// Presses Measure and lets frames go by until it has ended.
    void measure() {
        apply(state, Measure{});
        follow();
    }
    /// Lets frames go by until what is measured has ended.
    void follow() {
        ASSERT_NE(running(state), nullptr);
        for (int passed = 0; passed < 16000 && running(state) != nullptr; ++passed) frame();
        EXPECT_EQ(running(state), nullptr);
    }
    /// Lets frames go by until the worker has begun its part: one that is ended earlier has not
    /// played it, and plays it for the next request.
    void followUntilPlayed() {
        const auto played = folder_.path() / "played";
        for (int passed = 0; passed < 16000 && !std::filesystem::exists(played); ++passed) frame();
        ASSERT_TRUE(std::filesystem::exists(played));
    }
    void frame() {
        for (const Command& command : measuring_.step(state)) apply(state, command);
        std::this_thread::sleep_for(5ms);
    }

  private:
    tests::TemporaryFolder folder_;
    Measuring measuring_;
};

struct Fault final {
    const char* part;
    const char* message;
};

class EveryFault : public testing::TestWithParam<Fault> {};

TEST_P(EveryFault, IsOneMessageAndTheNextMeasureWorks) {
    Session session(GetParam().part);
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
    EXPECT_EQ(sent, tests::scriptedAsSent(session.state.shown, sent));
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
    Session session("hangs");
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
    Session session("faults");
    apply(session.state, ChooseScenario{"access-stride"});
    apply(session.state, SetSweepOver{"stride=1..4"});
    apply(session.state, MeasureSweep{});
    ASSERT_NE(running(session.state), nullptr);
    session.follow();
    const Sweep& sweep = shownSweep(session.state)->sweep;
    EXPECT_EQ(sweep.failedCount(), 1u);
    EXPECT_EQ(sweep.measuredCount(), 3u) << "the worker that faulted takes no other point with it";
}

TEST(WorkerBanner, IsSkippedAndToldOnce) {
    tests::TemporaryFolder folder;
    Measuring measuring({.command = WORKER_STUB " banner"}, true);
    AppState state = initialState({initialExperiment(scenarioNamed("matadd-coalesced")), true},
                                  std::make_shared<RecordingLibrary>(), true);
    for (int run = 0; run < 2; ++run) {
        apply(state, Measure{});
        for (int passed = 0; passed < 16000 && running(state) != nullptr; ++passed) {
            for (const Command& command : measuring.step(state)) apply(state, command);
            std::this_thread::sleep_for(5ms);
        }
        ASSERT_TRUE(shownResult(state));
    }
    ASSERT_EQ(state.messages.size(), 1u);
    EXPECT_EQ(state.messages[0].text,
              "Skipped what came before the worker spoke: 'Welcome to lab-gpu!'");
}

TEST(SweepMeasuring, AsksForNoSchedule) {
    Measuring measuring({.command = WORKER_STUB " no-schedule"}, true);
    AppState state = initialState({initialExperiment(scenarioNamed("access-stride")), true},
                                  std::make_shared<RecordingLibrary>(), true);
    apply(state, SetRightTab{RightTab::sweep});
    apply(state, SetSweepOver{"stride=1..2"});
    apply(state, MeasureSweep{});
    for (int passed = 0; passed < 16000 && running(state) != nullptr; ++passed) {
        for (const Command& command : measuring.step(state)) apply(state, command);
        std::this_thread::sleep_for(5ms);
    }
    ASSERT_NE(shownSweep(state), nullptr);
    EXPECT_EQ(shownSweep(state)->sweep.measuredCount(), 2u);
    EXPECT_EQ(shownSweep(state)->sweep.failedCount(), 0u);
}

}  // namespace
}  // namespace warplens::window
