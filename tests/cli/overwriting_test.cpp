// What stands in a file that a command is to write: nothing that was measured is lost unasked.
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

#include "core/measurement/recording.h"
#include "core/sweep/sweep.h"
#include "core/text/files.h"
#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens {
namespace {

using namespace tests;

const std::string stubAnswers = " --worker '" WORKER_STUB " answers'";
/// Would be started only by work that comes too early.
const std::string workerNotToStart = " --worker 'touch started; sleep 20'";
const std::string fourStrides = "sweep access-stride --set n=4096 --over stride=1..4";

class Overwriting : public testing::Test {
  protected:
    [[nodiscard]] std::string file(const std::string& name) const {
        return (folder_.path() / name).string();
    }
    /// Expects that the command is refused with these words and changes nothing.
    void expectRefused(const std::string& command, const std::string& kept,
                       const std::string& words) const {
        const std::string before = readFile(kept);
        const ProgramRun run =
            tests::runShell("\"$WARPLENS\" " + command + "; code=$?; ls -A; exit $code");
        EXPECT_EQ(run.exitCode, 2);
        EXPECT_EQ(run.errors, "warplens: " + words + '\n');
        EXPECT_EQ(run.output, "") << "nothing was begun";
        EXPECT_EQ(readFile(kept), before);
    }
    [[nodiscard]] std::string recorded(const std::string& name) const {
        Measurement measurement =
            tests::scriptedMeasurement(initialExperiment(scenarioNamed("matadd-coalesced")));
        save(measurement, file(name));
        return file(name);
    }
    [[nodiscard]] std::string swept(const std::string& name) const {
        EXPECT_EQ(runProgram(fourStrides + stubAnswers + " --save " + file(name)).exitCode, 0);
        return file(name);
    }
    static constexpr const char* aRecording =
        "it holds a recording of matadd-coalesced <<<dim3(1024, 1024), dim3(16, 16)>>> (scripted "
        "worker, 2000-01-01)";

