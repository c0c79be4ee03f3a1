#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "core/json/json.h"
#include "core/measurement/recording.h"
#include "core/text/format.h"
#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens {
namespace {

using namespace tests;

ProgramRun measureWith(const std::string& part, const std::string& options = "") {
    return runProgram("measure matadd-swapped --worker '" WORKER_STUB " " + part + "' " + options);
}

TEST(Measure, PrintsWhatTheWorkerFound) {
    const ProgramRun run = measureWith("answers");
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_EQ(run.errors, "");
    EXPECT_NE(run.output.find("matadd-swapped  <<<dim3(1024, 1024), dim3(16, 16)>>>  n=16384"),
              std::string::npos);
    EXPECT_NE(run.output.find("Effective bandwidth"), std::string::npos);
    EXPECT_NE(run.output.find("predicted"), std::string::npos);
    EXPECT_NE(run.output.find("DRAM bandwidth (counted):\n    scripted: this worker has no"),
              std::string::npos);
    EXPECT_NE(run.output.find("Note: Invented by a test"), std::string::npos);
    EXPECT_NE(run.output.find("median of 20 runs"), std::string::npos);
}

/// The first line of `text` that starts with `start`, its blanks run together.
std::string lineOf(const std::string& text, const std::string& start) {
    const std::size_t at = text.find('\n' + start);
    if (at == std::string::npos) return "";
    std::istringstream words(text.substr(at + 1, text.find('\n', at + 1) - at - 1));
    std::string line;
    for (std::string word; words >> word;) line += (line.empty() ? "" : " ") + word;
    return line;
}

TEST(Measure, SetsTheSourcesOfOneValueSideBySide) {
    const std::string table = measureWith("answers").output;
    EXPECT_EQ(lineOf(table, "metric"), "metric predicted compiled counted timed");
    EXPECT_EQ(lineOf(table, "  Load sectors"),
              "Load sectors 268,435,456 sectors 400 sectors 400 sectors - ≠");
    EXPECT_NE(table.find("\nSources differ\n"), std::string::npos);
    EXPECT_NE(table.find("  ≠  Load sectors: counted and compiled 400, predicted 268,435,456\n"),
              std::string::npos)
        << table;
    EXPECT_EQ(lineOf(table, "  DRAM bandwidth"), "DRAM bandwidth - - - -");
    EXPECT_EQ(lineOf(measureWith("answers", "--no-predict").output, "metric"),
              "metric compiled counted timed");
}

TEST(Measure, SaysWhatTheCompilerMadeOfEachBranch) {
    const std::string table = measureWith("answers").output;
    const std::string said =
        "\n  What the compiler made of inside: threads outside leave by a predicated EXIT, no "
        "branch";
    EXPECT_LT(table.find("\nDivergence\n"), table.find(said));
    EXPECT_LT(table.find(said), table.find("\nTime\n"));
}

TEST(MeasureJson, PrintsOneObjectWithPredictionsBesideTheMeasuredValues) {
    const ProgramRun run = measureWith("answers", "--json");
    const Measurement measurement = fromJson<Measurement>(run.output);
    EXPECT_EQ(measurement.device.name, "scripted worker");
    EXPECT_NE(findValue(measurement.values, Metric::globalLoadSectors, Source::predicted), nullptr);
    EXPECT_NE(findValue(measurement.values, Metric::globalLoadSectors, Source::counted), nullptr);
    const Measurement bare =
        fromJson<Measurement>(measureWith("answers", "--json --no-predict").output);
    EXPECT_EQ(findValue(bare.values, Metric::globalLoadSectors, Source::predicted), nullptr);
}

TEST(Measure, SavesARecordingThatListOffers) {
    const tests::TemporaryFolder folder;
    const std::string file = (folder.path() / "a.json").string();
    const ProgramRun run = measureWith("answers", "--block 32,8 --save " + file);
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_EQ(run.errors, "warplens: recorded in " + file + "\n");
    EXPECT_EQ(loadRecording(file).measurement.experiment.launch.block, (Extents{32, 8}));
    const ProgramRun list = runProgram("list --recordings " + folder.path().string());
    EXPECT_NE(list.output.find(
                  "recorded  --grid 512,2048 --block 32,8 --set n=16384  (scripted worker, " +
                  tests::today() + ")"),
              std::string::npos)
        << list.output;
}

TEST(Measure, SavesNothingThatFailed) {
    const tests::TemporaryFolder folder;
    const ProgramRun run =
        measureWith("wrong-result", "--save " + (folder.path() / "a.json").string());
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_EQ(run.errors, "warplens: scripted: element 7 differs\n");
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Measure, NamesTheFolderItCannotSaveToBeforeItMeasures) {
    const ProgramRun run = measureWith("hangs", "--save /no/such/folder/a.json");
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_EQ(run.errors,
              "warplens: cannot write /no/such/folder/a.json: no folder /no/such/folder\n");
}

struct Mishap final {
    const char* part;
    int exitCode;
    const char* errors;
};

class EveryMishap : public testing::TestWithParam<Mishap> {};

TEST_P(EveryMishap, IsOneClearMessage) {
    const ProgramRun run = measureWith(GetParam().part, "--deadline 1");
    EXPECT_EQ(run.errors, GetParam().errors);
    EXPECT_EQ(run.output, "");
    EXPECT_EQ(run.exitCode, GetParam().exitCode);
}

INSTANTIATE_TEST_SUITE_P(
    Measure, EveryMishap,
    testing::Values(
        Mishap{"crashes", 1,
               "warplens: the worker was ended by signal 9 (Killed) while 'timing'\n"},
        Mishap{"exits", 1,
               "warplens: the worker exited with code 3 before answering; it said: last words\n"},
        Mishap{"hangs", 1,
               "warplens: the worker did not answer within 1 s, last 'timing', and was killed\n"},
        Mishap{"crashes-before-answering", 1,
               "warplens: the worker was ended by signal 9 (Killed) before answering\n"},
        Mishap{"faults", 1, "warplens: scripted: the kernel faulted\n"},
        Mishap{"half-line", 1,
               "warplens: the worker exited with code 0 before answering, in the middle of a "
               "line: '{\"id\": 1, \"event\": \"resu'\n"},
        Mishap{"garbage", 1,
               "warplens: the worker exited with code 5 before answering, in the middle of a "
               "line: '\\x7fELF\\x02\\x01\\xff\\xfe'\n"},
        Mishap{"endless-errors", 1,
               "warplens: the worker did not answer within 1 s and was killed\n"},
        Mishap{"wrong-result", 1, "warplens: scripted: element 7 differs\n"},
        Mishap{"too-large", 2, "warplens: scripted: memory = 2: at most 1\n"},
        Mishap{"nonsense", 1,
               "warplens: the worker wrote something that is not the protocol: 'Welcome to the "
               "cluster!' (not JSON, or cut off)\n"},
        Mishap{"wrong-id", 1,
               "warplens: the worker answered request 42, which was never asked\n"}));

TEST(Measure, SkipsABannerAndSaysSo) {
    const ProgramRun run = measureWith("banner");
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_EQ(run.errors,
              "warplens: skipped what came before the worker spoke: 'Welcome to lab-gpu!'\n");
}

TEST(Measure, RefusesAWorkerOfAnotherVersion) {
    for (const char* part : {"other-version", "other-protocol", "no-hello"}) {
        const ProgramRun run = measureWith(part);
        EXPECT_EQ(run.exitCode, 3);
        EXPECT_NE(run.errors.find("this is Warplens " + version()), std::string::npos)
            << run.errors;
        const ProgramRun doctor =
            runProgram("doctor --worker '" WORKER_STUB " " + std::string(part) + "'");
        EXPECT_EQ(doctor.exitCode, 3);
        EXPECT_NE(doctor.output.find("this is Warplens " + version()), std::string::npos);
    }
}

TEST(Measure, SavesNothingThatCannotBe) {
    for (const std::string& lie : tests::lies()) {
        const tests::TemporaryFolder folder;
        const ProgramRun run =
            measureWith("lies-" + lie, "--save " + (folder.path() / "a.json").string());
        EXPECT_EQ(run.exitCode, 1) << lie;
        EXPECT_EQ(run.output, "") << lie;
        EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << lie;
    }
}

TEST(Measure, QuotesAConnectionThatBroke) {
    const ProgramRun run = runProgram(
        "measure matadd-swapped --worker 'exec 3<&0; " WORKER_STUB
        " hangs <&3 & sleep 0.3; echo Connection to lab-gpu closed by remote host. >&2; exit 255'");
    EXPECT_EQ(run.errors,
              "warplens: the worker exited with code 255 while 'timing'; it said: Connection to "
              "lab-gpu closed by remote host.\n");
    EXPECT_EQ(run.exitCode, 1);
}

TEST(Measure, OffersRecordingsWhereThereIsNoGpu) {
    const tests::TemporaryFolder folder;
    (void)measureWith("answers", "--save " + (folder.path() / "a.json").string());
    const ProgramRun run = measureWith("no-gpu", "--recordings " + folder.path().string());
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_TRUE(run.errors.starts_with(
        "warplens: scripted: no GPU here\n"
        "warplens: recordings of matadd-swapped that `warplens list` offers instead:\n"))
        << run.errors;
    EXPECT_NE(run.errors.find("--grid 1024,1024 --block 16,16 --set n=16384  (scripted worker, "),
              std::string::npos);
}

TEST(Measure, SaysWhatIsMissingWithoutAWorker) {
    const ProgramRun run = runProgram("measure matadd-swapped --worker ''");
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_TRUE(run.errors.starts_with("warplens: cannot measure here: ")) << run.errors;
}

TEST(Measure, CancelsInOrderOnCtrlC) {
    // `env` undoes that a shell lets its background jobs ignore Ctrl-C.
    const ProgramRun run = tests::runShell(
        "env --default-signal=INT \"$WARPLENS\" measure matadd-swapped --worker '" WORKER_STUB
        " slow' & sleep 1; kill -INT $!; wait $!");
    EXPECT_EQ(run.errors, "warplens: cancelled\n");
    EXPECT_EQ(run.exitCode, 130);
}

}  // namespace
}  // namespace warplens
