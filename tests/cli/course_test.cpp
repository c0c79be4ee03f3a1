// A folder of kernels and lessons, opened and checked as people do. Needs NVIDIA's compiler.
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/program.h"

namespace warplens {
namespace {

using Json = nlohmann::json;
using tests::ProgramRun;
using tests::runShell;

/// In a folder with a copy of the example course, and a cache of its own that the tests share.
ProgramRun inCopy(const std::string& script) {
    return runShell("export XDG_CACHE_HOME=" COURSE_CACHE "; cp -r " EXAMPLE_COURSE
                    " lecture && chmod -R u+w lecture && " +
                    script);
}

TEST(Course, OfTheDocumentationIsSound) {
    const ProgramRun run = inCopy("\"$WARPLENS\" check lecture");
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_EQ(run.output.substr(0, run.output.find(':')),
              "3 scenarios, 3 lessons, 1 exercise, 18 numbers, 6 steps")
        << run.output;
    EXPECT_NE(run.output.find(": nothing wrong\n"), std::string::npos) << run.output;
}

TEST(Course, HasItsExercisesCounted) {
    const ProgramRun run = inCopy(
        "\"$WARPLENS\" lesson access-stride --exercise | tail -n +3 > lecture/lessons/rows.cu; "
        "\"$WARPLENS\" check lecture");
    EXPECT_EQ(run.exitCode, 0) << run.output << run.errors;
    EXPECT_NE(run.output.find(", 3 lessons, 2 exercises, "), std::string::npos) << run.output;
    const ProgramRun unreadable = inCopy(
        "sed -i '/int row = /i // warplens: bytes_used >= 100' lecture/lessons/mirror.cu; "
        "grep -n warplens: lecture/lessons/mirror.cu; \"$WARPLENS\" check lecture");
    EXPECT_EQ(unreadable.exitCode, 1) << unreadable.errors;
    const std::string line = unreadable.output.substr(0, unreadable.output.find(':'));
    EXPECT_NE(unreadable.output.find("lecture/lessons/mirror.cu:" + line +
                                     ": must be allow(RULE) REASON or METRIC <= NUMBER, not "
                                     "'bytes_used >= 100'\n"),
              std::string::npos)
        << unreadable.output;
    // Who keeps a budget that is too high would never be done.
    for (const auto& [budget, isFault] : {std::pair("32", true), {"31", false}}) {
        const ProgramRun loose = inCopy(
            "sed -i '/int row = /a // warplens: sectors_per_request <= " + std::string(budget) +
            "\\npixels[(column * 32 + row) % 32768] = 1;' lecture/lessons/mirror.cu; "
            "grep -n 'column \\* 32' lecture/lessons/mirror.cu; \"$WARPLENS\" check lecture");
        const std::string at = "mirror.cu:" + loose.output.substr(0, loose.output.find(':')) +
                               ": this line keeps its budget of " + budget +
                               " but breaks uncoalesced-store";
        EXPECT_EQ(loose.output.find(at) != std::string::npos, isFault) << loose.output;
        EXPECT_EQ(loose.exitCode, isFault ? 1 : 0) << loose.output << loose.errors;
    }
    // What is wrong as it is begun may be the student's to find: told, and no fault.
    const ProgramRun begun = inCopy(
        "sed -i '/int row = /a __shared__ int last; last = column + row; pixels[column] = last;' "
        "lecture/lessons/mirror.cu; grep -n 'int last' lecture/lessons/mirror.cu; "
        "\"$WARPLENS\" check lecture");
    EXPECT_EQ(begun.exitCode, 0) << begun.output << begun.errors;
    const std::string racing =
        "lecture/lessons/mirror.cu:" + begun.output.substr(0, begun.output.find(':')) +
        ": shared-race: store to shared last";
    EXPECT_NE(begun.output.find(": nothing wrong\nwrong in an exercise as it is begun, "),
              std::string::npos)
        << begun.output;
    EXPECT_NE(begun.output.find(racing), std::string::npos) << begun.output;
    // What nobody may change is never right, whether the rest is.
    const std::string solved =
        "sed -i '/int row = /a float* r = pixels + row * width, left = r[column]; "
        "r[column] = r[width - 1 - column]; r[width - 1 - column] = left;' "
        "lecture/lessons/mirror.cu; ";
    for (const std::string& before : {std::string(), solved}) {
        const ProgramRun leaks =
            inCopy(before +
                   "sed -i '/cudaFree/d' lecture/lessons/mirror.cu; grep -n cudaMalloc "
                   "lecture/lessons/mirror.cu; \"$WARPLENS\" check lecture");
        EXPECT_EQ(leaks.exitCode, 1) << leaks.errors;
        const std::string at =
            "mirror.cu:" + leaks.output.substr(0, leaks.output.find(':')) + ": pixels";
        EXPECT_NE(leaks.output.find(at), std::string::npos) << leaks.output;
        EXPECT_NE(leaks.output.find("is never freed, in the part that may not be changed: no "
                                    "solution is right\n"),
                  std::string::npos)
            << leaks.output;
        EXPECT_EQ(leaks.output.find("nothing is left to be done") != std::string::npos,
                  !before.empty())
            << leaks.output;
    }
}

TEST(Course, IsToldOfAnExerciseWhoseResultsAreNeverWrong) {
    const std::string asks = "if (cudaGetLastError() != cudaSuccess) return 1; ";
    for (const auto& [compares, isFault] :
         {std::pair(asks + "continue;", true), {asks + "std::abort();", false}}) {
        const ProgramRun run = inCopy("sed -i 's/return 1;/" + compares +
                                      "/' lecture/lessons/mirror.cu; \"$WARPLENS\" check lecture");
        EXPECT_EQ(run.output.find("main returns 0 whatever the results are") != std::string::npos,
                  isFault)
            << run.output << run.errors;
    }
}

TEST(Course, IsToldOfWrongFormulasOfAPartThatCannotBeRead) {
    const ProgramRun run = inCopy(
        "sed -i -e 's/predicted sectors_per_request load\"/predicted efficiency load\"/' -e "
        "'s/\"hints\": /\"hint\": /' lecture/lessons/rows.json; \"$WARPLENS\" check lecture");
    EXPECT_EQ(run.exitCode, 1) << run.errors;
    EXPECT_NE(run.output.find("the question knows no \"hint\"; did you mean 'hints'?"),
              std::string::npos)
        << run.output;
    EXPECT_NE(run.output.find("there is no metric 'efficiency'; did you mean "
                              "'coalescing_efficiency', 'branch_efficiency' or 'lane_efficiency'?"),
              std::string::npos)
        << run.output;
}

/// The lines of the check's answer that speak of the file, without its folder.
std::string faultsIn(const std::string& output, const std::string& file) {
    std::string found;
    for (std::size_t at = output.find(file + ':'); at != std::string::npos;
         at = output.find(file + ':', at + 1)) {
        found += output.substr(at, output.find('\n', at) - at) + '\n';
    }
    return found;
}

TEST(Course, IsToldOfAllFaultsOfAFileAtOnce) {
    const ProgramRun lesson = inCopy(R"(
        sed -i -e 's/"title"/"titel"/' -e 's/"steps"/"stepz"/' -e 's/"place": 2/"place": 1/' \
            lecture/lessons/columns.json
        "$WARPLENS" check lecture)");
    const std::string told = faultsIn(lesson.output, "columns.json");
    for (const char* const words : {"a lesson knows no \"titel\"", "a lesson knows no \"stepz\"",
                                    "a lesson has no \"title\", \"steps\""}) {
        EXPECT_NE(told.find(words), std::string::npos) << words << " in\n" << lesson.output;
    }
    EXPECT_NE(lesson.output.find("its place in its group is that of the lesson lecture/columns"),
              std::string::npos)
        << lesson.output;
    const ProgramRun header = inCopy(R"(
        sed -i -e 's|^// work:|// works:|' -e 's|^// array \([a-z]*\): in,|// array \1: inn,|' \
            lecture/mirror.cu
        "$WARPLENS" check lecture)");
    const std::string both = faultsIn(header.output, "lecture/mirror.cu");
    EXPECT_NE(both.find("'works' is nothing that a header says"), std::string::npos) << both;
    EXPECT_NE(both.find("expected 'in' or 'out' and its length"), std::string::npos) << both;
}

TEST(Course, IsToldOfALessonsFaultsBesideThoseOfItsKernel) {
    const ProgramRun run = inCopy(R"(
        sed -i -e 's|^// moves:.*|//|' -e 's|^// look for:|// look four:|' lecture/mirror.cu
        sed -i -e '0,/"lanes"$/s//"lane"/' -e 's/"words": \[/"words": ["sectorr", /' \
            lecture/lessons/mirror.json
        "$WARPLENS" check lecture)");
    const std::string kernel = faultsIn(run.output, "lecture/mirror.cu");
    for (const char* const words : {"no 'moves: ...' in the header", "has no 'look for: ...'",
                                    "'look four' is nothing that a header says"}) {
        EXPECT_NE(kernel.find(words), std::string::npos) << words << " in\n" << run.output;
    }
    const std::string lesson = faultsIn(run.output, "lessons/mirror.json");
    for (const char* const words :
         {"its file mirror.cu cannot be read", "there is no panel 'lane'; did you mean 'lanes'",
          "has no 'sectorr'"}) {
        EXPECT_NE(lesson.find(words), std::string::npos) << words << " in\n" << run.output;
    }
    EXPECT_EQ(lesson.find("\"array\" is"), std::string::npos) << "of a launch that was not read";
}

TEST(Course, IsToldOfAMistakeThatIsRightBesideOtherFaults) {
    const ProgramRun run = inCopy(R"(
        sed -i -e '0,/"guess": "[^"]*"/s//"guess": "32"/' -e 's/"conclude": /"concludes": /' \
            lecture/lessons/columns.json
        "$WARPLENS" check lecture)");
    const std::string told = faultsIn(run.output, "columns.json");
    EXPECT_NE(told.find("a mistake that is right: 32"), std::string::npos) << run.output;
    EXPECT_NE(told.find("knows no \"concludes\""), std::string::npos) << run.output;
}

TEST(Course, IsToldBesideALaunchThatCannotBeReadWhatElseIsWrongInTheOrderOfLines) {
    const ProgramRun run = inCopy(R"(
        "$WARPLENS" new-course own >made
        sed -i -e 's/"narrow": {/"narrow": { "scenari": "x",/' -e 's/load|0}/load nix|0}/' \
            -e 's/"value": "predicted sectors_per_request load"/"value": "predicted time"/' \
            -e 's/"show": { "launch": "here"/"show": { "launch": "here", "step": 99/' \
            own/lessons/copy.json
        "$WARPLENS" check own)");
    const std::string told = faultsIn(run.output, "copy.json");
    std::size_t at = 0;
    for (const char* const words : {"a launch knows no \"scenari\"", "nix' is not known",
                                    "step 99: the warp takes 3", "no Time predicted"}) {
        const std::size_t next = told.find(words, at);
        EXPECT_NE(next, std::string::npos) << words << " in\n" << run.output;
        at = std::min(next, told.size());
    }
    EXPECT_EQ(told.find("narrow: no launch"), std::string::npos) << "it is told once";
}

TEST(Course, IsToldOfAnAnswerThatNothingCounts) {
    const auto answered = [&](const std::string& answer) {
        return inCopy(
            "\"$WARPLENS\" new-course own >made; sed -i 's/\"answer\": \"[^\"]*\"/\"answer\": \"" +
            answer +
            "\"/; s/\"place\": 1,/&\"covers\": [{\"aspect\": \"requests\"}],/' "
            "own/lessons/copy.json; \"$WARPLENS\" check own");
    };
    EXPECT_NE(answered("7").output.find("copy.json:17: the answer is 7 as it is written, which "
                                        "nothing counts; counted is 4 ('Sectors for each load')"),
              std::string::npos)
        << answered("7").output;
    EXPECT_EQ(answered("4").exitCode, 0) << "the lesson counts it";
}

TEST(Course, IsToldOfMovesThatAreNotWhatItsKernelTouches) {
    const ProgramRun run = inCopy(R"(
        sed -i 's|^// moves: 8 |// moves: 800 |' lecture/mirror.cu
        "$WARPLENS" check lecture)");
    EXPECT_NE(faultsIn(run.output, "lecture/mirror.cu").find("'moves: 800 * width * height' is "),
              std::string::npos)
        << run.output;
}

TEST(Course, IsToldWhereAndWhatItsJsonLacks) {
    const ProgramRun run = inCopy(
        "sed -i 's/\"place\": 2,/\"place\": 2/' lecture/lessons/columns.json; "
        "\"$WARPLENS\" check lecture");
    EXPECT_NE(faultsIn(run.output, "columns.json")
                  .find("not JSON at column 9: string literal, where a ',' or '}' should be"),
              std::string::npos)
        << run.output;
}

TEST(Course, IsToldOnceOfWhatFollows) {
    const ProgramRun compiler =
        inCopy("sed -i 's/^}/foo bar; }/' lecture/mirror.cu; \"$WARPLENS\" check lecture");
    const std::size_t first = compiler.output.find("\"foo\" is undefined");
    ASSERT_NE(first, std::string::npos) << compiler.output;
    EXPECT_EQ(compiler.output.find("\"foo\" is undefined", first + 1), std::string::npos)
        << compiler.output;
}

TEST(Course, IsNotToldOfALessonsNumbersThatItsKernelsFaultTakesAway) {
    const ProgramRun run = inCopy(R"(
        sed -i 's|^// array pixels: in, width . height|& / 2|' lecture/mirror.cu
        "$WARPLENS" check lecture)");
    EXPECT_NE(faultsIn(run.output, "lecture/mirror.cu").find("load from pixels["),
              std::string::npos)
        << run.output;
    EXPECT_EQ(run.output.find(" predicted"), std::string::npos) << run.output;
}

TEST(Course, IsToldOfALessonsLaunchThatLeavesItsArrayAndOfAPairOfOne) {
    const ProgramRun run = inCopy(R"(
        sed -i 's|width - 1 - column\]|width - 1 - column + (width == 1020) * width * height]|' \
            lecture/mirror.cu
        sed -i 's|"b": "here"|"b": "rows"|' lecture/lessons/columns.json
        "$WARPLENS" check lecture)");
    const std::string kernel = faultsIn(run.output, "lecture/mirror.cu");
    EXPECT_NE(kernel.find("/mirror.cu:24: "), std::string::npos) << run.output;
    EXPECT_NE(kernel.find("load from pixels[784379], which has 783360"), std::string::npos)
        << run.output;
    EXPECT_NE(kernel.find(" (@off of lessons/mirror.json, width=1020"), std::string::npos)
        << run.output;
    EXPECT_NE(run.output.find(" 2 faults\n"), std::string::npos) << "each told once" << run.output;
    EXPECT_NE(faultsIn(run.output, "columns.json").find("both sides are one and the same launch"),
              std::string::npos)
        << run.output;
}

TEST(Course, IsNotBlamedForTheCompilerOfTheMachine) {
    const ProgramRun broken = inCopy(
        "printf '#!/bin/sh\\nexit 1\\n' > host; chmod +x host; export WARPLENS_CXX=$PWD/host "
        "XDG_CACHE_HOME=$PWD; \"$WARPLENS\" check lecture");
    EXPECT_EQ(broken.exitCode, 3) << broken.output;
    EXPECT_NE(broken.errors.find("nvcc fatal"), std::string::npos) << broken.errors;
}

TEST(Course, NeedsNoCompilerWhereItsPtxLiesBesideIt) {
    constexpr const char* without = "; export XDG_CACHE_HOME=$PWD/none PATH=/usr/bin:/bin; ";
    const ProgramRun kept =
        inCopy("\"$WARPLENS\" check lecture --keep-ptx && ls lecture/ptx" + std::string(without) +
               "\"$WARPLENS\" predict lecture/mirror > /dev/null; ls none/warplens");
    EXPECT_NE(kept.output.find("mirror.debug.ptx\nmirror.optimized.ptx\n"), std::string::npos)
        << kept.output << kept.errors;
    EXPECT_EQ(kept.output.find("courses"), std::string::npos) << "it was compiled";
}

TEST(Course, IsPredictedAsABuiltInKernelIs) {
    const ProgramRun run = inCopy("\"$WARPLENS\" predict lecture/brighten-columns --json");
    ASSERT_EQ(run.exitCode, 0) << run.errors;
    const Json tree = Json::parse(run.output);
    EXPECT_EQ(tree["scenario"], "lecture/brighten-columns");
    double sectors = 0;
    for (const Json& value : tree["values"]) {
        if (value["metric"] == "global_load_sectors" && value["subject"] == "pixels") {
            sectors = value["value"].get<double>();
        }
    }
    EXPECT_EQ(sectors, 1024 * 768);
}

TEST(Course, StandsBesideTheBuiltInScenariosAndLessons) {
    const ProgramRun list = inCopy("\"$WARPLENS\" list lecture");
    EXPECT_NE(list.output.find("warp-grouping"), std::string::npos);
    const std::size_t rows = list.output.find("lecture/brighten-rows");
    EXPECT_LT(rows, list.output.find("lecture/mirror"));
    const ProgramRun lesson = inCopy("\"$WARPLENS\" lesson lecture/columns --answer");
    EXPECT_EQ(lesson.exitCode, 0) << lesson.errors;
    EXPECT_NE(lesson.output.find("Answer: 32."), std::string::npos) << lesson.output;
}

/// Sizes and arrays of other types than int and float; where `in` is read follows from all sizes.
constexpr const char* typed = R"(// Scales values.
//
// size count: 1000, 1 to 100000, values
// size offset: 3, 0 to 1000, values that are left out
// size factor: 2, 1 to 100, distance between the values
// size bias: 1, 0 to 10, what is added to it
// array in: in, (count + offset) * factor + bias
// array bytes: in, count
// array pairs: in, count
// array out: out, count
// work: count
// element: x if x < count
// written by: element
// moves: 17 * count
//
// scenario A3: typed
// title: Types
// look for: The elements of each array have a size of their own.
// block: 128
__global__ void typed(const double* in, const unsigned char* bytes, const float2* pairs,
                      float* out, unsigned count, long long offset, float factor, double bias) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        long long at = (i + offset) * (long long)factor + (long long)bias;
        out[i] = in[at] + bytes[i] + pairs[i].x;
    }
}
)";