  private:
    tests::TemporaryFolder folder_;
};

TEST_F(Overwriting, OfARecordingByAnotherTakesForce) {
    const std::string kept = recorded("r.json");
    expectRefused("measure matadd-swapped --save " + kept + workerNotToStart, kept,
                  "--save = '" + kept + "': " + aRecording + "; --force replaces it");
    const ProgramRun forced =
        runProgram("measure matadd-swapped --force --save " + kept + stubAnswers);
    EXPECT_EQ(forced.exitCode, 0) << forced.errors;
    EXPECT_EQ(loadRecording(kept).measurement.experiment.scenario, "matadd-swapped");
}

TEST_F(Overwriting, OfACompleteSweepTakesForceAndNoRunMakesItLess) {
    const std::string kept = swept("s.json");
    const std::string holds = "--save = '" + kept +
                              "': it holds a sweep of access-stride over stride=1..4, 4 of 4 "
                              "points measured (scripted worker, " +
                              tests::today() + "); --force replaces it";
    expectRefused(fourStrides + " --save " + kept + workerNotToStart, kept, holds);
    expectRefused(fourStrides + " --predict-only --save " + kept, kept, holds);
    expectRefused("sweep access-offset --over offset=0..3 --predict-only --save " + kept, kept,
                  holds);
    expectRefused("measure matadd-swapped --save " + kept + workerNotToStart, kept, holds);
    const std::string before = readFile(kept);
    EXPECT_EQ(runProgram("sweep --predict-only --resume " + kept).exitCode, 0);
    EXPECT_EQ(readFile(kept), before);
}

TEST_F(Overwriting, OfPredictionsByTheSameSweepIsNoLoss) {
    const std::string kept = file("s.json");
    ASSERT_EQ(runProgram(fourStrides + " --predict-only --save " + kept).exitCode, 0);
    EXPECT_EQ(loadSweep(kept).sweep.measuredCount(), 0u);
    const ProgramRun run = runProgram(fourStrides + " --save " + kept + stubAnswers);
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_EQ(loadSweep(kept).sweep.measuredCount(), 4u);
}

TEST_F(Overwriting, OfAnythingElseByARecordingTakesForce) {
    const std::string kept = file("thesis.tex");
    writeFileAtomically(kept, "\\documentclass{book}");
    expectRefused("measure matadd-swapped --save " + kept + workerNotToStart, kept,
                  "--save = '" + kept +
                      "': it holds 20 B that are no recording; --force replaces "
                      "it");
    writeFileAtomically(kept, "");
    EXPECT_EQ(runProgram("measure matadd-swapped --save " + kept + stubAnswers).exitCode, 0);
}

TEST_F(Overwriting, OfARecordingByAPictureTakesForce) {
    for (const std::string name : {"r.svg", "r.png"}) {
        const std::string kept = recorded(name);
        expectRefused("figure matadd-swapped -o " + kept, kept,
                      "--output = '" + kept + "': " + aRecording +
                          "; a picture replaces a picture only, without --force");
        expectRefused(fourStrides + " -o " + kept + workerNotToStart, kept,
                      "--output = '" + kept + "': " + aRecording +
                          "; a picture replaces a picture only, without --force");
    }
    const std::string kept = recorded("s.png");
    expectRefused("screenshot matadd-swapped --measure -o " + kept + workerNotToStart, kept,
                  "--output = '" + kept + "': " + aRecording +
                      "; a picture replaces a picture only, without --force");
    const std::string other = file("notes.svg");
    writeFileAtomically(other, "abc");
    expectRefused("figure matadd-swapped -o " + other, other,
                  "--output = '" + other +
                      "': it holds 3 B that are no picture; a picture replaces a picture only, "
                      "without --force");
    EXPECT_EQ(runProgram("figure matadd-swapped --force -o " + kept).exitCode, 0);
    EXPECT_TRUE(readFile(kept).starts_with("\x89PNG"));
}

TEST_F(Overwriting, OfAPictureByAPictureThatWasNamedIsWhatWasAskedFor) {
    const std::string kept = file("f.svg");
    ASSERT_EQ(runProgram("figure matadd-swapped -o " + kept).exitCode, 0);
    EXPECT_EQ(runProgram("figure matadd-coalesced -o " + kept).exitCode, 0);
}

TEST(Program, WithoutADisplayReplacesNoFileThatNobodyNamed) {
    const ProgramRun run = tests::runShell(
        "echo mine > warplens-matadd-coalesced.png; ln -s none warplens-matadd-coalesced-2.png; "
        "\"$WARPLENS\" matadd-coalesced --worker ''; code=$?; cat warplens-matadd-coalesced.png; "
        "ls -A; exit $code");
    if (run.exitCode == 3) GTEST_SKIP() << "no OpenGL here";
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_NE(run.output.find("\nmine\n"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("warplens-matadd-coalesced-3.png\n"), std::string::npos);
}

TEST(Measure, TellsWhatItFoundWhereItCannotBeSavedInTheEnd) {
    // What it prints goes through a process that may write as much as it likes.
    const ProgramRun run =
        tests::runShell("(ulimit -f 1; \"$WARPLENS\" measure matadd-swapped --save r.json" +
                        stubAnswers + "; echo code $?) | cat; ls -A");
    EXPECT_EQ(run.errors, "warplens: cannot write r.json: File too large\n");
    EXPECT_NE(run.output.find("Measured on scripted worker"), std::string::npos);
    EXPECT_TRUE(run.output.ends_with("\ncode 1\n")) << "nothing is left: " << run.output;
}

TEST(Measure, RefusesAFileThatCannotBeWrittenBeforeItMeasures) {
    const ProgramRun run =
        tests::runShell("mkdir r.json; \"$WARPLENS\" measure matadd-swapped --save r.json" +
                        workerNotToStart + "; code=$?; ls -A; exit $code");
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_EQ(run.errors, "warplens: cannot write r.json: it is a folder\n");
    EXPECT_EQ(run.output, "r.json\n");
}

}  // namespace
}  // namespace warplens
