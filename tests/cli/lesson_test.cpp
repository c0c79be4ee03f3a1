#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace warplens {
namespace {

using tests::ProgramRun;
using tests::runProgram;
using Json = nlohmann::json;

TEST(LessonCommand, ListsTheLessonsUnderTheirGroups) {
    const std::string output = runProgram("lesson").output;
    const std::size_t group = output.find("C  Coalescing\n");
    ASSERT_NE(group, std::string::npos) << output;
    EXPECT_GT(output.find("   matadd-swapped"), group);
    EXPECT_LT(output.find("   warp-grouping"), group);
    EXPECT_GE(Json::parse(runProgram("lesson --json").output).at("lessons").size(), 33u);
}

TEST(LessonCommand, KeepsTheAnswerToItselfUntilAsked) {
    const std::string asked = runProgram("lesson matadd-swapped").output;
    EXPECT_NE(asked.find("Predict first: A coalesced load takes 4 sectors."), std::string::npos)
        << asked;
    EXPECT_EQ(asked.find("Answer:"), std::string::npos);
    EXPECT_NE(runProgram("lesson matadd-swapped --answer").output.find("Answer: 16."),
              std::string::npos);
}

TEST(LessonCommand, GivesTheSourceOfEachNumber) {
    const Json lesson = Json::parse(runProgram("lesson occupancy --json").output);
    bool found = false;
    for (const Json& figure : lesson.at("figures")) {
        if (figure.at("name") != "32 x 24 threads: warps on an SM") continue;
        found = true;
        EXPECT_EQ(figure.at("numbers").at(0).at("value"), 48);
        EXPECT_EQ(figure.at("numbers").at(0).at("sources"), "by rule");
    }
    EXPECT_TRUE(found) << lesson;
    EXPECT_TRUE(lesson.at("missing").empty());
}

TEST(LessonCommand, TellsAllOfThemInOneTable) {
    const std::string table = runProgram("lesson --table").output;
    EXPECT_NE(table.find("| `matadd-swapped` | `warplens measure matadd-swapped --grid 1024,1024 "
                         "--block 16,16 --set n=16384` |"),
              std::string::npos)
        << table;
    EXPECT_NE(table.find("| Sectors for each load | 16 (predicted; recorded on "),
              std::string::npos);
}

/// A lesson's id where a scenario is wanted: the launch that the lesson is about.
TEST(LessonCommand, GivesItsLaunchToOtherCommands) {
    const auto launchOf = [](const std::string& arguments) {
        Json tree = Json::parse(runProgram(arguments + " --json").output);
        return Json{tree.at("scenario"), tree.at("launch"), tree.at("arguments")};
    };
    const Json here = Json::parse(runProgram("lesson partial-warp --json").output).at("launch");
    const Json launch{here.at("scenario"), here.at("launch"), here.at("arguments")};
    EXPECT_EQ(launchOf("map partial-warp"), launch);
    EXPECT_EQ(launchOf("predict partial-warp"), launch);
    EXPECT_EQ(launchOf("figure partial-warp -o f.svg"), launch);
    EXPECT_EQ(launchOf("map partial-warp --block 64").at(1).at("block"), Json({64, 1, 1}));
}

TEST(LessonCommand, RefusesWhatThereIsNot) {
    const ProgramRun unknown = runProgram("lesson warp-speed");
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_NE(
        unknown.errors.find("lesson = 'warp-speed': one of those that `warplens lesson` lists"),
        std::string::npos)
        << unknown.errors;
    EXPECT_EQ(runProgram("lesson warp-grouping --table").exitCode, 2);
    EXPECT_EQ(runProgram("screenshot matadd-swapped --answer -o /dev/null").exitCode, 2);
    EXPECT_EQ(runProgram("screenshot matadd-swapped --lesson warp-speed -o /dev/null").exitCode, 2);
}

}  // namespace
}  // namespace warplens