TEST(Course, TakesSizesAndArraysOfOtherTypes) {
    const ProgramRun run = inCopy("cat > lecture/typed.cu <<'END'\n" + std::string(typed) +
                                  "END\n\"$WARPLENS\" check lecture >&2 && "
                                  "\"$WARPLENS\" predict lecture/typed --json");
    ASSERT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_NE(run.errors.find(": nothing wrong\n"), std::string::npos) << run.errors;
    std::map<std::string, double> sectors;
    const Json tree = Json::parse(run.output);
    for (const Json& value : tree["values"]) {
        if (value["metric"] == "global_load_sectors" && value.contains("value")) {
            sectors[value["subject"]] = value["value"].get<double>();
        }
    }
    // A lane of `in` is 16 bytes from the next one, the first 56 bytes from the array's beginning.
    EXPECT_EQ(sectors["in"], 31 * 17 + 5);
    EXPECT_EQ(sectors["bytes"], 32);
    EXPECT_EQ(sectors["pairs"], 31 * 8 + 2);
}

/// One change to the example course, and what `check` says of it.
struct Fault final {
    const char* name;
    const char* change;
    const char* line;
};

class CourseFaults : public testing::TestWithParam<Fault> {};

TEST_P(CourseFaults, AreToldWithFileAndLine) {
    const ProgramRun run =
        inCopy("cd lecture && " + std::string(GetParam().change) + " && \"$WARPLENS\" check .");
    EXPECT_EQ(run.exitCode, 1) << run.output << run.errors;
    EXPECT_NE(run.output.find(GetParam().line), std::string::npos) << run.output << run.errors;
}

