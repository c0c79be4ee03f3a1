// `warplens figure` as people run it: what it writes, and what it leaves when it cannot.
#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>

#include "tests/cli/program.h"

namespace warplens {
namespace {

using namespace tests;

TEST(FigureCommand, WritesEachFormatWithoutADisplayAndSaysNothing) {
    const ProgramRun run = runShell(R"(
        for format in pdf svg png; do "$WARPLENS" figure warp-grouping -o f.$format; done
        head -c 5 f.pdf; head -c 5 f.svg; tail -c +2 f.png | head -c 3; echo; ls)");
    EXPECT_EQ(run.output, "%PDF-<?xmlPNG\nf.pdf\nf.png\nf.svg\n");
    EXPECT_EQ(run.errors, "");
    EXPECT_EQ(run.exitCode, 0);
}

TEST(FigureCommand, TwiceTheSameIsTheSameFile) {
    const ProgramRun run = runShell(R"(
        for format in pdf svg png; do
          "$WARPLENS" figure picture-76x62 -o a.$format
          "$WARPLENS" figure picture-76x62 -o b.$format
          cmp a.$format b.$format || exit 1
        done)");
    EXPECT_EQ(run.output + run.errors, "");
    EXPECT_EQ(run.exitCode, 0);
}

TEST(FigureCommand, AgainstAnotherLaunchDrawsBothAsTheViewThatIsAskedFor) {
    const ProgramRun run = runShell(R"(
        for view in scenario 2d sm; do
          "$WARPLENS" figure matadd-swapped --against matadd-coalesced --view $view -o $view.svg || exit 1
        done
        cmp -s scenario.svg 2d.svg && echo same
        grep -c 'limited by' 2d.svg; grep -o 'limited by [^<]*' sm.svg | wc -l
        grep -c 'as many warps on an SM' sm.svg; grep -o '64 of 64 warps' sm.svg | wc -l)");
    EXPECT_EQ(run.output, "0\n2\n1\n4\n") << run.errors;
}

TEST(FigureCommand, HasInItsCellsTheNumbersThatAreAskedFor) {
    const ProgramRun run = runShell(R"(
        for numbers in warp coordinates rank element; do
          "$WARPLENS" figure matmul-4x4 --view 2d --numbers $numbers -o a.svg || exit 1
          grep -o 'in each cell: [^<]*' a.svg; grep -c -- "--numbers $numbers" a.svg
        done
        "$WARPLENS" figure matmul-4x4 --numbers rank -o a.svg --force
        "$WARPLENS" figure matmul-4x4 --view 2d --numbers lane -o a.svg --force)");
    EXPECT_EQ(run.output,
              "in each cell: its warp, and its rank below\n1\n"
              "in each cell: the coordinates of its thread\n1\n"
              "in each cell: its rank, and its lane below\n1\n"
              "in each cell: the element it writes, and its row and column below\n1\n");
    EXPECT_NE(run.errors.find("with --view 2d"), std::string::npos) << run.errors;
    EXPECT_NE(run.errors.find("warp, coordinates, rank, element"), std::string::npos) << run.errors;
}

TEST(FigureCommand, OfBanksHasOnBothSidesTheWordsOfTheArrayByBank) {
    const ProgramRun run = runShell(R"(
        for size in 1280x720 1024x768 800x600; do
          "$WARPLENS" figure shared-banks-padded --against shared-banks --size $size -o $size.svg
          for side in '33\]: 32 words in 32 banks' '32\]: 32 words in 1 bank' '33\], a col' '32\], a col' '>lane<'; do
            grep -o "$side" $size.svg | wc -l | tr '\n' ' '
          done
          grep -o '<text[^>]*>lane<' $size.svg | grep -o ' y="[^"]*"' | sort -u | wc -l
        done)");
    std::istringstream lines(run.output);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream numbers(line);
        int padded = 0;
        int plain = 0;
        int paddedColumn = 0;
        int plainColumn = 0;
        int lanes = 0;
        int heights = 0;
        numbers >> padded >> plain >> paddedColumn >> plainColumn >> lanes >> heights;
        EXPECT_EQ(padded + paddedColumn, 1) << line;
        EXPECT_EQ(plain + plainColumn, 1) << line;
        EXPECT_EQ(lanes, 2) << line;
        EXPECT_EQ(heights, 1) << line;
    }
    EXPECT_EQ(std::ranges::count(run.output, '\n'), 3) << run.output << run.errors;
}

TEST(FigureCommand, OfAtomicsShowsWhereEachSideCounts) {
    const ProgramRun run = runShell(R"(
        "$WARPLENS" figure histogram-shared --against histogram-global -o a.svg && cat a.svg)");
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    for (
        const char* const words :
        {">×2: 2 lanes at one address<", ">×2<",
         "The right is 47.1 times as fast   ·   2,048 turns of atomics in global memory, where the "
         "left has 63,486<",
         ">63,486 turns<", ">in global memory, whole launch<", ">2,048 turns<",
         ">in global memory; lanes at one shared address add together<", ">__shared__<", "> own[<"})
        EXPECT_NE(run.output.find(words), std::string::npos) << words;
}

TEST(FigureCommand, NamesTheLanesOfFullSectorsThatAreAsSmallAsManyOthers) {
    const ProgramRun run = runShell(R"(
        "$WARPLENS" figure access-stride --set stride=8 --against 'access-stride --set stride=1' \
            -o a.svg && cat a.svg)");
    for (const char* const words : {">0–7<", ">8–15<", ">16–23<", ">24–31<", ">byte 768<"})
        EXPECT_NE(run.output.find(words), std::string::npos) << words << run.errors;
}

/// As `predict` counts: a request whose lanes do not meet has one turn.
TEST(FigureCommand, CountsTurnsOfAtomicsAsPredictDoes) {
    const ProgramRun run = runShell(R"(
        "$WARPLENS" figure histogram-aggregated --against histogram-global -o a.svg && cat a.svg
        for KEY in 'i % 32' 'i % 32 / 4'; do cat > keys.cu <<END
__global__ void direct(unsigned* bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[$KEY], 1u);
}
__global__ void apart(unsigned* bins, int n) {
    __shared__ unsigned own[32];
    if (threadIdx.x < 32) own[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&own[$KEY], 1u);
    __syncthreads();
    if (threadIdx.x < 32) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
int main() {
    unsigned* bins;
    cudaMalloc(&bins, 32 * sizeof(unsigned));
    cudaMemset(bins, 0, 32 * sizeof(unsigned));
    direct<<<4, 256>>>(bins, 1024);
    apart<<<4, 256>>>(bins, 1024);
    cudaFree(bins);
}
END
        "$WARPLENS" figure keys.cu --launch 1 --against 'keys.cu --launch 0' -o b.svg && cat b.svg
        "$WARPLENS" figure keys.cu --launch 1 --view request -o c.svg && cat c.svg; done)");
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    for (const char* const words :
         {"32,768 turns of atomics in global memory, where the left has 63,486<",
          // No two lanes meet on either side: what differs is how many there are.
          ">4 atomic requests in global memory, where the left has 32<", ">32 atomic requests<",
          ">in global memory, whole launch: no two lanes meet<",
          ">4 turns of atomics in global memory, where the left has 128<", ">128 turns<",
          // Of the numbers, not of what is drawn above them.
          "predicted from keys.cu, line 12: 4 of 4 blocks traced", ">4 turns<",
          ">Turns of global atomics<", ">Shared atomic requests<", "no lanes meet<",
          "lanes are joined<"})
        EXPECT_NE(run.output.find(words), std::string::npos) << words;
    EXPECT_EQ(run.output.find("0 turns<"), std::string::npos);
}

/// Calls in the arms of a branch diverge by the data, whatever the branch does.
TEST(FigureCommand, ComparesTheBranchThatItDraws) {
    const ProgramRun run = runShell(R"(
        for BY in '% 2' '/ 32 % 2'; do cat <<END
__global__ void kernel(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = a[i];
  if (threadIdx.x $BY == 0) { for (int k = 0; k < 64; ++k) v = sinf(v); }
  else { for (int k = 0; k < 64; ++k) v = cosf(v); }
  a[i] = v;
}
END
        done | sed '1,8s/kernel/byLane/; 9,16s/kernel/byWarp/' > arms.cu
        cat >> arms.cu <<END
int main() {
  const int n = 16384;
  static float h[n];
  for (int i = 0; i < n; ++i) h[i] = 1;
  float* a;
  cudaMalloc(&a, n * sizeof(float));
  cudaMemcpy(a, h, n * sizeof(float), cudaMemcpyHostToDevice);
  byLane<<<n / 256, 256>>>(a, n);
  byWarp<<<n / 256, 256>>>(a, n);
  cudaFree(a);
}
END
        "$WARPLENS" figure arms.cu --launch 1 --against 'arms.cu --launch 0' -o a.svg && cat a.svg)");
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    for (const char* const words :
         {">No divergent branches, where the left has 512<", ">512 divergent branches<",
          ">0 divergent branches<",
          "at line 13, in the whole launch; beside it 768 in cosf of line 14<"})
        EXPECT_NE(run.output.find(words), std::string::npos) << words;
}

TEST(FigureCommand, ComparesNothingOfLaunchesThatHaveOtherAmountsOfWork) {
    const ProgramRun run = runShell(R"(
        "$WARPLENS" figure branch-long-arms --against branch-by-warp -o a.svg && cat a.svg)");
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_NE(run.output.find("Not the same work: the left has 256 B to move, the right 8.00 MiB"),
              std::string::npos);
    EXPECT_EQ(run.output.find("times as "), std::string::npos);
    const ProgramRun same = runShell(R"(
        "$WARPLENS" figure branch-long-arms --against 'branch-long-arms --set shift=5' -o a.svg &&
        cat a.svg)");
    EXPECT_NE(same.output.find("The right is "), std::string::npos);
}

TEST(FigureCommand, OfOneKernelShowsItsCodeOnceAndWhatDiffers) {
    const ProgramRun run = runShell(R"(
        "$WARPLENS" figure branch-long-arms --against 'branch-long-arms --set shift=4' -o a.svg
        grep -c '>28<' a.svg; grep -o '>otherwise<' a.svg | wc -l; grep -c '>… ' a.svg
        "$WARPLENS" figure warp-grouping --block 16,8 --against 'warp-grouping --block 32,4' \
            -o b.svg; grep -c '__global__' b.svg; grep -o 'fill-opacity\|<rect' b.svg | wc -l)");
    EXPECT_TRUE(run.output.starts_with("1\n2\n0\n0\n")) << run.output << run.errors;
    EXPECT_GT(std::stoi(run.output.substr(8)), 200) << "two maps";
}

TEST(FigureCommand, SaysAsMuchBelowBothLaunchesAndWhatIsPredictedAlone) {
    const ProgramRun run = runShell(R"(
        "$WARPLENS" figure shared-banks-padded --against shared-banks -o a.svg
        grep -o 'loads from tile; [^<]*' a.svg
        grep -o '16.5 times[^<]*' a.svg
        "$WARPLENS" figure branch-by-warp --against branch-odd-even -o b.svg
        grep -o 'divergent branches: [^<·]*' b.svg
        grep -c 'predicted from' a.svg)");
    EXPECT_EQ(run.output,
              "loads from tile; whole launch: 17,301,504\n"
              "loads from tile; whole launch: 1,048,576\n"
              "16.5 times fewer wavefronts in the whole launch, loads and stores together\n"
              "divergent branches: predicted from the source   \n0\n")
        << run.errors;
}

TEST(FigureCommand, SaysWhatOneOfTwoLaunchesHasAndTheOtherHasNot) {
    const ProgramRun run = runShell(R"(
        "$WARPLENS" figure register-array --against local-array -o a.svg && cat a.svg
        "$WARPLENS" figure branch-by-warp --against branch-odd-even -o b.svg && cat b.svg
        "$WARPLENS" figure reduce-sequential --against reduce-interleaved -o c.svg && cat c.svg
        "$WARPLENS" figure reduce-sequential --against reduce-interleaved -o e.svg \
            --text-size 1.5 --title Sums --caption 'Half of the threads of each warp add.'
        grep -c '>some of a warp do<' e.svg
        "$WARPLENS" figure branch-loop-trips --against 'branch-loop-trips --set trips=64' -o f.svg
        grep -o '>32 requests of warp 1\|>64 requests of warp 1' f.svg
        grep -c '>while<' f.svg
        "$WARPLENS" figure access-float4 --set n=4194304 --against access-aligned -o d.svg
        cat d.svg)");
    for (const char* const words :
         {"no local memory, where the left has 64 bytes of it a thread<",
          "Equally fast: the compiler left no branch, so no warp diverges   ·   divergences by the "
          "source: 2 and 0<",
          ">A block's warps diverge 96 times: 95 in 9 iterations<",
          ">Warp 0 loads from in: 128 bytes a request<",
          ">Warp 0 loads from in: 512 bytes a request<",
          "\n2\n>64 requests of warp 1\n>32 requests "
          "of warp 1\n2\n"})
        EXPECT_NE(run.output.find(words), std::string::npos) << words << '\n' << run.errors;
}

TEST(FigureCommand, OfOneSmHasTheKernelsRegistersAndSharedMemory) {
    const ProgramRun run = runShell(R"(
        "$WARPLENS" figure reduce-sequential --view sm -o a.svg && cat a.svg
        "$WARPLENS" figure warp-grouping --view sm --against matmul-tiled -o b.svg
        grep -c 'limited by warps and registers' b.svg)");
    EXPECT_NE(run.output.find("room for 45 blocks"), std::string::npos);
    EXPECT_NE(run.output.find("12 registers a thread: as compiled for 9.0"), std::string::npos);
    EXPECT_TRUE(run.output.ends_with("</svg>\n1\n")) << "of the left side";
    const ProgramRun lesson = runShell(R"(
        "$WARPLENS" figure occupancy -o a.svg && cat a.svg
        "$WARPLENS" figure warp-grouping --view sm -o b.svg && cat b.svg)");
    for (const char* const words :
         {">Occupancy: the blocks that fit on an SM<", ">Threads into warps: occupancy<",
          ">and 1.00 KiB for CUDA<", "of 64 warps"})
        EXPECT_NE(lesson.output.find(words), std::string::npos) << words << lesson.errors;
    EXPECT_EQ(lesson.output.find("every 32 of it are a warp"), std::string::npos);
}

TEST(FigureCommand, HasNoCoverageOfALaunchWithoutElementsToCover) {
    for (const char* const command : {"figure warp-grouping -o a.svg", "describe warp-grouping"}) {
        const ProgramRun run = runShell("\"$WARPLENS\" " + std::string(command) +
                                        " --view coverage; c=$?; ls; exit $c");
        EXPECT_EQ(run.exitCode, 2) << command;
        EXPECT_EQ(run.output, "") << command;
        EXPECT_NE(run.errors.find("this one has scenario 2d 3d request sm time source"),
                  std::string::npos)
            << run.errors;
    }
    EXPECT_EQ(runShell("\"$WARPLENS\" figure picture-76x62 --view coverage -o a.svg").exitCode, 0);
}

TEST(FigureCommand, TheCommandOfASweepOrARoofIsWrittenIntoIt) {
    const ProgramRun run = runShell(R"(
        "$WARPLENS" sweep access-stride --over stride=1..4 --predict-only --theme dark -o a.svg >text
        "$WARPLENS" roofline --size 900x600 -o b.svg >text
        for picture in a b; do grep -o 'warplens [^<]*-o FILE' $picture.svg; done)");
    EXPECT_EQ(run.output,
              "warplens sweep access-stride --grid 65536 --block 256 --set n=16777216 "
              "--set stride=1 --over stride=1..4 --theme dark -o FILE\n"
              "warplens roofline --size 900x600 -o FILE\n");
    EXPECT_EQ(run.errors, "");
    EXPECT_EQ(run.exitCode, 0);
}

TEST(TableFlags, OfOccupancyAndRoofGiveTheRowsThatPeopleRead) {
    const ProgramRun run = runShell(R"(
        "$WARPLENS" occupancy --block 8,8 --cc 9.0 --csv
        "$WARPLENS" occupancy --block 8,8 --cc 9.0 --markdown
        "$WARPLENS" roofline --csv | head -1)");
    EXPECT_EQ(run.output,
              "capability,blocks,warps,occupancy,limited by\n"
              "9.0,32,64 of 64,100.0 %,\"blocks, warps and registers\"\n"
              "| capability | blocks | warps | occupancy | limited by |\n"
              "| --- | --- | --- | --- | --- |\n"
              "| 9.0 | 32 | 64 of 64 | 100.0 % | blocks, warps and registers |\n"
              "product,sizes,flop_per_access,flop_per_dram_byte,flop_per_second\n");
    EXPECT_EQ(run.exitCode, 0);
}

TEST(FigureCommand, TellsWhatItDrewAsJson) {
    const ProgramRun run = runShell(
        R"("$WARPLENS" figure warp-grouping -o f.svg --theme print --size 800x600 --json)");
    for (const char* words : {"\"scenario\": \"warp-grouping\"", "\"width\": 800",
                              "\"height\": 600", "\"theme\": \"print\"", "/f.svg\""}) {
        EXPECT_NE(run.output.find(words), std::string::npos) << words << " in " << run.output;
    }
}

/// A place that cannot be written, the script that makes it, and what is said.
struct BadPlace final {
    const char* script;
    const char* says;
};
class EveryBadPlace : public testing::TestWithParam<BadPlace> {};

TEST_P(EveryBadPlace, IsOneMessageAndLeavesNothingBehind) {
    const ProgramRun run = runShell(std::string("mkdir place && cd place && ") + GetParam().script +
                                    "; code=$?; ls -A; exit $code");
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_EQ(run.output, "");
    EXPECT_TRUE(run.errors.starts_with("warplens: ")) << run.errors;
    EXPECT_NE(run.errors.find(GetParam().says), std::string::npos) << run.errors;
    EXPECT_EQ(run.errors.find('\n'), run.errors.size() - 1) << run.errors;
}

INSTANTIATE_TEST_SUITE_P(
    FigureCommand, EveryBadPlace,
    testing::Values(
        BadPlace{"\"$WARPLENS\" figure warp-grouping -o none/f.pdf",
                 "cannot write none/f.pdf: no folder none"},
        BadPlace{"ln -s /dev/full ../full.pdf; \"$WARPLENS\" figure warp-grouping -o ../full.pdf",
                 "cannot write ../full.pdf: No space left on device"},
        // The signal that the limit sends by default would end the program before it could speak.
        BadPlace{"(trap '' XFSZ; ulimit -f 8; \"$WARPLENS\" figure warp-grouping -o f.png)",
                 "cannot write f.png: File too large"},
        BadPlace{"mkdir ../taken.svg; \"$WARPLENS\" figure warp-grouping -o ../taken.svg",
                 "cannot write ../taken.svg: it is a folder"}));

TEST(FigureCommand, KeepsTheOldFileWhenTheNewOneCannotBeWritten) {
    const ProgramRun run = runShell(R"(
        echo old >f.png
        (trap '' XFSZ; ulimit -f 8; "$WARPLENS" figure warp-grouping -o f.png 2>/dev/null)
        cat f.png; ls)");
    EXPECT_EQ(run.output, "old\nf.png\n");
}

}  // namespace
}  // namespace warplens
