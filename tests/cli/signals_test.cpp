// A signal that asks the program to end: what it has is kept, its worker goes with it, and the
// shell hears of it.
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

#include "core/sweep/json.h"
#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

namespace warplens {
namespace {

using tests::ProgramRun;

struct Ending final {
    const char* signal;
    int number;
};
class EverySignal : public testing::TestWithParam<Ending> {
  protected:
    /// Runs `command` for a second and a half and sends the signal; `left` is then printed for each
    /// process that the worker's command had started and that still lives.
    [[nodiscard]] static ProgramRun endAfterAWhile(const std::string& command) {
        // `env` undoes that a shell lets its background jobs ignore Ctrl-C.
        return tests::runShell(
            "env --default-signal=INT \"$WARPLENS\" " + command +
            " --worker 'echo $$ > shell; sleep 1000 & echo $! > child; wait' & sleep 1.5; kill -" +
            std::string(GetParam().signal) +
            " $!; wait $!; code=$?; sleep 0.3; for pid in $(cat shell child); do kill -0 $pid "
            "2>/dev/null && echo left; done; ls -A | grep -v -e shell -e child; exit $code");
    }
};

TEST_P(EverySignal, EndsEveryCommandThatMeasuresWithItsWorker) {
    for (const char* command :
         {"measure matadd-swapped --save r.json", "lesson warp-grouping --measure", "doctor",
          "sweep access-stride --set n=4096 --over stride=1..4 -o f.svg",
          "screenshot matadd-swapped --measure -o s.png"}) {
        const ProgramRun run = endAfterAWhile(command);
        EXPECT_EQ(run.exitCode, 128 + GetParam().number) << command;
        EXPECT_EQ(run.output.find("left"), std::string::npos) << command;
        EXPECT_EQ(run.output.find("r.json"), std::string::npos) << command;
        EXPECT_EQ(run.output.find("f.svg"), std::string::npos) << command;
        EXPECT_EQ(run.output.find("s.png"), std::string::npos) << command;
        EXPECT_TRUE(run.errors.starts_with("warplens: cancelled")) << command << run.errors;
    }
}

INSTANTIATE_TEST_SUITE_P(Signals, EverySignal,
                         testing::Values(Ending{"INT", 2}, Ending{"TERM", 15}, Ending{"HUP", 1}),
                         [](const auto& ending) { return std::string(ending.param.signal); });

TEST(Signals, ASecondOneEndsTheProgramAtOnceAndTheWorkerToo) {
    const ProgramRun run = tests::runShell(
        "env --default-signal=INT \"$WARPLENS\" measure matadd-swapped --worker 'sleep 1000 & echo "
        "$! > child; wait' & sleep 1; kill -INT $!; sleep 0.2; kill -INT $!; wait $!; code=$?; "
        "sleep 0.2; kill -0 $(cat child) 2>/dev/null && echo left; exit $code");
    EXPECT_EQ(run.exitCode, 130);
    EXPECT_EQ(run.output, "");
}

TEST(Signals, ThatWereIgnoredStayIgnored) {
    const ProgramRun run = tests::runShell(
        "nohup \"$WARPLENS\" measure matadd-swapped --no-predict --worker 'sleep 1; "
        "exec " WORKER_STUB " answers' & sleep 0.5; kill -HUP $!; wait $!");
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_NE(run.output.find("Measured on scripted worker"), std::string::npos);
}

TEST(Signals, DuringPredictingLeaveThePointsThatAreDoneAndNoFigure) {
    const tests::TemporaryFolder folder;
    const std::string file = (folder.path() / "kept.json").string();
    for (const auto& [signal, code] : {std::pair{"TERM", 143}, {"KILL", 137}}) {
        std::filesystem::remove(file);
        // As soon as the first of a thousand points is there.
        const ProgramRun run = tests::runShell(
            "\"$WARPLENS\" sweep matmul-global --over n=64..16384:16 --predict-only -o f.svg "
            "--save " +
            file + " & while ! [ -s " + file + " ]; do sleep 0.02; done; kill -" + signal +
            " $!; wait $!; code=$?; ls -A; exit $code");
        EXPECT_EQ(run.exitCode, code);
        EXPECT_EQ(run.output.find("f.svg"), std::string::npos);
        EXPECT_GT(loadSweep(file).sweep.predictedCount(), 0u) << signal;
    }
}

TEST(Signals, AfterAPointLeaveItInTheFile) {
    const tests::TemporaryFolder folder;
    const std::string file = (folder.path() / "kept.json").string();
    // Answers once and then hangs.
    const ProgramRun run = tests::runShell(
        "\"$WARPLENS\" sweep access-stride --set n=4096 --over stride=1..4 --save " + file +
        " --worker '[ -e once ] && exec " WORKER_STUB " hangs; : > once; exec " WORKER_STUB
        " crashes-after-answering' & sleep 3; kill -KILL $!; wait $!");
    EXPECT_EQ(run.exitCode, 137);
    EXPECT_EQ(loadSweep(file).sweep.measuredCount(), 1u);
}

}  // namespace
}  // namespace warplens