INSTANTIATE_TEST_SUITE_P(
    Of, CourseFaults,
    testing::Values(
        Fault{"header", "sed -i 's/^\\/\\/ work: .*/\\/\\/ work: width +/' mirror.cu",
              "/mirror.cu:8: "},
        Fault{"compiler", "sed -i 's/float\\* mirrored, int/float* mirrored, itn/' mirror.cu",
              "/mirror.cu:"},
        Fault{"statement", "sed -i 's/    int row = .*/    float sum = 0\\n&/' mirror.cu",
              "/mirror.cu:23: "},
        Fault{"outside", "sed -i 's/width - 1 - column/width + 1048576/' mirror.cu",
              "/mirror.cu:24: "},
        Fault{"element",
              "sed -i 's/element: x \\* width + y/element: y * width + x/' brighten_columns.cu",
              "/brighten_columns.cu:9: 'element' is 1 for thread (1,0,0) of block (0,0,0), which "
              "stores to brighter[1024] in line 24"},
        Fault{"writer",
              "sed -i 's/element \\/ width, element % width/element % width, element \\/ width/' "
              "brighten_columns.cu",
              "/brighten_columns.cu:10: 'written by' says that the thread at (0,1,0) of the grid "
              "writes element 1024: it is thread (1,0,0) of block (0,0,0)"},
        Fault{"scenarios", "sed -i 's/scenario B1/scenario A1/' mirror.cu",
              "/mirror.cu:14: its place is that of the scenario lecture/brighten-rows"},
        Fault{
            "computes",
            "sed -i 's/    int row = .*/&\\n    int sum = 0;\\n    for (int k = 0; k < 3; ++k) {  "
            "\\/\\/ only computes\\n        sum += k;\\n    }/; s/width - 1 - column/(width - 1 - "
            "column + sum) % width/' mirror.cu",
            "where a loop marked 'only computes' is run"},
        Fault{
            "intrinsic",
            "sed -i 's/    int row = .*/&\\n    if (threadIdx.x % 32 == 0) __syncthreads();\\n    "
            "else __syncwarp();/' mirror.cu",
            "/mirror.cu:23: mirror line 23: a barrier that 1 of a warp's 32 threads reach: "
            "__syncthreads in a branch, where the block may hang or go on too early, block (0,0,0) "
            "thread (0,0,0)"},
        Fault{"comparison", "sed -i 's/compared with: .*/compared with: nothing/' mirror.cu",
              "there is no scenario 'nothing'"},
        Fault{"launch",
              "sed -i 's/\"scenario\": \"mirror\"/\"scenario\": \"mirrors\"/' "
              "lessons/mirror.json",
              "/lessons/mirror.json:15: there is no scenario 'mirrors'; did you mean 'mirror'?\n"},
        Fault{
            "cause", "sed -i 's/moves:/move:/' mirror.cu",
            "/lessons/mirror.json:15: there is no scenario 'mirror': its file mirror.cu cannot be "
            "read\n"},
        Fault{"answer", "sed -i 's/\"answer\": .*/\"answer\": \"many\",/' lessons/mirror.json",
              "/lessons/mirror.json:37: "},
        Fault{"lessons", "sed -i 's/\"group\": \"B\"/\"group\": \"A\"/' lessons/mirror.json",
              "/lessons/rows.json:5: its place in its group is that of the lesson lecture/mirror"},
        Fault{"picture", "sed -i '50s/down/here/' lessons/mirror.json",
              "/lessons/mirror.json:49: its picture would tell the answer and stays covered"},
        Fault{"array", "sed -i '0,/\"step\": 2/s//\"step\": 3/' lessons/mirror.json",
              "step 3: Warp 0 stores to mirrored, which is no step of 'pixels'"},
        Fault{"guess", "sed -i '59s/8/4/' lessons/mirror.json",
              "/lessons/mirror.json:59: a mistake that is right: 4\n"},
        Fault{"quantity",
              "sed -i 's/any coalescing_efficiency/any coalescing_efficienty/' "
              "lessons/rows.json",
              "/lessons/rows.json:"},
        Fault{"argument", "sed -i 's/argument width/argument breadth/' lessons/rows.json",
              "the kernel has no breadth"},
        Fault{"step", "sed -i '0,/\"step\": 2/s//\"step\": 99/' lessons/columns.json",
              "step 99: the warp takes 3"},
        Fault{"json", "sed -i '2s/,$//' lessons/columns.json", "/lessons/columns.json:3: "},
        Fault{"twice", "sed -i 's/\"id\": \"mirror\"/\"id\": \"rows\"/' lessons/mirror.json",
              "there is a lesson lecture/rows already, in lessons/"},
        Fault{"right", "sed -i 's/\"guess\": \"128\"/\"guess\": \"4\"/' lessons/rows.json",
              "a mistake that is right"},
        Fault{"stray", "mv lessons/mirror.cu lessons/mirrro.cu",
              "/lessons/mirrro.cu:1: belongs to no lesson: an exercise has its lesson's file name, "
              "with .cu; did you mean 'mirror.cu'?\n"},
        Fault{"told",
              "sed -i 's/Lane 0 takes/{predicted sectors_per_request load|0}: lane 0 takes/' "
              "lessons/mirror.json",
              "/lessons/mirror.json:33: {predicted sectors_per_request load} is the answer, told "
              "before the question\n"},
        Fault{"task", "sed -i '1,/^__global__/{/^\\/\\//d}' lessons/mirror.cu",
              "/lessons/mirror.cu:1: no comment at its head says what is to be done\n"},
        Fault{"kept", "sed -i 's/From here on/Below/' lessons/mirror.cu",
              "/lessons/mirror.cu:1: no line begins with `// From here on`"},
        Fault{"recording", "mkdir recordings && echo '{' >recordings/a.json",
              "/recordings/a.json:1: "}),
    [](const auto& tested) { return std::string(tested.param.name); });

