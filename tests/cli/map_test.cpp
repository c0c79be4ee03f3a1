#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/launch/mapping.h"
#include "core/text/format.h"
#include "tests/cli/program.h"

namespace warplens {
namespace {

using testing::HasSubstr;
using namespace tests;
using Json = nlohmann::json;

TEST(MapCsv, ListsEveryThreadOfEveryBlockInLinearOrder) {
    const ProgramRun run = runProgram("map warp-grouping --grid 2,3 --block 5,7,3 --csv");
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_EQ(run.errors, "");
    std::istringstream lines(run.output);
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "block_x,block_y,block_z,thread_x,thread_y,thread_z,linear,warp,lane,element");
    for (unsigned block = 0; block < 6; ++block) {
        unsigned linear = 0;
        for (unsigned z = 0; z < 3; ++z) {
            for (unsigned y = 0; y < 7; ++y) {
                for (unsigned x = 0; x < 5; ++x, ++linear) {
                    ASSERT_TRUE(std::getline(lines, line));
                    std::ostringstream expected;
                    expected << block % 2 << ',' << block / 2 << ",0," << x << ',' << y << ',' << z
                             << ',' << linear << ',' << linear / 32 << ',' << linear % 32 << ','
                             << block * 105 + linear;
                    ASSERT_EQ(line, expected.str());
                }
            }
        }
    }
    EXPECT_FALSE(std::getline(lines, line));
}

TEST(MapCsv, EndsWithTheElementOfEachThreadThatHasOne) {
    const ProgramRun run = runProgram("map matadd-swapped --grid 2 --block 3,2 --set n=5 --csv");
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_EQ(run.output,
              R"(block_x,block_y,block_z,thread_x,thread_y,thread_z,linear,warp,lane,element
0,0,0,0,0,0,0,0,0,0
0,0,0,1,0,0,1,0,1,5
0,0,0,2,0,0,2,0,2,10
0,0,0,0,1,0,3,0,3,1
0,0,0,1,1,0,4,0,4,6
0,0,0,2,1,0,5,0,5,11
1,0,0,0,0,0,0,0,0,15
1,0,0,1,0,0,1,0,1,20
1,0,0,2,0,0,2,0,2,
1,0,0,0,1,0,3,0,3,16
1,0,0,1,1,0,4,0,4,21
1,0,0,2,1,0,5,0,5,
)");
}

TEST(MapJson, AddsTheElementOfEachThread) {
    const ProgramRun run = runProgram("map matadd-swapped --grid 2 --block 3,2 --set n=5 --json");
    const Json tree = Json::parse(run.output);
    EXPECT_EQ(tree["scenario"], "matadd-swapped");
    EXPECT_EQ(tree["launch"]["grid"], Json({2, 1, 1}));
    EXPECT_EQ(tree["arguments"], Json({{"n", 5}}));
    ASSERT_EQ(tree["threads"].size(), 12u);
    EXPECT_EQ(tree["threads"][4],
              Json::parse(R"({"block": [0, 0, 0], "thread": [1, 1, 0], "linear": 4, "warp": 0,
                              "lane": 4, "element": 6})"));
    // x = 5 in the second block is beyond the fifth row.
    EXPECT_EQ(tree["threads"][8]["element"], nullptr);
}

TEST(MapSummary, ShowsWarpsThreadsAndElements) {
    const ProgramRun run = runProgram("map matadd-coalesced --block 7x5 --set n=76");
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_EQ(run.output, R"(matadd-coalesced  <<<dim3(11, 16), dim3(7, 5)>>>  n=76

threads    6,160: 176 blocks of 35
warps      2 in each block, 29 lanes of the last one idle
coverage   5,776 threads have an element, 384 have none, 0 elements are missed

Every block is split alike. The first one:
warp  threads  linear  thread (x,y,z)      elements
0     32       0-31    (0,0,0) to (3,4,0)  0-6, 76-82, 152-158, ... 304-307
1     3        32-34   (4,4,0) to (6,4,0)  308-310

--csv and --json list every thread.
)");
}

TEST(MapSummary, CountsAsManyThreadsWithAnElementAsTheList) {
    for (const std::string launch :
         {"matadd-coalesced --block 8,8,2 --set n=64", "picture-76x62 --block 16,4,2",
          "access-stride --block 16,4,2 --set n=1000",
          "matadd-coalesced --block 33 --grid 2,1,3"}) {
        const std::string list = runProgram("map " + launch + " --csv").output;
        std::uint64_t with = 0;
        for (std::size_t at = list.find('\n') + 1; at < list.size(); at = list.find('\n', at) + 1) {
            with += list[list.find('\n', at) - 1] != ',';
        }
        EXPECT_THAT(runProgram("map " + launch).output,
                    HasSubstr("coverage   " + groupedDigits(with) + " threads have an element, "))
            << launch;
    }
    EXPECT_THAT(runProgram("map matadd-coalesced --block 8,8,2 --set n=64").output,
                HasSubstr("each is done 2 times"));
    EXPECT_THAT(runProgram("map reduce-sequential --set n=4096").output,
                HasSubstr("4,096 threads have a part of the work, 0 have none, 0 parts are missed\n"
                          "           some of them write: the elements below and of --csv are "
                          "those of sums\n"));
}

TEST(Map, StopsQuietlyWhenItsReaderGoes) {
    // 2^31 threads: only a program that stops early ends in time.
    const ProgramRun run = tests::runShell(
        "{ \"$WARPLENS\" map warp-grouping --grid 2097152 --block 1024 --csv; echo $? >&2; } | "
        "head -n 2");
    EXPECT_EQ(run.errors, "0\n");
    EXPECT_EQ(std::count(run.output.begin(), run.output.end(), '\n'), 2);
}

TEST(Map, SaysThatTheDiskIsFull) {
    const ProgramRun run = runProgram("map matadd-coalesced --csv >/dev/full");
    EXPECT_EQ(run.errors, "warplens: cannot write the output: No space left on device\n");
    EXPECT_EQ(run.exitCode, 1);
}

}  // namespace
}  // namespace warplens
