#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace warplens {
namespace {

using namespace tests;
using Json = nlohmann::json;

TEST(Occupancy, DrawsTheSlotsOfOneSmAndNamesTheLimiter) {
    const ProgramRun run = runProgram("occupancy --block 16,16 --registers 40 --cc 9.0");
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_EQ(run.output,
              "Block of 16,16 = 256 threads, 8 warps\n"
              "  registers per thread     40  (as asked)\n"
              "  shared memory per block  0 B  (none asked for)\n"
              "\n"
              "One SM of compute capability 9.0: 6 blocks, 48 of 64 warps, 75.0 % occupancy, "
              "limited by registers\n"
              "  AAAAAAAABBBBBBBBCCCCCCCCDDDDDDDDEEEEEEEEFFFFFFFF................\n"
              "                 one block  SM has   room for\n"
              "  blocks         1          32       32 blocks\n"
              "  warps          8          64       8 blocks\n"
              "  registers      10,240     65,536   6 blocks  <- limits\n"
              "  shared memory  1.00 KiB   228 KiB  228 blocks\n"
              "Of each block's shared memory the driver keeps 1.00 KiB\n"
              "Source: CUDA Programming Guide 13, Technical Specifications per Compute Capability; "
              "cuda_occupancy.h 13.0 for units\n");
}

TEST(Occupancy, ListsEveryCapabilityAndWhereABlockCannotBeLaunched) {
    const std::string output = runProgram("occupancy --block 32,32 --registers 16").output;
    for (const char* line :
         {"1.3         0       0 of 32   0.0 %      cannot be launched: threads per block = 1024: "
          "at most 512\n",
          "2.0         1       32 of 48  66.7 %     warps\n",
          "9.0         2       64 of 64  100.0 %    warps\n",
          "12.1        1       32 of 48  66.7 %     warps\n"}) {
        EXPECT_NE(output.find(line), std::string::npos) << line << output;
    }
}

TEST(Occupancy, TakesThreadsAndSharedMemoryFromTheScenario) {
    const std::string tiled =
        runProgram("occupancy matmul-tiled --set tile=32 --block 32,32 --cc 8.6").output;
    EXPECT_TRUE(
        tiled.starts_with("matmul-tiled  <<<dim3(16, 16), dim3(32, 32)>>>  n=512 tile=32\n"
                          "Block of 32,32 = 1,024 threads, 32 warps\n"))
        << tiled;
    EXPECT_NE(tiled.find("  shared memory per block  8.00 KiB  ("), std::string::npos) << tiled;
    EXPECT_EQ(tiled.find("(assumed)"), std::string::npos) << "a recording tells the registers";
    EXPECT_NE(tiled.find("The whole grid, 256 blocks, is resident on 256 such SMs\n"),
              std::string::npos);
    const std::string dynamic = runProgram("occupancy shared-dynamic --cc 8.6").output;
    EXPECT_NE(dynamic.find("  shared memory per block  2.00 KiB  ("), std::string::npos) << dynamic;
}

TEST(Occupancy, TakesTheRegistersFromARecordingThatTellsThem) {
    const ProgramRun run =
        tests::runShell("\"$WARPLENS\" measure matadd-swapped --worker " WORKER_STUB
                        " --no-predict --save kept.json >measured && tail -4 measured &&"
                        " \"$WARPLENS\" occupancy matadd-swapped --recordings . --cc 9.0");
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_NE(run.output.find("  kernel: 40 registers per thread, 0 B of static shared memory per "
                              "block, 0 B of local memory per thread\n"),
              std::string::npos)
        << run.output;
    EXPECT_NE(run.output.find("40  (as compiled for 0.0, measured on scripted worker)"),
              std::string::npos)
        << run.output;
    EXPECT_NE(run.output.find("6 blocks, 48 of 64 warps"), std::string::npos) << run.output;
}

TEST(Occupancy, SaysWhatIsUnsettledAndWhatItWouldChange) {
    EXPECT_NE(runProgram("occupancy --cc 3.2 --registers 100")
                  .output.find("Unsettled: 255 registers per thread in the spreadsheet, 63 in some "
                               "published tables; with 63: 0 blocks would be resident\n"),
              std::string::npos);
    EXPECT_NE(
        runProgram("occupancy --cc 3.2 --registers 32").output.find("same answer with either"),
        std::string::npos);
}

TEST(Occupancy, SaysWhenSharedMemoryMustBeAskedFor) {
    const std::string large = runProgram("occupancy --cc 9.0 --shared 49153").output;
    EXPECT_NE(large.find("must ask for it with cudaFuncSetAttribute"), std::string::npos) << large;
    const std::string small = runProgram("occupancy --cc 9.0 --shared 49152").output;
    EXPECT_EQ(small.find("cudaFuncSetAttribute"), std::string::npos) << small;
}

TEST(OccupancyJson, HoldsEveryCapabilityWithItsResources) {
    const ProgramRun run = runProgram("occupancy --block 128 --shared 15360 --carveout 25 --json");
    EXPECT_EQ(run.exitCode, 0);
    const Json tree = Json::parse(run.output);
    EXPECT_EQ(tree["block"], Json({128, 1, 1}));
    EXPECT_EQ(tree["registers_from"], "assumed");
    ASSERT_EQ(tree["capabilities"].size(), 30u);
    for (const Json& row : tree["capabilities"]) {
        EXPECT_EQ(row["refused"].empty(), row["resident_blocks"] != 0) << row;
        if (row["compute_capability"] != "9.0") continue;
        EXPECT_EQ(row["resident_blocks"], 4);
        EXPECT_EQ(row["limited_by"], Json({"shared_bytes"}));
        EXPECT_EQ(row["resources"]["shared_bytes"],
                  Json({{"per_block", 16384}, {"available", 65536}, {"blocks", 4}}));
        EXPECT_EQ(row["occupancy_percent"], 25.0);
    }
}

}  // namespace
}  // namespace warplens