/// Reverses the values of each block through shared memory; STORE and BARRIER stand in it.
std::string reversed(const std::string& store, const std::string& barrier,
                     const std::string& entry = "//") {
    return "cat > lecture/reversed.cu <<'END'\n" + entry + R"(
//
// size n: 1024, 64 to 4096, values
// array in: in, n
// array out: out, n
// block must be: blockDim.x == 64, 64 threads
// work: n
// element: x if x < n
// written by: element
// moves: 8 * n
//
// scenario A3: reversed
// title: Reversed
// look for: Values change places within a block.
// block: 64
__global__ void reversed(const float* in, float* out, int n) {
    __shared__ float values[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    )" + store +
           R"( = i < n ? in[i] : 0.0f;
    )" + barrier +
           R"(
    if (i < n) out[i] = values[63 - threadIdx.x];
}
END
)";
}

TEST(Course, IsToldOfRacesAndOfSharedMemoryThatNobodyWrote) {
    constexpr const char* check = "\"$WARPLENS\" check lecture";
    const ProgramRun sound = inCopy(reversed("values[threadIdx.x]", "__syncthreads();") + check);
    EXPECT_EQ(sound.exitCode, 0) << sound.output << sound.errors;
    const ProgramRun race = inCopy(reversed("values[threadIdx.x]", "") + check);
    EXPECT_EQ(race.exitCode, 1) << race.errors;
    EXPECT_NE(race.output.find("/reversed.cu:21: load from shared values["), std::string::npos)
        << race.output;
    const ProgramRun unwritten =
        inCopy(reversed("values[threadIdx.x / 2]", "__syncthreads();") + check);
    EXPECT_NE(unwritten.output.find("which no thread of the block has written"), std::string::npos)
        << unwritten.output;
}

