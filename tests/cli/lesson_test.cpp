#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/text/lines.h"
#include "tests/cli/program.h"

namespace warplens {
namespace {

using namespace tests;
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

/// What puts an exercise right: text for text.
struct Solved final {
    std::string lesson;
    std::vector<std::pair<std::string, std::string>> changes;
};
void PrintTo(const Solved& solved, std::ostream* to) {
    *to << solved.lesson;
}
const std::array solvedExercises{
    Solved{"warp-grouping",
           {{"= threadIdx.x;",
             "= threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);"}}},
    Solved{"picture-76x62",
           {{"    out[y * width", "    if (x < width && y < height) out[y * width"},
            {"dim3(width / block.x, height / block.y)",
             "dim3((width + block.x - 1) / block.x, (height + block.y - 1) / block.y)"}}},
    Solved{"access-stride", {{"in[thread * each + i]", "in[i * threads + thread]"}}},
    Solved{"reduce-sequential",
           {{"int stride = 1; stride < blockDim.x; stride *= 2",
             "int stride = blockDim.x / 2; stride > 0; stride /= 2"},
            {"t % (2 * stride) == 0", "t < stride"}}},
    Solved{"shared-banks",
           {{"    out[column * n + row] = in[row * n + column];",
             "    __shared__ float tile[32][33];\n"
             "    tile[threadIdx.y][threadIdx.x] = in[row * n + column];\n"
             "    __syncthreads();\n"
             "    out[(column - threadIdx.x + threadIdx.y) * n + row - threadIdx.y + threadIdx.x] ="
             " tile[threadIdx.x][threadIdx.y];"}}},
    Solved{"barriers",
           {{"        s[t] = (s[t] + s[(t + 1) % 256]) / 2;",
             "        __syncthreads();\n"
             "        float mean = (s[t] + s[(t + 1) % 256]) / 2;\n"
             "        __syncthreads();\n"
             "        s[t] = mean;"}}},
    Solved{"constant-memory", {{"(t + k) % 16", "k"}}},
    Solved{"scaling",
           {{"    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) out",
             "    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;\n"
             "         i += gridDim.x * blockDim.x) out"}}}};

class Exercise : public testing::TestWithParam<Solved> {};

TEST_P(Exercise, IsNotDoneAsItStandsAndIsWhereItIsPutRight) {
    const auto& [lesson, changes] = GetParam();
    std::string text = runProgram("lesson " + lesson + " --exercise").output;
    const auto checked = [](const std::string& program) {
        return runShell("export XDG_CACHE_HOME=" COURSE_CACHE "; cat > mine.cu <<'END'\n" +
                        program + "END\n\"$WARPLENS\" check mine.cu");
    };
    // The task is read in the window's editor, which does not wrap: at large text it holds no more.
    for (const std::string_view line : splitLines(text)) {
        if (!line.starts_with("//")) continue;
        EXPECT_LE(line.size(), 60u) << line;
    }
    const ProgramRun before = checked(text);
    EXPECT_EQ(before.exitCode, 1) << before.output << before.errors;
    EXPECT_EQ(before.output.find("the program returned") == std::string::npos,
              before.output.find("wrong on purpose, that is the exercise") == std::string::npos)
        << before.output;
    for (const auto& [from, to] : changes) {
        const std::size_t at = text.find(from);
        ASSERT_NE(at, std::string::npos) << from << " in\n" << text;
        text.replace(at, from.size(), to);
    }
    const ProgramRun after = checked(text);
    EXPECT_EQ(after.exitCode, 0) << after.output << after.errors;
    const std::size_t main = text.find("int main()");
    const ProgramRun cheated = checked(text.substr(0, main) + "int main() {}\n");
    EXPECT_EQ(cheated.exitCode, 1) << cheated.output << cheated.errors;
    const std::size_t budget = text.find("// warplens: ");
    if (budget == std::string::npos || text.substr(budget).starts_with("// warplens: allow"))
        return;
    const ProgramRun allowed = checked(text.replace(budget, text.find('\n', budget) - budget,
                                                    "// warplens: allow(budget) as it is"));
    EXPECT_EQ(allowed.exitCode, 1) << allowed.output << allowed.errors;
    EXPECT_NE(allowed.output.find("` is gone, which the exercise is held to"), std::string::npos);
    EXPECT_NE(
        allowed.output.find("`// warplens: allow(budget) as it is` is none of the exercise's"),
        std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(OfALesson, Exercise, testing::ValuesIn(solvedExercises),
                         [](const auto& tested) {
                             std::string name = tested.param.lesson;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

TEST(LessonCommand, HasAnExerciseInEachChapter) {
    std::string chapters;
    const Json all = Json::parse(runProgram("lesson --json").output);
    for (const Json& lesson : all.at("lessons")) {
        const auto id = lesson.at("id").get<std::string>();
        if (std::ranges::count(solvedExercises, id, &Solved::lesson) == 1)
            chapters += lesson.at("group").get<std::string>();
    }
    EXPECT_EQ(chapters, "ABCDEEEF");
    EXPECT_EQ(runProgram("lesson latency-hiding --exercise").exitCode, 2);
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
