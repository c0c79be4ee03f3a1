#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/scenario/scenario.h"
#include "core/text/format.h"
#include "tests/cli/program.h"

namespace warplens {
namespace {

using namespace tests;
using Json = nlohmann::json;

TEST(List, NamesEveryScenarioWithItsLaunch) {
    const ProgramRun run = runProgram("list");
    EXPECT_EQ(run.exitCode, 0);
    for (const Scenario& scenario : allScenarios()) {
        EXPECT_NE(run.output.find(std::string(scenario.id) + "  -  "), std::string::npos);
    }
    EXPECT_NE(run.output.find("default   <<<dim3(32, 32), dim3(16, 16)>>>  n=512"),
              std::string::npos);
}

TEST(List, IsATableWithARowForEachScenario) {
    const std::string csv = runProgram("list --csv").output;
    EXPECT_TRUE(
        csv.starts_with("scenario,group,title,grid,block,sizes,compared_with,recordings,sweeps\n"))
        << csv;
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(csv, '\n')), allScenarios().size() + 1);
    EXPECT_NE(csv.find("\nmatadd-swapped,"), std::string::npos);
    EXPECT_EQ(runProgram("list --csv --json").exitCode, 2);
}

TEST(ListJson, GivesLaunchSizesAndBounds) {
    const Json tree = Json::parse(runProgram("list --json").output);
    ASSERT_EQ(tree["scenarios"].size(), allScenarios().size());
    const auto found = std::ranges::find_if(
        tree["scenarios"], [](const Json& scenario) { return scenario["id"] == "access-stride"; });
    ASSERT_NE(found, tree["scenarios"].end());
    const Json& stride = *found;
    EXPECT_EQ(stride["launch"]["block"], Json({256, 1, 1}));
    EXPECT_EQ(stride["sizes"][1]["name"], "stride");
    EXPECT_EQ(stride["sizes"][1]["minimum"], 1);
}

TEST(Doctor, AlwaysAnswersAndSaysWhatToDo) {
    EXPECT_EQ(runProgram("doctor").exitCode, 0) << "that nothing can be measured is an answer";
    EXPECT_EQ(runProgram("doctor --worker false").exitCode, 1) << "a worker that does not is none";
    const ProgramRun run = runProgram("doctor --worker no-such-program");
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_NE(run.output.find("worker      missing"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("neither DISPLAY nor WAYLAND_DISPLAY is set"), std::string::npos);
    EXPECT_NE(run.output.find("warplens    ok       version " + version()), std::string::npos);
}

TEST(DoctorJson, ReportsWhatTheWorkerSays) {
    const Json tree = Json::parse(runProgram("doctor --json --worker " WORKER_STUB).output);
    EXPECT_EQ(tree["version"], version());
    const auto check = [&](const char* name) {
        for (const Json& entry : tree["checks"]) {
            if (entry["name"] == name) return entry;
        }
        return Json();
    };
    EXPECT_EQ(check("worker")["ok"], true);
    EXPECT_EQ(check("GPU")["ok"], true);
    EXPECT_TRUE(check("GPU")["detail"].get<std::string>().starts_with("scripted worker"));
    EXPECT_EQ(check("counters")["ok"], false);
    EXPECT_EQ(check("counters")["detail"], "scripted: no counters");
    EXPECT_EQ(check("display")["ok"], false);
}

TEST(PredictJson, CountsTheSectorsOfTheSwappedSum) {
    const ProgramRun run = runProgram("predict matadd-swapped --set n=512 --json");
    EXPECT_EQ(run.exitCode, 0);
    const Json tree = Json::parse(run.output);
    EXPECT_EQ(tree["scenario"], "matadd-swapped");
    EXPECT_EQ(tree["exact"], true);
    EXPECT_EQ(tree["blocks"], 1024);
    EXPECT_EQ(tree["version"], version());
    const Json expected = Json::parse(R"({"metric": "global_load_sectors", "subject": "kernel",
                                          "source": "predicted", "value": 262144,
                                          "unit": "sectors"})");
    EXPECT_NE(std::find(tree["values"].begin(), tree["values"].end(), expected),
              tree["values"].end());
}

TEST(Predict, SaysHowMuchWasTraced) {
    const ProgramRun run = runProgram("predict branch-odd-even");
    EXPECT_NE(run.output.find("Predicted, exact: the block traced, in "), std::string::npos);
    EXPECT_NE(run.output.find("Divergence\n"), std::string::npos);
}

TEST(Help, IsGivenForTheProgramAndForEachCommand) {
    for (const char* command : {"", "list", "doctor", "map", "predict", "measure", "occupancy",
                                "screenshot", "documentation"}) {
        const ProgramRun run = runProgram(std::string(command) + " --help");
        EXPECT_EQ(run.exitCode, 0) << command;
        EXPECT_EQ(run.errors, "") << command;
        EXPECT_NE(run.output.find("Usage: warplens"), std::string::npos) << command;
    }
}

TEST(Version, IsPrinted) {
    EXPECT_EQ(runProgram("--version").output, "warplens " + version() + "\n");
}

TEST(Screenshot, NamesAFileItCannotWriteAndLeavesNothing) {
    const ProgramRun run = tests::runShell(
        "mkdir a.png; \"$WARPLENS\" screenshot matadd-coalesced -o a.png; code=$?; ls -A; exit "
        "$code");
    if (run.exitCode == 3) GTEST_SKIP() << "no OpenGL here";
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_EQ(run.errors, "warplens: cannot write a.png: it is a folder\n");
    EXPECT_EQ(run.output, "a.png\n");
}

TEST(Screenshot, UnderALimitOfMemorySaysSo) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the address sanitizer takes more than any limit";
#endif
    const ProgramRun run =
        tests::runShell("ulimit -v 300000; \"$WARPLENS\" screenshot matadd-coalesced -o a.png");
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_EQ(run.errors,
              "warplens: this process may address 293 MiB (ulimit -v): at least 1.00 GiB to draw "
              "with OpenGL\n");
}

TEST(Program, DoesTheMainJobWithoutADisplay) {
    const ProgramRun run = runProgram("matadd-coalesced --worker ''");
    if (run.exitCode == 3) GTEST_SKIP() << "no OpenGL here";
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_NE(run.output.find("Coalescing efficiency"), std::string::npos);
    EXPECT_NE(run.output.find("warplens-matadd-coalesced.png\n"), std::string::npos);
}

TEST(Program, MeasuresWithoutADisplayWhereItCan) {
    const ProgramRun run = runProgram("matadd-coalesced --worker " WORKER_STUB);
    if (run.exitCode == 3) GTEST_SKIP() << "no OpenGL here";
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_NE(run.output.find("Measured on scripted worker"), std::string::npos);
}

}  // namespace
}  // namespace warplens