TEST(Course, TellsItsFaultsAsADocument) {
    const ProgramRun race =
        inCopy(reversed("values[threadIdx.x]", "") + "\"$WARPLENS\" check lecture --json");
    EXPECT_EQ(race.exitCode, 1) << race.errors;
    EXPECT_EQ(race.output.find("\"schema\": \"warplens.course_check/1\""), 4u) << race.output;
    EXPECT_NE(race.output.find("lecture/reversed.cu\",\n      \"line\": 21,\n      \"message\": "
                               "\"load from shared values["),
              std::string::npos)
        << race.output;
    const ProgramRun sound = inCopy("\"$WARPLENS\" check lecture --json");
    EXPECT_EQ(sound.exitCode, 0) << sound.errors;
    EXPECT_NE(sound.output.find("\"faults\": [],"), std::string::npos) << sound.output;
}

TEST(Course, MayHaveARaceThatItsHeaderSpeaksOf) {
    const std::string store = "for (int k = 0; k < 64; ++k) values[k]";
    const std::string check = "\"$WARPLENS\" check lecture";
    const ProgramRun silent = inCopy(reversed(store, "__syncthreads();") + check);
    EXPECT_NE(silent.output.find("/reversed.cu:19: store to shared values["), std::string::npos)
        << silent.output;
    const ProgramRun told = inCopy(
        reversed(store, "__syncthreads();", "// races: which value stays is the lesson") + check);
    EXPECT_EQ(told.exitCode, 0) << told.output << told.errors;
}

