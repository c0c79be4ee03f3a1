#include "core/sweep/sweep.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

#include "core/text/files.h"
#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

namespace warplens {
namespace {

using namespace tests;

std::string workerThat(const std::string& part) {
    return " --worker '" WORKER_STUB " " + part + "'";
}

/// From the programs started from now on, by the CUDA runtime's own means.
void hideGpus() {
    ::setenv("CUDA_VISIBLE_DEVICES", "", 1);
}

/// A sweep that is traced in no time.
const std::string strides = "sweep access-stride --set n=4096 --over stride=1..4";

TEST(Sweep, PrintsEachSourceOfEachPoint) {
    const ProgramRun run = runProgram(strides + workerThat("answers"));
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_EQ(run.errors, "");
    EXPECT_NE(run.output.find("access-stride  over stride=1..4  (4 points)"), std::string::npos);
    EXPECT_NE(run.output.find("Sectors per load request\n  stride  predicted  counted\n"
                              "  1       4.000      4.000\n  2       8.000      4.000\n"),
              std::string::npos)
        << run.output;
    EXPECT_NE(run.output.find("measured on scripted worker, " + tests::today() + ", all 4 points"),
              std::string::npos);
}

TEST(SweepJson, PrintsOneObjectThatReadsBack) {
    const ProgramRun run = runProgram(strides + workerThat("answers") + " --json");
    const warplens::Sweep sweep = sweepFromJson(run.output);
    EXPECT_EQ(sweep.measuredCount(), 4u);
    EXPECT_EQ(sweep.predictedCount(), 4u);
}

TEST(Sweep, NeedsNoGpuToPredict) {
    const ProgramRun run = runProgram(strides + " --predict-only");
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_EQ(run.errors, "");
    EXPECT_NE(run.output.find("predicted only: nothing here was measured"), std::string::npos);
}

TEST(Sweep, SaysThatItOnlyPredictedWhereThereIsNoGpu) {
    hideGpus();
    const ProgramRun run = runProgram(strides);
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_NE(run.errors.find("there is no recording of these points either: predicted only"),
              std::string::npos);
    EXPECT_NE(run.output.find("predicted only: nothing here was measured"), std::string::npos);
}

TEST(Sweep, ShowsRecordingsWithTheirDeviceWhereThereIsNoGpu) {
    const tests::TemporaryFolder folder;
    const std::string file = (folder.path() / "kept.json").string();
    ASSERT_EQ(runProgram(strides + workerThat("answers") + " --save " + file).exitCode, 0);
    hideGpus();
    const ProgramRun run = runProgram(strides + " --recordings " + folder.path().string());
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_NE(run.output.find("recorded on scripted worker, " + tests::today() + ", all 4 points"),
              std::string::npos)
        << run.output;
    EXPECT_NE(run.errors.find("4 of 4 points are from recordings instead"), std::string::npos);
    const ProgramRun list = runProgram("list --recordings " + folder.path().string());
    EXPECT_NE(
        list.output.find("swept     --over stride=1..4  (scripted worker, " + tests::today() + ")"),
        std::string::npos);
}

TEST(Sweep, CannotGoWithoutAGpuWhereItMustMeasure) {
    const tests::TemporaryFolder folder;
    const std::string file = (folder.path() / "kept.json").string();
    hideGpus();
    EXPECT_EQ(runProgram(strides + " --save " + file).exitCode, 3);
    EXPECT_EQ(runProgram(strides + workerThat("no-gpu")).exitCode, 3);
}

TEST(Sweep, GoesOnPastAPointThatCrashesTheWorkerAndResumesIt) {
    const tests::TemporaryFolder folder;
    const std::string file = (folder.path() / "kept.json").string();
    const std::string once = " --once " + (folder.path() / "once").string();
    const ProgramRun run = runProgram(strides + workerThat("crashes" + once) + " --save " + file);
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_EQ(run.errors,
              "warplens: not measured: stride = 1: the worker was ended by signal 9 (Killed) while "
              "'timing'\n");
    const warplens::Sweep kept = loadSweep(file).sweep;
    EXPECT_EQ(kept.measuredCount(), 3u);
    EXPECT_EQ(kept.failedCount(), 1u);
    const ProgramRun again = runProgram("sweep --resume " + file + workerThat("answers"));
    EXPECT_EQ(again.exitCode, 0) << again.errors;
    EXPECT_EQ(loadSweep(file).sweep.measuredCount(), 4u);
}

TEST(Sweep, GivesUpWhenTwoWorkersInARowAreLost) {
    const tests::TemporaryFolder folder;
    const std::string file = (folder.path() / "kept.json").string();
    const ProgramRun run = runProgram(strides + workerThat("exits") + " --save " + file);
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_NE(run.errors.find("given up: two workers in a row were lost"), std::string::npos)
        << run.errors;
    EXPECT_NE(run.errors.find("--resume " + file + " goes on"), std::string::npos);
    EXPECT_EQ(loadSweep(file).sweep.failedCount(), 2u);
}

/// How often the worker was asked to measure.
std::size_t requestsIn(const std::string& file) {
    const std::string log = readFile(file);
    return static_cast<std::size_t>(std::ranges::count(log, '\n'));
}

TEST(Sweep, MeasuresOnResumeOnlyWhatIsMissing) {
    const tests::TemporaryFolder folder;
    const std::string file = (folder.path() / "kept.json").string();
    const std::string log = (folder.path() / "log").string();
    ASSERT_EQ(runProgram(strides + workerThat("answers") + " --save " + file).exitCode, 0);
    warplens::Sweep sweep = loadSweep(file).sweep;
    sweep.points[1].measured = std::monostate{};
    sweep.points[3].measured = std::monostate{};
    save(sweep, file);
    const ProgramRun run = runProgram("sweep --resume " + file + " --worker 'tee " + log +
                                      " | " WORKER_STUB " answers'");
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_EQ(requestsIn(log), 2u);
    EXPECT_EQ(loadSweep(file).sweep.measuredCount(), 4u);
}

TEST(Sweep, KeepsOnCtrlCWhatItHas) {
    const tests::TemporaryFolder folder;
    const std::string file = (folder.path() / "kept.json").string();
    // The first two points are answered at once, the third takes ten seconds.
    warplens::Sweep sweep;
    ASSERT_EQ(runProgram(strides + workerThat("answers") + " --save " + file).exitCode, 0);
    sweep = loadSweep(file).sweep;
    sweep.points[2].measured = std::monostate{};
    sweep.points[3].measured = std::monostate{};
    save(sweep, file);
    // `env` undoes that a shell lets its background jobs ignore Ctrl-C.
    const ProgramRun run =
        tests::runShell("env --default-signal=INT \"$WARPLENS\" sweep --resume " + file +
                        workerThat("slow") + " & sleep 2; kill -INT $!; wait $!");
    EXPECT_EQ(run.exitCode, 130);
    EXPECT_EQ(run.errors, "warplens: cancelled: 2 of 4 points measured\nwarplens: kept in " + file +
                              "; --resume " + file + " goes on\n");
    EXPECT_NE(run.output.find("2 of 4 points"), std::string::npos);
    EXPECT_EQ(loadSweep(file).sweep.nextToMeasure(), 2u);
}

TEST(Sweep, IsWrittenToAFileByOneRunAtATime) {
    const tests::TemporaryFolder folder;
    const std::string file = (folder.path() / "kept.json").string();
    const std::string told = "warplens: another sweep is being written to " + file +
                             ": wait for its end, or --save to another file\n";
    // The first run has begun when its lock is there; the second one says at once what is the
    // matter.
    const ProgramRun run = tests::runShell(
        "\"$WARPLENS\" " + strides + workerThat("takes-500") + " --save " + file +
        " >first 2>&1 & until [ -e " + file + ".lock ]; do sleep 0.01; done\n\"$WARPLENS\" " +
        strides + workerThat("answers") + " --force --save " + file + "; code=$?; wait $!; ls " +
        folder.path().string() + "; exit $code");
    EXPECT_EQ(run.errors, told);
    EXPECT_EQ(run.output, "kept.json\n");
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_EQ(loadSweep(file).sweep.measuredCount(), 4u);
    // What a killed run leaves keeps nobody off.
    std::ofstream(file + ".lock") << "";
    EXPECT_EQ(runProgram("sweep --resume " + file + workerThat("answers")).errors, "");
}

TEST(Sweep, IsSavedToNoPipeAndNoDevice) {
    for (const char* place : {"/dev/stdout", "pipe", "/dev/null"}) {
        const ProgramRun run = tests::runShell("mkfifo pipe; timeout 10 \"$WARPLENS\" " + strides +
                                               workerThat("answers") + " --save " + place);
        EXPECT_EQ(run.exitCode, 2);
        EXPECT_EQ(run.output, "");
        EXPECT_EQ(run.errors, "warplens: --save = '" + std::string(place) +
                                  "': a file, no pipe or device; --json prints what is measured\n");
    }
}

TEST(Sweep, IsNotWrittenOverWhileItHasPointsToLose) {
    const tests::TemporaryFolder folder;
    const std::string file = (folder.path() / "kept.json").string();
    ASSERT_EQ(runProgram(strides + workerThat("answers") + " --save " + file).exitCode, 0);
    warplens::Sweep sweep = loadSweep(file).sweep;
    sweep.points[3].measured = std::monostate{};
    save(sweep, file);
    const ProgramRun run = runProgram(strides + workerThat("answers") + " --save " + file);
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_EQ(run.errors,
              "warplens: --save = '" + file +
                  "': it holds a sweep of access-stride over stride=1..4, 3 of 4 points "
                  "measured (scripted worker, " +
                  tests::today() + "); --resume " + file +
                  " goes on with it, --force replaces it\n");
}

TEST(Sweep, DrawsAFigureInEachFormat) {
    const tests::TemporaryFolder folder;
    for (const auto& [name, start] :
         {std::pair{"f.pdf", "%PDF"}, {"f.svg", "<?xml"}, {"f.png", "\x89PNG"}}) {
        const std::string file = (folder.path() / name).string();
        const ProgramRun run = runProgram(strides + " --predict-only -o " + file);
        EXPECT_EQ(run.exitCode, 0) << run.errors;
        EXPECT_TRUE(readFile(file).starts_with(start)) << name;
    }
}

struct Refusal final {
    const char* arguments;
    const char* message;
};
class SweepRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(SweepRefusal, NamesTheValueAndTheLimit) {
    const ProgramRun run = runProgram(std::string("sweep ") + GetParam().arguments);
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_EQ(run.errors, std::string("warplens: ") + GetParam().message + '\n');
    EXPECT_EQ(run.output, "");
}

INSTANTIATE_TEST_SUITE_P(
    Sweep, SweepRefusal,
    testing::Values(
        Refusal{"access-stride --over stride=0..3", "stride = 0: at least 1"},
        Refusal{"access-stride --over stride=9..3",
                "--over = 'stride=9..3': a first value of at most the last"},
        Refusal{"access-stride --over k=1..3", "k = 1: this kernel has only n stride"},
        Refusal{"access-stride --over block=2048", "threads of a block = 2048: from 1 to 1024"},
        Refusal{"access-stride --over stride=1..4096",
                "--over = 'stride=1..4096': at most 1024 points"},
        Refusal{"access-stride",
                "--over = '': name=first..last[:step] as in stride=1..128, or block=256 for its "
                "shapes"},
        Refusal{"access-stride --over stride=1..3 -o f.jpg",
                "--output = 'f.jpg': a file whose name ends in .pdf, .svg or .png"},
        Refusal{"access-stride --over stride=1..3 -o f.svg --theme pink",
                "theme = 'pink': one of light dark print"}));

TEST(Sweep, RefusesAMetricThatIsNotThere) {
    const ProgramRun run = runProgram(strides + " --metric speed");
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_TRUE(run.errors.starts_with("warplens: --metric = 'speed': one of ")) << run.errors;
}

TEST(Sweep, RefusesToResumeWhatIsNoSweepOrAnother) {
    const tests::TemporaryFolder folder;
    const std::string file = (folder.path() / "kept.json").string();
    ASSERT_EQ(runProgram(strides + workerThat("answers") + " --save " + file).exitCode, 0);
    EXPECT_EQ(runProgram("sweep --resume /no/such.json").exitCode, 1);
    EXPECT_EQ(runProgram("sweep matmul-global --resume " + file).exitCode, 2);
    EXPECT_EQ(runProgram("sweep access-stride --over stride=1..4 --resume " + file).exitCode, 2)
        << "another n";
    EXPECT_EQ(runProgram(strides + " --resume " + file).exitCode, 0);
}

}  // namespace
}  // namespace warplens