/// Lanes of one request in two arrays.
constexpr const char* either = R"(// Reads either array.
//
// size n: 1024, 64 to 4096, values
// array a: in, n
// array b: in, n
// array out: out, n
// work: n
// element: x if x < n
// written by: element
// moves: 8 * n
//
// scenario A3: either
// title: Either
// look for: One request goes to two arrays.
// block: 64
__global__ void either(const float* a, const float* b, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float* from = i % 2 ? a : b;
    if (i < n) out[i] = from[i];
}
)";

TEST(Course, MayReadFromEitherArrayInOneRequest) {
    const ProgramRun run = inCopy("cat > lecture/either.cu <<'END'\n" + std::string(either) +
                                  "END\n\"$WARPLENS\" predict lecture/either");
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_NE(run.output.find("Load sectors                         256 sectors"),
              std::string::npos)
        << run.output;
}

TEST(Course, IsDrawnWithNoBlockThatItsKernelRefuses) {
    const ProgramRun run = inCopy(reversed("values[threadIdx.x]", "__syncthreads();") +
                                  "\"$WARPLENS\" figure lecture/reversed --block 32 -o a.svg; "
                                  "test $? -eq 2 && test ! -e a.svg");
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_EQ(run.errors, "warplens: block = 32: 64 threads\n");
}

TEST(Course, IsFoundByTheFolderInALessonsName) {
    const ProgramRun run = inCopy(
        R"("$WARPLENS" screenshot --lesson lecture/mirror --size 640x360 -o a.png &&
           "$WARPLENS" screenshot lecture --lesson mirror --size 640x360 -o b.png && cmp a.png b.png &&
           "$WARPLENS" screenshot --lesson lecture/mirror lecture --size 640x360 -o c.png && cmp a.png c.png)");
    EXPECT_EQ(run.exitCode, 0) << run.errors;
}

TEST(Course, RefusesAFolderThatIsNone) {
    const ProgramRun none = runShell("\"$WARPLENS\" check nowhere");
    EXPECT_EQ(none.exitCode, 2);
    EXPECT_EQ(none.errors, "warplens: folder = 'nowhere': must be a folder with .cu files\n");
    const ProgramRun empty = runShell("mkdir empty; \"$WARPLENS\" check empty");
    EXPECT_EQ(empty.exitCode, 2);
    const ProgramRun name = runShell("mkdir 'a b'; \"$WARPLENS\" check 'a b'");
    EXPECT_EQ(name.exitCode, 2);
}

TEST(Course, IsDrawn) {
    const ProgramRun figure = inCopy("\"$WARPLENS\" figure lecture/mirror -o a.svg && ls a.svg");
    EXPECT_EQ(figure.exitCode, 0) << figure.errors;
}

TEST(Course, OpensItsFirstLessonThoughAScenarioHasItsName) {
    const ProgramRun run = inCopy(R"(
        rm lecture/lessons/rows.json lecture/lessons/columns.json
        "$WARPLENS" screenshot lecture --size 640x360 -o opened.png &&
        "$WARPLENS" screenshot lecture/mirror --lesson lecture/mirror --size 640x360 -o lesson.png &&
        cmp opened.png lesson.png && echo same
        "$WARPLENS" screenshot lecture/mirror --size 640x360 -o named.png && cmp named.png lesson.png
        "$WARPLENS" screenshot lecture/mirror --block 32,8 --size 640x360 -o launch.png
        cmp -s launch.png lesson.png || echo launch)");
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_EQ(run.output, "same\nlaunch\n") << run.errors;
}

TEST(Course, IsMeasuredByItsKernelsTextAndKeepsItsRecordings) {
    const std::string measure =
        "\"$WARPLENS\" measure lecture/mirror --worker '" WORKER_STUB " answers'";
    const ProgramRun run =
        inCopy(measure +
               " --save lecture/recordings/a.json >/dev/null && "
               "cat lecture/recordings/a.json && \"$WARPLENS\" check lecture "
               ">&2 && \"$WARPLENS\" measure lecture/mirror --worker '" WORKER_STUB " no-gpu'");
    EXPECT_EQ(run.exitCode, 3) << run.errors;
    const Json kept = Json::parse(run.output);
    EXPECT_EQ(kept["measurement"]["scenario"], "lecture/mirror") << run.output;
    EXPECT_NE(run.errors.find(": nothing wrong\n"), std::string::npos) << run.errors;
    EXPECT_NE(run.errors.find("scripted worker"), std::string::npos)
        << "without a GPU its recording is offered: " << run.errors;
    const ProgramRun elsewhere = inCopy(measure + " --save elsewhere/recordings/a.json");
    EXPECT_EQ(elsewhere.exitCode, 1);
    EXPECT_NE(elsewhere.errors.find("no folder elsewhere/recordings"), std::string::npos)
        << elsewhere.errors;
}

TEST(Course, SaysWhatAKernelDoesWrongInItsProcess) {
    const ProgramRun crash = inCopy(
        "sed -i 's/mirrored\\[row/*(volatile int*)0 = 1; mirrored[row/' lecture/mirror.cu && "
        "\"$WARPLENS\" predict lecture/mirror");
    EXPECT_EQ(crash.exitCode, 1) << crash.output;
    EXPECT_NE(crash.errors, "");
    EXPECT_LT(crash.errors.size(), 400u) << crash.errors;
}

TEST(Course, BegunFromTheTemplateIsSoundAndNotBegunTwice) {
    const ProgramRun run = runShell("export XDG_CACHE_HOME=" COURSE_CACHE
                                    "; \"$WARPLENS\" new-course mine && \"$WARPLENS\" check mine");
    EXPECT_EQ(run.exitCode, 0) << run.output << run.errors;
    EXPECT_NE(run.output.find("1 scenario, 1 lesson, 1 exercise, "), std::string::npos)
        << run.output;
    const ProgramRun again = runShell("mkdir mine; \"$WARPLENS\" new-course mine");
    EXPECT_EQ(again.exitCode, 2);
    EXPECT_NE(again.errors.find("NAME = 'mine': is there already; name a new folder"),
              std::string::npos)
        << again.errors;
    EXPECT_EQ(runShell("\"$WARPLENS\" new-course 'my course'").exitCode, 2);
}

TEST(Course, HasExercisesThatAreDoneOnceTheStudentHasWrittenThem) {
    const ProgramRun run = inCopy(R"sh(
        "$WARPLENS" new-course own >made
        "$WARPLENS" lesson own/copy --exercise >mine.cu
        "$WARPLENS" check mine.cu >before; echo $?
        sed -i 's/= blockIdx.x/= blockIdx.X/; s/= blockIdx.y.*/= blockIdx.x * blockDim.x + threadIdx.x;/
            s/= blockIdx.X.*/= blockIdx.y * blockDim.y + threadIdx.y;/' mine.cu
        "$WARPLENS" check mine.cu; echo $?
        "$WARPLENS" lesson lecture/mirror --exercise >mine.cu
        "$WARPLENS" check mine.cu >before; echo $?
        sed -i '/int row = /a    float* left = pixels + 2 * blockDim.x * gridDim.x * row + column;    float* right = pixels + 2 * blockDim.x * gridDim.x * row + width - 1 - column;    float first = *left;    *left = *right;    *right = first;' mine.cu
        "$WARPLENS" check mine.cu; echo $?
        sed -i 's/return 1;/return 0;/' mine.cu
        mkdir handed-in; cp mine.cu handed-in
        "$WARPLENS" check handed-in; echo $?
        mv lecture other; "$WARPLENS" check mine.cu; echo $?)sh");
    EXPECT_EQ(
        run.output,
        "1\n1 program: nothing found\n0\n1\n1 program: nothing found\n0\n"
        "handed-in/mine.cu: error: the part that compares the results is not as it was "
        "[failed-program]\n1 program: 1 error\n1\n"
        "note: mine.cu: says that it is the exercise of lecture/mirror, which is not here: whether "
        "its results are still compared as they were is not known\n"
        "1 program: nothing found\n0\n")
        << run.errors;
}

TEST(Course, IsToldAllThatIsWrongWithALessonAtOnce) {
    const ProgramRun run = inCopy(
        "sed -i 's/\"place\": 1/\"place\": 100/; s/\"sector\"/\"sektor\"/; s/\"a\": "
        "\"here\"/\"a\": \"hier\"/' lecture/lessons/mirror.json && \"$WARPLENS\" check lecture");
    EXPECT_EQ(run.exitCode, 1) << run.output << run.errors;
    for (const char* words : {"\"place\"", "the glossary has no 'sektor'", "'hier'"}) {
        EXPECT_NE(run.output.find(words), std::string::npos) << words << '\n' << run.output;
    }
    EXPECT_NE(run.output.find("3 faults"), std::string::npos) << run.output;
}

TEST(Progress, IsATableOfAllLessonsAndOfTheSettingsThatAreThere) {
    const ProgramRun run = runShell(
        "export XDG_CONFIG_HOME=$PWD/config; mkdir -p config/warplens; printf "
        "'{\"schema\":\"warplens.settings/1\",\"width\":800,\"height\":600,\"lessons\":{\"warp-"
        "grouping\":{\"page\":1,\"furthest\":2,\"answered\":\"right\",\"tries\":3,\"hints\":1,"
        "\"exercise\":true}}}' "
        "> "
        "config/warplens/settings.json; \"$WARPLENS\" progress --csv --name Ada; \"$WARPLENS\" "
        "progress");
    ASSERT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_TRUE(
        run.output.starts_with("name,lesson,title,answered,tries,hints,goal,exercise,page,pages\n"))
        << run.output;
    EXPECT_NE(run.output.find("Ada,warp-grouping,"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find(",right,4,1,0,1,2,"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find(",not begun,0,0,0,0,0,"), std::string::npos) << run.output;
    // The same for people, in columns.
    std::istringstream rows(run.output.substr(run.output.find("\nlesson ") + 1));
    std::string row;
    std::getline(rows, row);
    const std::size_t exercise = row.find("exercise");
    while (std::getline(rows, row) && !row.starts_with("warp-grouping ")) {
    }
    ASSERT_LT(exercise, row.size()) << row;
    EXPECT_TRUE(row.substr(exercise).starts_with("done ")) << row;
    const ProgramRun all = runShell(R"(export XDG_CONFIG_HOME=$PWD
        for who in ada bob; do "$WARPLENS" progress --csv --name $who > $who.csv; done
        sed -i 's/^bob,\(shared-banks,.*\),not begun,0,/bob,\1,open,12,/' bob.csv
        "$WARPLENS" progress --csv ada.csv bob.csv > all.csv && grep -c ^name, all.csv
        tail -n +2 ada.csv > rows; tail -n +2 bob.csv >> rows; tail -n +2 all.csv | cmp - rows
        sed s/^ada,/,/ ada.csv > eve.csv && "$WARPLENS" progress --csv eve.csv | grep -m1 -o ^eve,
        mkdir handed-in; mv ada.csv bob.csv handed-in; "$WARPLENS" progress handed-in | tr -s ' '
        mv handed-in/ada.csv .; echo no > none.csv; "$WARPLENS" progress ada.csv none.csv)");
    EXPECT_TRUE(all.output.starts_with(
        "1\neve,\n2 students\nstudent begun answered right answer shown tries read to the "
        "end exercise done\nada 0 0 0 0 0 0\nbob 1 0 0 12 0 0\n\n1 of "))
        << all.output << all.errors;
    EXPECT_NE(all.output.find("\nshared-banks 1 0 0 12 0 0 "), std::string::npos) << all.output;
    EXPECT_NE(all.errors.find("none.csv:1: "), std::string::npos) << all.errors;
    const ProgramRun table = runShell(R"(export XDG_CONFIG_HOME=$PWD
        "$WARPLENS" progress --csv > ada.csv; cp ada.csv bob.csv; echo x >> bob.csv
        "$WARPLENS" progress ada.csv --markdown | head -n 1; wc -l < bob.csv
        "$WARPLENS" progress ada.csv bob.csv; echo $?)");
    EXPECT_TRUE(table.output.starts_with("| name | lesson | title |")) << table.output;
    EXPECT_TRUE(table.output.ends_with("\n1\n")) << table.output;
    const std::size_t count = table.output.find('\n') + 1;
    const std::string last = table.output.substr(count, table.output.find('\n', count) - count);
    EXPECT_NE(table.output.find("1 student\n"), std::string::npos) << table.output;
    EXPECT_NE(table.errors.find("bob.csv:" + last + ": "), std::string::npos) << table.errors;
    const ProgramRun none = runShell("export XDG_CONFIG_HOME=$PWD; \"$WARPLENS\" progress");
    EXPECT_EQ(none.exitCode, 0);
    EXPECT_NE(none.output.find("\n0 of "), std::string::npos) << none.output;
}

}  // namespace
}  // namespace warplens
