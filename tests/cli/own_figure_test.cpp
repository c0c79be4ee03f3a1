// Figures of a person's own file as people ask for them.
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace warplens {
namespace {

using namespace tests;

TEST(OwnFigure, OfSeveralLaunchesSaysWhichIsDrawnAndHowToChoose) {
    const ProgramRun run = runOwn(R"("$WARPLENS" figure "$OWN" -o f.svg && cat f.svg)");
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_EQ(run.errors,
              "warplens: this is launch 0 of 2, byRow<<<4, 128>>>; --launch chooses another\n");
    EXPECT_TRUE(holds(run.output, "byRow&lt;&lt;&lt;4, 128&gt;&gt;&gt;"));
    const ProgramRun other =
        runOwn(R"("$WARPLENS" figure "$OWN" --launch 1 -o f.svg --json && cat f.svg)");
    EXPECT_EQ(other.errors, "") << "it was chosen";
    EXPECT_TRUE(holds(other.output, "\"kernel\": \"byColumn\""));
    EXPECT_TRUE(holds(other.output, "byColumn&lt;&lt;&lt;4, 128&gt;&gt;&gt;"));
    const ProgramRun none = runOwn(R"("$WARPLENS" figure "$OWN" --launch 2 -o f.svg; c=$?; ls
        exit $c)");
    EXPECT_EQ(none.exitCode, 2);
    EXPECT_EQ(none.output, "");
    EXPECT_EQ(none.errors, "warplens: --launch = 2: at most 1\n");
}

TEST(OwnFigure, HasEveryViewThatALaunchHas) {
    const ProgramRun run = runOwn(R"sh(
        for view in scenario 2d 3d request sm source; do
          "$WARPLENS" figure "$OWN" --launch 0 --view $view -o $view.svg || exit
          grep -o 'warplens figure [^<]*-o FILE' $view.svg | sed 's|/[^ ]*/||'
        done
        cmp -s scenario.svg source.svg; echo $?
        grep -cE 'registers a thread: (compiled for 9.0 by nvcc|assumed, for )' sm.svg)sh");
    EXPECT_EQ(run.errors, "");
    EXPECT_EQ(run.output,
              "warplens figure brightness.cu --launch 0 -o FILE\n"
              "warplens figure brightness.cu --launch 0 --view 2d -o FILE\n"
              "warplens figure brightness.cu --launch 0 --view 3d -o FILE\n"
              "warplens figure brightness.cu --launch 0 --view request -o FILE\n"
              "warplens figure brightness.cu --launch 0 --view sm -o FILE\n"
              "warplens figure brightness.cu --launch 0 --view source -o FILE\n"
              "1\n1\n");
    const ProgramRun time = runOwn(R"("$WARPLENS" figure "$OWN" --view time -o f.svg)");
    EXPECT_EQ(time.exitCode, 2);
    EXPECT_EQ(time.errors,
              "warplens: --view = 'time': of scenarios; of a file's launch --view sm has the model "
              "of an SM\n");
}

TEST(OwnFigure, DrawsTheStepOfTheWarpThatIsAskedFor) {
    const ProgramRun run = runOwn(R"(
        "$WARPLENS" figure "$OWN" --launch 0 --warp 3 --step 3 -o f.svg && cat f.svg)");
    EXPECT_EQ(run.errors, "");
    EXPECT_TRUE(holds(run.output, "--launch 0 --warp 3 --step 3"));
    EXPECT_TRUE(holds(run.output, "Warp 3"));
    for (const auto& [options, says] :
         {std::pair{"--warp 4", "--warp = 4: at most 3, the block's last"},
          {"--step 2000", "--step = 2000: at most 1027, the last of warp 0"},
          {"--warp 32", "--warp"},
          {"--frames", "a .pdf: the others have one page"},
          {"--frames --against matadd-swapped", "--frames = given: without --against"}}) {
        const ProgramRun bad = runOwn("\"$WARPLENS\" figure \"$OWN\" --launch 0 -o f.svg " +
                                      std::string(options) + "; c=$?; ls; exit $c");
        EXPECT_EQ(bad.exitCode, 2) << options;
        EXPECT_EQ(bad.output, "") << options;
        EXPECT_TRUE(holds(bad.errors, says));
    }
}

TEST(OwnFigure, HasAPageForEachStep) {
    const ProgramRun run = runOwn(R"(
        "$WARPLENS" figure "$MEASURED" --frames -o frames.pdf
        "$WARPLENS" figure "$MEASURED" --step 1 -o one.pdf
        test $(wc -c <frames.pdf) -gt $((8 * $(wc -c <one.pdf) / 3)) && echo larger)");
    EXPECT_EQ(run.errors, "");
    EXPECT_EQ(run.output, "larger\n");
}

TEST(OwnFigure, StandsBesideAnotherLaunchOrAScenario) {
    const ProgramRun run = runOwn(R"(
        "$WARPLENS" figure "$OWN" --launch 0 --against "$OWN --launch 1" -o own.svg
        "$WARPLENS" figure "$OWN" --launch 0 --against 'matadd-coalesced --set n=64' -o other.svg
        grep -c byColumn own.svg; grep -c 'byRow' own.svg other.svg)");
    EXPECT_EQ(run.errors, "");
    EXPECT_TRUE(run.output.find("own.svg:0") == std::string::npos) << run.output;
    EXPECT_TRUE(run.output.find("other.svg:0") == std::string::npos) << run.output;
    const ProgramRun bad =
        runOwn(R"("$WARPLENS" figure "$OWN" --launch 0 --against 'no-such' -o f.svg)");
    EXPECT_EQ(bad.exitCode, 2);
    EXPECT_TRUE(holds(bad.errors, "scenario = 'no-such'"));
}

TEST(OwnFigure, ShowsWhatWasMeasuredBesideWhatIsPredicted) {
    const ProgramRun run = runOwn(R"(
        "$WARPLENS" figure "$MEASURED" --measured "$KEPT" -o f.svg && cat f.svg)");
    EXPECT_EQ(run.errors, "");
    EXPECT_TRUE(holds(run.output, "104 requests predicted, 182 compiled, 182 counted"));
    EXPECT_TRUE(holds(run.output, "13 sectors, predicted = compiled = counted"));
    EXPECT_TRUE(holds(run.output, "the compiled code for 182"));
    EXPECT_TRUE(holds(run.output, "compiled and counted on NVIDIA H200"));
    const ProgramRun sm = runOwn(R"(
        "$WARPLENS" figure "$MEASURED" --measured "$KEPT" --view sm -o sm.svg
        grep -c assumed sm.svg; grep -c 'recorded on NVIDIA H200' sm.svg)");
    EXPECT_EQ(sm.output, "0\n1\n") << "the compiler's registers";
}

TEST(OwnFigure, TakesNoMeasurementOfAnythingElse) {
    for (const auto& [arguments, says] :
         {std::pair{R"("$OWN" --measured "$KEPT")", "must have been measured of"},
          {R"("$MEASURED" --define WIDE=1 --measured "$KEPT")", "with the same options"},
          {R"("$MEASURED" --measured none.json)", "No such file"},
          {R"("$MEASURED" --measured "$OWN")", "not JSON"},
          {R"(warp-grouping --measured "$KEPT")", "only with a .cu file"}}) {
        const ProgramRun run = runOwn("\"$WARPLENS\" figure " + std::string(arguments) +
                                      " -o f.svg; c=$?; ls; exit $c");
        EXPECT_EQ(run.exitCode, 2) << arguments;
        EXPECT_EQ(run.output, "") << arguments;
        EXPECT_TRUE(holds(run.errors, says));
    }
}

TEST(OwnFigure, HoldsOneLaunchAgainstAnotherByWhatDiffersMost) {
    const ProgramRun run = runOwn("cp '" PROGRAM_FOLDER R"sh(/transpose_tile.cu' tile.cu
        "$WARPLENS" figure tile.cu --against "$OWN --launch 0" -o pair.svg && cat pair.svg)sh");
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_TRUE(holds(run.output, "32.1 times fewer requests")) << "of the whole launch";
    EXPECT_TRUE(holds(run.output, "2 requests of warp 0 to global memory"));
}

TEST(OwnFigure, NamesTheBranchAtWhichOneSidesWarpsDivergeAndTheOthersDoNot) {
    const ProgramRun run = runOwn(R"sh(
        cat >odd.cu <<'END'
__global__ void arms(float* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (threadIdx.x % 2 == 0) {
        for (int k = 0; k < 8; k++) a[i] = a[i] * 1.5f + 1.0f;
    } else {
        a[i] = a[i] / 3.0f;
    }
}
END
        main_of 'float* a' '4000' 'arms<<<8, 128>>>(a, 1000);' >>odd.cu
        sed 's|x % 2|x / 32 % 2|' odd.cu >whole.cu
        sed 's|if (threadIdx.x % 2|int odd = threadIdx.x % 2; // parity\n    if (odd|' odd.cu >apart.cu
        sed 's|x % 2;|x / 32 % 2;|' apart.cu >together.cu
        "$WARPLENS" figure together.cu --against apart.cu -o apart.svg
        grep -c 'No divergent branches, where the left has 32\|line 5: [04] of the block' apart.svg
        "$WARPLENS" figure whole.cu --against odd.cu -o pair.svg && cat pair.svg
        "$WARPLENS" figure odd.cu -o one.svg && cat one.svg
        "$WARPLENS" figure whole.cu -o whole.svg
        grep -c 'every lane with a thread' whole.svg; grep -c 'Line [0-9]' whole.svg)sh");
    EXPECT_TRUE(holds(run.output, "No divergent branches, where the left has 32"));
    EXPECT_TRUE(holds(run.output, "0 divergent branches<"));
    EXPECT_TRUE(holds(run.output, "in the whole launch; 1 more at the guard of line 3"));
    EXPECT_TRUE(holds(run.output, ">warp 1<")) << "which takes the other path than warp 0";
    EXPECT_TRUE(holds(run.output, ">warp 3<")) << "all of the block where there is room";
    EXPECT_TRUE(holds(run.output, "predicted from whole.cu, line 4: 8 of 8 blocks traced"));
    EXPECT_TRUE(holds(run.output, "line 4: 0 of the block's 4 warps take both paths"))
        << "not the guard";
    EXPECT_TRUE(holds(run.output, "Line 4: In 32 of 32 cases some lanes of the warp go one way"));
    EXPECT_TRUE(run.output.starts_with("3\n")) << "where the condition stands apart";
    EXPECT_TRUE(run.output.ends_with("\n1\n0\n")) << "no line takes more than it must: its block";
}

TEST(OwnFigure, NamesTheBranchWhereItStandsInOneLineWithTheAccessesThatItParts) {
    const ProgramRun run = runOwn(R"sh(
        cat >lane.cu <<'END'
__global__ void arms(float* a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 2 == 0) { for (int k = 0; k < 20; ++k) a[i] = a[i] * 1.5f + 1.0f; }
    else { for (int k = 0; k < 20; ++k) a[i] = a[i] * 0.5f - 2.0f; }
}
END
        main_of 'float* a' '4096' 'arms<<<4, 256>>>(a);' >>lane.cu
        sed 's|x % 2|x / 32 % 2|' lane.cu >warp.cu
        "$WARPLENS" figure warp.cu --against lane.cu -o pair.svg && cat pair.svg
        "$WARPLENS" figure lane.cu -o one.svg && cat one.svg)sh");
    EXPECT_TRUE(holds(run.output, "No divergent branches, where the left has 32"));
    EXPECT_TRUE(holds(run.output, "both paths"));
    EXPECT_TRUE(holds(run.output, "predicted from lane.cu, line 3: 4 of 4 blocks traced"));
    EXPECT_FALSE(holds(run.output, "fewer requests"));
    EXPECT_TRUE(holds(run.output, "Line 3: In 32 of 32 cases some lanes of the warp go one way"))
        << "before what that makes its accesses cost";
}

TEST(OwnFigure, NamesWhatIsCalledWhereItGoesAnotherWayForSomeLanes) {
    const ProgramRun run = runOwn(R"sh(
        cat >lane.cu <<'END'
__global__ void arms(float* a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 2 == 0) a[i] = sinf(a[i]); else a[i] = cosf(a[i]);
}
int main() {
    float h[1024], *a;
    for (int i = 0; i < 1024; i++) h[i] = i * 0.37f;
    cudaMalloc(&a, 4096);
    cudaMemcpy(a, h, 4096, cudaMemcpyHostToDevice);
    arms<<<4, 256>>>(a);
    cudaFree(a);
}
END
        sed -e 's|x % 2|x / 32 % 2|' -e 's|; else|;\n    else|' lane.cu >warp.cu
        "$WARPLENS" figure warp.cu --against lane.cu -o pair.svg && cat pair.svg)sh");
    EXPECT_TRUE(holds(run.output, "16 in sinf of line 3, 16 in cosf of line 4"));
}

TEST(OwnFigure, CountsTheSameBranchesHoweverTheLinesAreBroken) {
    const ProgramRun run = runOwn(R"sh(
        cat >loop.cu <<'END'
__global__ void wave(float* o) {
    float x = threadIdx.x * 0.37f, s = 0;
    for (int k = 0; k < 16; ++k) s += sinf(x + k);
    o[threadIdx.x] = s;
}
END
        main_of 'float* a' '4096' 'wave<<<4, 256>>>(a);' >>loop.cu
        sed 's|++k) s|++k)\n        s|' loop.cu >broken.cu
        sed 's|for.*|s = sinf(x) + sinf(x + 1);|' loop.cu >twice.cu
        for one in loop broken; do
            "$WARPLENS" figure twice.cu --against $one.cu -o pair.svg && cat pair.svg
        done | grep -o '[0-9.]* times fewer divergent branches\|more at loops')sh");
    EXPECT_EQ(run.output, "8 times fewer divergent branches\n8 times fewer divergent branches\n")
        << run.errors;
}

TEST(OwnFigure, SaysThatTheFirstRequestsAreDrawnWhereNotAllAreKept) {
    const ProgramRun run = runOwn(R"sh(
        cat >one.cu <<'END'
__global__ void fill(float* a, int n) {
    if (threadIdx.x == 0)
        for (int i = 0; i < n; ++i) a[i] = i;
}
END
        sed -e 's|== 0|< n|' -e 's|for.*|a[threadIdx.x] = 1;|' one.cu >each.cu
        main_of 'float* a' '160000' 'fill<<<1, 256>>>(a, 40000);' | tee -a each.cu >>one.cu
        "$WARPLENS" figure each.cu --against one.cu -o pair.svg && cat pair.svg)sh");
    EXPECT_TRUE(holds(run.output, ">40,000 requests<")) << run.errors;
    EXPECT_TRUE(holds(run.output, ">the first 16,383 requests of warp 0 to global memory<"));
    EXPECT_TRUE(holds(run.output, ">1 request of warp 0 to global memory<"));
}

TEST(OwnFigure, SaysWhatTheCompilerLeavesOfWhatDiffers) {
    const ProgramRun run = runOwn(R"sh(
        cat >local.cu <<'END'
__global__ void pick(float* a) {
    int t = threadIdx.x;
    float w[16];
    for (int k = 0; k < 16; ++k) w[k] = a[t] * k;
    a[t + 256] = w[int(a[t]) & 15];
}
END
        sed 's|w.int(a.t.) & 15.|w[3]|' local.cu >folded.cu
        sed -e '3d;4d' -e 's|w\[int(a\[t\]) & 15\]|a[t]|' local.cu >none.cu
        sed -e 's|int t|float v = a[threadIdx.x]; int t|' -e 's|a\[t\] \*|v *|;s|int(a\[t\])|int(v)|' local.cu >kept.cu
        sed -e '4d' -e 's|float w.*|float v = a[t];|' -e 's|w\[.*\]|v * (int(v) \& 15)|' local.cu >made.cu
        cat >shared.cu <<'END'
__global__ void scan(float* o) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = o[t];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        float v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    o[t] = s[t];
}
END
        cat >lanes.cu <<'END'
__global__ void scan(float* o) {
    __shared__ float part[8];
    int t = threadIdx.x, l = t & 31, w = t / 32;
    float v = o[t];
    for (int d = 1; d < 32; d *= 2) {
        float u = __shfl_up_sync(~0u, v, d);
        if (l >= d) v += u;
    }
    if (l == 31) part[w] = v;
    __syncthreads();
    for (int k = 0; k < w; ++k) v += part[k];
    o[t] = v;
}
END
        cat >array.cu <<'END'
__global__ void pick(float* a) {
    int t = threadIdx.x, p = t * 5 & 7;
    float w[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) w[k] = a[t + k];
    a[t + 512] = w[p];
}
END
        sed 's|a.t + 512.*|float r = w[0];\n#pragma unroll\n    for (int k = 1; k < 8; ++k) r = k == p ? w[k] : r;\n    a[t + 512] = r;|' array.cu >chosen.cu
        for one in local none kept made folded array chosen; do
            main_of 'float* a' '4096' 'pick<<<1, 256>>>(a);' >>$one.cu
        done
        main_of 'float* a' '4096' 'scan<<<1, 256>>>(a);' | tee -a shared.cu >>lanes.cu
        for pair in 'none folded' 'none local' 'made kept' 'lanes shared' 'chosen array'; do
            set -- $pair
            "$WARPLENS" figure $1.cu --against $2.cu -o pair.svg && cat pair.svg
        done | grep -o '>[^<]*\(times fewer\|where the left\|as compiled\|in the source\)[^<]*')sh");
    EXPECT_EQ(run.output,
              ">8.5 times fewer requests; compiled: 16 on both sides\n"
              ">in the source; compiled: 16\n>in the source; compiled: 16\n"
              ">No sectors of local memory, where the left has 544\n"
              ">as compiled, in the whole launch\n>as compiled, in the whole launch\n"
              ">No sectors of local memory, where the left has 544\n"
              ">as compiled, in the whole launch\n>as compiled, in the whole launch\n"
              ">5.58 times fewer wavefronts\n"
              ">No sectors of local memory, where the left has 512\n"
              ">as compiled, in the whole launch\n>as compiled, in the whole launch\n")
        << "before requests and branches that are as many once compiled" << run.errors;
}

TEST(OwnFigure, TellsBarriersWhereNothingElseThatIsCountedDiffers) {
    const ProgramRun run = runOwn(R"sh(
        cat >block.cu <<'END'
__global__ void chain(float* a) {
    __shared__ float s[256];
    int t = threadIdx.x;
    float v = a[t];
    for (int k = 0; k < 8; ++k) {
        s[t] = v;
        __syncthreads();
        v = s[t ^ 1] * 0.5f + k;
        __syncthreads();
    }
    a[t] = v;
}
END
        sed 's/syncthreads/syncwarp/' block.cu >warp.cu
        main_of 'float* a' '1024' 'chain<<<1, 256>>>(a);' | tee -a block.cu >>warp.cu
        "$WARPLENS" figure warp.cu --against block.cu -o pair.svg && cat pair.svg)sh");
    EXPECT_TRUE(holds(run.output, ">No barriers a block, where the left has 16<")) << run.errors;
    EXPECT_TRUE(holds(run.output, ">16 barriers a block<"));
}

TEST(OwnFigure, CountsABranchThatDiffersThoughItOnlyKeepsThreadsOutAndNamesTheGuardBesideIt) {
    const ProgramRun run = runOwn(R"sh(
        cat >apart.cu <<'END'
__global__ void reduce(float* v, float* out) {
    int t = threadIdx.x;
    for (int s = 1; s < 128; s *= 2) {
        if (t % (2 * s) == 0) v[t] += v[t + s];
        __syncthreads();
    }
    if (t == 0) out[0] = v[0];
}
END
        main_of 'float* a' '1024' 'reduce<<<1, 128>>>(a, a + 128);' >>apart.cu
        sed -e 's|s = 1; s < 128; s [*]= 2|s = 64; s > 0; s /= 2|' -e 's|t % (2 [*] s) == 0|t < s|' \
            apart.cu >side.cu
        "$WARPLENS" figure side.cu --against apart.cu -o pair.svg && cat pair.svg)sh");
    EXPECT_TRUE(holds(run.output, ">5 divergent branches<")) << "of 16 lanes and fewer";
    EXPECT_TRUE(holds(run.output, "in the whole launch; 1 more at the guard of line 7"));
    EXPECT_FALSE(holds(run.output, "No divergent branches"));
    EXPECT_TRUE(holds(run.output, "it keeps lanes of 1 of the block's 4 warps out"));
    EXPECT_TRUE(holds(run.output, "it keeps lanes of 4 of the block's 4 warps out")) << "no else";
    EXPECT_FALSE(holds(run.output, "both paths"));
    EXPECT_TRUE(holds(run.output, ">no: off meanwhile<"));
}

TEST(OwnFigure, DrawsHowOftenEachLaneGoesRoundWhereALoopsTripsMakeTheDifference) {
    const ProgramRun run = runOwn(R"sh(
        cat >trips.cu <<'END'
__global__ void collatz(const int* start, int* steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int left = start[i];
    int s = 0;
    while (left > 0) {
        s += left & 1 ? 3 * s : s / 2;
        left--;
    }
    steps[i] = s;
}
int main() {
    int h[128], *d;
    cudaMalloc(&d, 1024);
    for (int i = 0; i < 128; i++) h[i] = i % 4 * 10 + 2;
    cudaMemcpy(d, h, 512, cudaMemcpyHostToDevice);
    collatz<<<2, 64>>>(d, d + 128);
    for (int i = 0; i < 128; i++) h[i] = i / 32 * 10 + (i % 32 < 30 - i / 32 ? 2 : 4);
    cudaMemcpy(d, h, 512, cudaMemcpyHostToDevice);
    collatz<<<2, 64>>>(d, d + 128);
    cudaFree(d);
}
END
        "$WARPLENS" figure trips.cu --launch 1 --against 'trips.cu --launch 0' -o p.svg && cat p.svg
        sed -e 's|30 - i / 32 ? 2 : 4|30 ? 2 : 3|' -e 's|while|#pragma unroll 1\n    while|' \
            -e 's|s += .*|if (left \& 1) __nanosleep(3); else __threadfence();|' trips.cu >odd.cu
        "$WARPLENS" figure odd.cu --launch 1 --against 'odd.cu --launch 0' -o o.svg
        grep -o '68 divergent branches, where\|; 12 more at loops\|line 7, iteration' o.svg | uniq
        "$WARPLENS" predict trips.cu --json >all.json
        grep -c '"guard": true' all.json
        grep -q '"no_else": true' all.json && echo 'one way'
        "$WARPLENS" annotate trips.cu --launch 1 | grep -o 'those that are done wait.*\|of 1 of 2 launches')sh");
    EXPECT_TRUE(holds(run.output, "of 1 of 2 launches\n"));
    EXPECT_TRUE(holds(run.output,
                      ">line 5: a warp goes round as often as its busiest lane: 32 "
                      "times<"));
    EXPECT_TRUE(holds(run.output,
                      ">line 5: a warp goes round as often as its busiest lane: 14 "
                      "times<"));
    EXPECT_TRUE(holds(run.output, ">2 to 32 times<"));
    EXPECT_TRUE(holds(run.output, ">2 to 4 times<")) << "of the first warp of the right";
    EXPECT_TRUE(holds(run.output, ">12 to 14 times<"));
    EXPECT_TRUE(holds(run.output, "; full: 32 times<")) << "on both sides";
    EXPECT_TRUE(holds(run.output, ">1,920 lane rounds lost<"))
        << "4 warps, 8 lanes, 0 + 10 + 20 + 30";
    EXPECT_TRUE(holds(run.output, ">228 lane rounds lost<")) << "30, 29, ... lanes wait twice";
    EXPECT_TRUE(holds(run.output, ">8.42 times fewer lane rounds lost<"));
    EXPECT_TRUE(holds(run.output, "; 12 more at loops\n")) << "where the loop is not what differs";
    EXPECT_TRUE(holds(run.output, "line 7, iteration\n")) << "not the loop";
    EXPECT_TRUE(holds(run.output, "68 divergent branches, where\n"));
    for (const char* other : {"both paths", "off meanwhile", "keeps lanes", "the guard of"})
        EXPECT_FALSE(holds(run.output, other)) << other;
    EXPECT_TRUE(
        run.output.ends_with("\n0\none way\nthose that are done wait for the last one\n"
                             "of 1 of 2 launches\n"))
        << "no guard, though those that go on are by chance the last";
}

TEST(OwnFigure, SaysNothingOfAGuardThatEachWarpComesToOnceBesideOneThatKeepsOutNone) {
    const ProgramRun run = runOwn(R"sh(
        cat >sum.cu <<'END'
__global__ void all(int* total, const int* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(total, in[i]);
}
__global__ void warps(int* total, const int* in, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = i < n ? in[i] : 0;
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) atomicAdd(total, v);
}
END
        main_of 'int* a' '8192' 'all<<<4, 256>>>(a, a + 1, 1024);
    warps<<<4, 256>>>(a, a + 1, 1024);' >>sum.cu
        "$WARPLENS" figure sum.cu --launch 1 --against 'sum.cu --launch 0' -o p.svg && cat p.svg
        "$WARPLENS" figure sum.cu --launch 0 --view request -o r.svg && cat r.svg)sh");
    EXPECT_TRUE(holds(run.output, "lanes are joined")) << "beside the requests of the first alone";
    EXPECT_TRUE(holds(run.output, "As many turns of atomics in global memory, 32 each: the code"));
    EXPECT_TRUE(holds(run.output, "32 lanes")) << "that meet as it is written";
    EXPECT_TRUE(holds(run.output, "of integers the assembler lets one lane do it for its warp"));
    EXPECT_TRUE(holds(run.output, "no two lanes meet")) << "of the other";
    EXPECT_FALSE(holds(run.output, "divergent branches"));
    EXPECT_FALSE(holds(run.output, "both paths"));
}

TEST(OwnFigure, ShowsAtomicsOfTheSameWarpAndRoundOnBothSidesAndHowManyLanesMeet) {
    const ProgramRun run = runOwn(R"sh(
        cat >bins.cu <<'END'
__global__ void all(const unsigned char* in, unsigned* bins) {
    for (int i = threadIdx.x; i < 1024; i += 256) atomicAdd(&bins[in[i]], 1u);
}
__global__ void block(const unsigned char* in, unsigned* bins) {
    __shared__ unsigned own[32];
    if (threadIdx.x < 32) own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < 1024; i += 256) atomicAdd(&own[in[i]], 1u);
    __syncthreads();
    if (threadIdx.x >= 224) atomicAdd(&bins[threadIdx.x - 224], own[threadIdx.x - 224]);
}
int main() {
    unsigned char h[1024], *in;
    for (int i = 0; i < 1024; i++) h[i] = i % 32 < 12 ? 3 : i % 17;
    unsigned* bins;
    cudaMalloc(&in, 1024);
    cudaMalloc(&bins, 128);
    cudaMemcpy(in, h, 1024, cudaMemcpyHostToDevice);
    cudaMemset(bins, 0, 128);
    all<<<1, 256>>>(in, bins);
    block<<<1, 256>>>(in, bins);
    cudaFree(in);
    cudaFree(bins);
}
END
        "$WARPLENS" figure bins.cu --launch 1 --against 'bins.cu --launch 0' -o p.svg && cat p.svg)sh");
    EXPECT_TRUE(holds(run.output, ">Warp 7 adds atomically to bins<"));
    EXPECT_TRUE(holds(run.output, ">Warp 7 adds atomically to own<"));
    const std::size_t first = run.output.find(">iteration 4 of 4<");
    EXPECT_TRUE(holds(run.output.substr(first + 1), ">iteration 4 of 4<"));
    EXPECT_TRUE(holds(run.output, ">×14<")) << "in the cell that the others wait for";
}

// An `if` round an atomic keeps lanes out of it: what it costs are the atomics.
TEST(OwnFigure, HoldsAtomicsThatStandBehindAnIfAgainstEachOther) {
    const ProgramRun run = runOwn(R"sh(
        cat >keep.cu <<'END'
__global__ void each(const int* in, int* out, int* count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0) {
        int at = atomicAdd(count, 1);
        out[at] = in[i];
    }
}
__global__ void warp(const int* in, int* out, int* count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    bool keep = i < n && in[i] > 0;
    unsigned mask = __ballot_sync(0xffffffffu, keep);
    int base = 0;
    if (lane == 0)
        base = atomicAdd(count, __popc(mask));
    base = __shfl_sync(0xffffffffu, base, 0);
    if (keep)
        out[base + __popc(mask & ((1u << lane) - 1))] = in[i];
}
__global__ void block(const int* in, int* out, int* count, int n) {
    __shared__ int local, base;
    if (threadIdx.x == 0) local = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x, d = in[i];
    bool keep = d > 2 || d < -2;
    int k = 0;
    if (keep) k = atomicAdd(&local, 1);
    __syncthreads();
    if (threadIdx.x == 0) base = atomicAdd(count, local);
    __syncthreads();
    if (keep) out[base + k] = in[i];
}
int main() {
    int h[4096], *in, *out, *count;
    for (int i = 0; i < 4096; i++) h[i] = i * 7919 % 13 - 6;
    cudaMalloc(&in, 16384); cudaMalloc(&out, 16384); cudaMalloc(&count, 4);
    cudaMemcpy(in, h, 16384, cudaMemcpyHostToDevice);
    cudaMemset(count, 0, 4);
    each<<<16, 256>>>(in, out, count, 4096);
    cudaMemset(count, 0, 4);
    warp<<<16, 256>>>(in, out, count, 4096);
    cudaMemset(count, 0, 4);
    block<<<16, 256>>>(in, out, count, 4096);
    cudaFree(in); cudaFree(out); cudaFree(count);
}
END
        "$WARPLENS" figure keep.cu --launch 1 --against 'keep.cu --launch 0' -o w.svg && cat w.svg
        "$WARPLENS" figure keep.cu --launch 2 --against 'keep.cu --launch 0' -o b.svg && cat b.svg
        )sh");
    EXPECT_TRUE(holds(run.output, "As many turns of atomics in global memory, 128 each: the code"));
    EXPECT_TRUE(holds(run.output, "of integers the assembler lets one lane do it for its warp"));
    EXPECT_TRUE(holds(run.output, " (lane == ")) << "what lets one lane come to it";
    EXPECT_TRUE(holds(run.output, "16 atomic requests in global memory, where the left has 128"));
    EXPECT_TRUE(holds(run.output, "base = atomicAdd(count, local)"));
    EXPECT_FALSE(holds(run.output, "divergent branch"));
    EXPECT_FALSE(holds(run.output, "both paths"));
}

TEST(OwnFigure, SaysOfWhichPartOfAConditionItIs) {
    const ProgramRun run = runOwn(R"sh(
        cat >or.cu <<'END'
__global__ void arms(float* a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float d = a[i];
    if (d > 40 || d < -40) {
        for (int k = 0; k < 8; k++) a[i] = a[i] * 1.5f + 1.0f;
    } else {
        a[i] = d / 3.0f;
    }
}
int main() {
    float h[1024], *a;
    for (int i = 0; i < 1024; i++) h[i] = i % 3 * 60 - 60;
    cudaMalloc(&a, 4096);
    cudaMemcpy(a, h, 4096, cudaMemcpyHostToDevice);
    arms<<<8, 128>>>(a);
    cudaFree(a);
}
END
        sed 's/d > 40 || d < -40/d > 400 || d < -400/' or.cu >none.cu
        "$WARPLENS" figure none.cu --against or.cu -o p.svg && cat p.svg
        "$WARPLENS" figure none.cu --against or.cu -o p.svg --text-size 1.5 --title Warps \
            --caption 'Left, then right.'
        cat >cases.cu <<'END'
__global__ void cases(float* a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = a[i];
    switch (threadIdx.x % 4) {
    case 0: for (int k = 0; k < 20; k++) v = v * 1.01f + 1.0f; break;
    case 1: for (int k = 0; k < 20; k++) v = v * v - 0.5f; break;
    case 2: v = sqrtf(v); break;
    default: v = v / 3.0f;
    }
    a[i] = v;
}
END
        main_of 'float* a' '4096' 'cases<<<8, 128>>>(a);' >>cases.cu
        sed 's|x % 4|x / 32 % 4|' cases.cu >warps.cu
        "$WARPLENS" figure warps.cu --against cases.cu -o c.svg && cat c.svg)sh");
    for (const char* way :
         {">case 0<", ">case 1<", ">case 2<", ">default<", ">4 paths<", ">one path<"})
        EXPECT_TRUE(holds(run.output, way)) << way;
    EXPECT_TRUE(holds(run.output, "line 4: 4 of the block's 4 warps take 4 paths, one after the"));
    EXPECT_TRUE(holds(run.output, "4 paths part 3 times in each of 32 warps of the launch"));
    EXPECT_TRUE(holds(run.output, "line 4: each warp takes one path"));
    EXPECT_TRUE(
        holds(run.output, "line 4, decision 1 of 2: 4 of the block's 4 warps take both paths"));
    EXPECT_TRUE(run.errors.starts_with(
        "warplens: --text-size = 1.5 leaves the pictures no room: drawn with 1."))
        << run.errors;
}

TEST(OwnFigure, DrawsAChainOfConditionsByItsWaysAndALoopOfSeveralByItsRounds) {
    const ProgramRun run = runOwn(R"sh(
        cat >kinds.cu <<'END'
__global__ void kinds(const int* k, float* a) {
    int i = threadIdx.x;
    if (i >= 128) return;
    float v = a[i];
    if (k[i] == 0) v = sqrtf(v);
    else if (k[i] == 1 && v >= 0) v = v * v;
    else if (k[i] == 2) v = v / 3;
    else v = 1;
    a[i] = v;
}
int main() {
    int h[128], *d;
    float* a;
    cudaMalloc(&d, 512);
    cudaMalloc(&a, 512);
    cudaMemset(a, 0, 512);
    for (int i = 0; i < 128; i++) h[i] = i % 4;
    cudaMemcpy(d, h, 512, cudaMemcpyHostToDevice);
    kinds<<<1, 128>>>(d, a);
    cudaFree(d);
    cudaFree(a);
}
END
        sed 's|i % 4|i / 32|' kinds.cu >sorted.cu
        "$WARPLENS" figure kinds.cu --against sorted.cu -o k.svg && cat k.svg
        "$WARPLENS" figure kinds.cu --view request --step 4 -o one.svg && grep -c 'lines 5 to 7: 4 of' one.svg
        sed '6,8d; s|if (k\[i\] == 0) .*|for (int s = 0; s < 9 \&\& k[(i + s) % 128] > s; ++s) v += 1;|' \
            kinds.cu >loop.cu
        sed 's|i % 4|9|' loop.cu >even.cu
        "$WARPLENS" figure loop.cu --against even.cu -o l.svg && cat l.svg)sh");
    for (const char* way : {">k[i] == 0<", ">k[i] == 1 &amp;&amp; v &gt;= 0<", ">k[i] == 2<",
                            ">else<", ">4 paths<", ">one path<"})
        EXPECT_TRUE(holds(run.output, way)) << way;
    EXPECT_TRUE(holds(run.output, ">lines 5 to 7: each warp takes one path<")) << "not the guard";
    EXPECT_TRUE(holds(run.output, ">lines 5 to 7: 4 of the block's 4 warps take 4 paths"));
    EXPECT_TRUE(holds(run.output, "\n1\n")) << "alone, too";
    EXPECT_TRUE(holds(run.output, ">each 9 times<"));
    EXPECT_TRUE(holds(run.output, ">0 to 3 times<"));
}

TEST(OwnFigure, TellsOfALoopOfOneSideAloneNoMoreThanOfItsMemory) {
    const ProgramRun run = runOwn(R"sh(
        cat >plain.cu <<'END'
__global__ void blur(const float* in, float* out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    out[y * w + x] = 0.2f * (in[y * w + x] + in[y * w + x - 1] + in[y * w + x + 1] +
                             in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}
int main() {
    const int w = 256, h = 128;
    float *a, *b;
    cudaMalloc(&a, w * h * 4); cudaMalloc(&b, w * h * 4);
    cudaMemset(a, 0, w * h * 4);
    blur<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(a, b, w, h);
    cudaDeviceSynchronize();
    cudaFree(a); cudaFree(b);
}
END
        cat >tiled.cu <<'END'
__global__ void blur(const float* in, float* out, int w, int h) {
    __shared__ float tile[10][34];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 8 + threadIdx.y;
    for (int r = threadIdx.y; r < 10; r += 8)
        for (int c = threadIdx.x; c < 34; c += 32) {
            int gx = min(max((int)(blockIdx.x * 32 + c) - 1, 0), w - 1);
            int gy = min(max((int)(blockIdx.y * 8 + r) - 1, 0), h - 1);
            tile[r][c] = in[gy * w + gx];
        }
    __syncthreads();
    if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    out[y * w + x] = 0.2f * (tile[ty][tx] + tile[ty][tx - 1] + tile[ty][tx + 1] +
                             tile[ty - 1][tx] + tile[ty + 1][tx]);
}
END
        sed -n '/int main/,$p' plain.cu >>tiled.cu
        "$WARPLENS" figure tiled.cu --against plain.cu -o t.svg && cat t.svg)sh");
    EXPECT_TRUE(holds(run.output, "times fewer requests<")) << run.errors;
    EXPECT_TRUE(holds(run.output, "predicted from plain.cu, launched in line 13: 128 of 128"));
    EXPECT_TRUE(holds(run.output, ">6 requests of warp 1 to global memory<"))
        << "of warp 0 all lanes leave at the guard";
    EXPECT_TRUE(holds(run.output, ">5 requests of warp 1 to global memory<"));
    EXPECT_FALSE(holds(run.output, "lane rounds lost"));
}

TEST(OwnFigure, ShowsTheLineThatItDrawsThoughOthersWereChanged) {
    const ProgramRun run = runOwn(R"sh(
        cat >rows.cu <<'END'
__global__ void threads(const int* first, const float* val, float* y, int rows) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float s = 0;
    for (int k = first[r]; k < first[r + 1]; k++)
        s += val[k];
    y[r] = s;
}
__global__ void warps(const int* first, const float* val, float* y, int rows) {
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    float s = 0;
    for (int k = first[r] + lane; k < first[r + 1]; k += 32)
        s += val[k];
    for (int o = 16; o; o /= 2) s += __shfl_down_sync(~0u, s, o);
    if (lane == 0) y[r] = s;
}
int main() {
    int h[257], *first;
    float *val, *y;
    for (int i = 0; i < 257; i++) h[i] = 40 * i;
    cudaMalloc(&first, 1028); cudaMalloc(&val, 40960); cudaMalloc(&y, 1024);
    cudaMemcpy(first, h, 1028, cudaMemcpyHostToDevice);
    cudaMemset(val, 0, 40960);
    threads<<<2, 128>>>(first, val, y, 256);
    warps<<<64, 128>>>(first, val, y, 256);
    cudaFree(first); cudaFree(val); cudaFree(y);
}
END
        "$WARPLENS" figure rows.cu --launch 1 --against 'rows.cu --launch 0' -o p.svg
        grep -c 's += val.k.;' p.svg; grep -o 'Warp 0 loads from val' p.svg)sh");
    EXPECT_EQ(run.output, "2\nWarp 0 loads from val\nWarp 0 loads from val\n") << run.errors;
}

// Warp 0 is drawn, whose requests cost the same; other warps of the right launch ask for more.
TEST(OwnFigure, ColoursNoNumbersThatReadAlikeWhereOnlyTheWholeLaunchesDiffer) {
    const ProgramRun run = runOwn(R"sh(
        cat >alike.cu <<'END'
__global__ void copy(const float* a, float* c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[STEP * i];
}
END
        main_of 'float* a' '36864' 'copy<<<8, 256>>>(a, a + 4096);' >>alike.cu
        sed 's|STEP . i|i < 256 ? i : 2 * i|' alike.cu >blocks.cu
        sed 's|STEP . i|i < 128 ? i : 2 * i|' alike.cu >warps.cu
        for step in 1 2; do sed "s|STEP|$step|" alike.cu >step$step.cu; done
        for other in blocks step2 warps; do
          "$WARPLENS" figure step1.cu --against $other.cu -o pair.svg || exit 1
          grep -o '>[0-9]* sectors<' pair.svg
          grep -o '<text[^>]*>[0-9]* sectors<' pair.svg | grep -o 'fill="[^"]*"' | sort -u | wc -l
        done)sh");
    EXPECT_TRUE(holds(run.output, "sectors")) << run.errors;
    EXPECT_TRUE(holds(run.output, "\n1\n")) << run.output;
    EXPECT_TRUE(run.output.ends_with("\n2\n>8 sectors<\n>4 sectors<\n2\n"))
        << "of a warp that has more: " << run.output;
}

TEST(OwnFigure, OfALongKernelKeepsWhatCostsAndTheLastBrace) {
    const ProgramRun run = runOwn(R"sh(
        { echo '__global__ void longOne(float* a) {'; echo '    float v = a[threadIdx.x * 8];'
          for i in $(seq 50); do echo '    v = v * 1.5f + 1;'; done
          printf '    a[threadIdx.x] = v;\n}\nint main() {\n    float* a;\n    cudaMalloc(&a, 4096);\n'
          printf '    cudaMemset(a, 0, 4096);\n    longOne<<<1, 128>>>(a);\n    cudaFree(a);\n}\n'
        } >long.cu
        "$WARPLENS" figure long.cu -o f.svg && grep -o '>… [^<]*<\|16 sectors, [^<]*\|>54<' f.svg)sh");
    EXPECT_TRUE(holds(run.output, "… "));
    EXPECT_TRUE(holds(run.output, "16 sectors, 16 would do")) << "of the store";
    EXPECT_TRUE(holds(run.output, ">54<")) << "the brace";
    EXPECT_EQ(run.output.find("… and"), std::string::npos) << run.output;
}

TEST(OwnFigure, SaysOfALineWhatItsWorstAccessCosts) {
    const ProgramRun run = runOwn(R"sh(
        cat >naive.cu <<'END'
__global__ void turn(const float* in, float* out, int n) {
    int x = threadIdx.x, y = blockIdx.x;
    out[x * n + y] = in[y * n + x];
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 4096);
    cudaMemset(in, 0, 4096);
    cudaMalloc(&out, 4096);
    turn<<<32, 32>>>(in, out, 32);
    cudaFree(in);
    cudaFree(out);
}
END
        "$WARPLENS" figure naive.cu -o f.svg && cat f.svg)sh");
    EXPECT_EQ(run.errors, "");
    EXPECT_TRUE(holds(run.output, "Line 3: The stores of a warp access bytes that lie in 32.00"));
    EXPECT_TRUE(holds(run.output, "1,152 sectors, 256 would do"));
}

TEST(OwnFigure, DrawsNoCompiledCountsBesideWhatIsWritten) {
    const ProgramRun run = runShell(
        "printf '__global__ void k(int* a) { a[threadIdx.x] = 1; }\\n' > k.cu; \"$WARPLENS\" "
        "figure k.cu --against 'k.cu --block 64' --source compiled -o k.svg");
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_NE(run.errors.find("--source = 'compiled'"), std::string::npos) << run.errors;
}

TEST(OwnFigure, HoldsTheSameAccessOfTwoFilesAgainstEachOther) {
    const ProgramRun run = runOwn(R"sh(
        cat >naive.cu <<'END'
#define N 256
__global__ void turn(const float* in, float* out) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    out[x * N + y] = in[y * N + x];
}
int main() {
    float *a, *b;
    cudaMalloc(&a, N * N * 4);
    cudaMalloc(&b, N * N * 4);
    cudaMemset(a, 0, N * N * 4);
    turn<<<dim3(8, 8), dim3(32, 32)>>>(a, b);
    cudaFree(a);
    cudaFree(b);
}
END
        sed -e '4d' -e 's/turn/tiled/;3a\
    __shared__ float tile[32][33];\
    tile[threadIdx.y][threadIdx.x] = in[y * N + x];\
    __syncthreads();\
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;\
    out[y * N + x] = tile[threadIdx.x][threadIdx.y];' naive.cu >tiled.cu
        "$WARPLENS" figure tiled.cu --against naive.cu -o f.svg && cat f.svg
        "$WARPLENS" figure naive.cu --against 'naive.cu -DX=1' -o g.svg && cat g.svg
        sed 's/33/32 + PAD/' tiled.cu >pad.cu
        "$WARPLENS" figure pad.cu -D PAD=1 --against 'pad.cu -D PAD=0' -o p.svg
        grep -o '>[^<]*PAD[^<]*<' p.svg
        { printf '#ifndef WIDER\n#define WIDER 0\n#endif\n'; sed 's/PAD/WIDER/' pad.cu; } >own.cu
        "$WARPLENS" figure own.cu -D WIDER=1 --against own.cu -o q.svg
        grep -o '[^<]*WIDER = [^<]*<' q.svg
        sed 's/33/32/' tiled.cu >conflict.cu
        "$WARPLENS" figure conflict.cu --against naive.cu -o h.svg
        grep -c 'also loads from' f.svg; grep -o 'Line [0-9]* also loads from [^<]*' h.svg)sh");
    EXPECT_EQ(run.errors, "");
    EXPECT_TRUE(run.output.ends_with("0\nLine 8 also loads from tile: 32 wavefronts, fewest 1\n"))
        << "what the side with fewer sectors costs more of";
    EXPECT_TRUE(holds(run.output,
                      "4.5 times fewer sectors in the whole launch, loads and stores together"));
    EXPECT_TRUE(holds(run.output, ">… 1 line<")) << "between those of the tile that are shown";
    EXPECT_TRUE(holds(run.output, ">turn, naive.cu, X = 1<"));
    EXPECT_TRUE(holds(run.output, "without X = 1<"));
    EXPECT_TRUE(
        holds(run.output, ">tiled, pad.cu, PAD = 0<\n> + PAD];<\n>tiled, pad.cu, PAD = 1<\n"))
        << "the line stands there that the macro changes";
    EXPECT_TRUE(holds(run.output, "   WIDER = 0<")) << "as the file has it";
    EXPECT_TRUE(holds(run.output, "naive.cu"));
    EXPECT_TRUE(holds(run.output, "tiled.cu"));
    EXPECT_TRUE(holds(run.output, "Warp 0 stores to out: 12.5 % of the bytes are used"));
    EXPECT_TRUE(holds(run.output, "Warp 0 stores to out: 100.0 % of the bytes are used"));
    EXPECT_FALSE(holds(run.output, "&lt;&lt;&lt;dim3(8, 8), dim3(32, 32)&gt;&gt;&gt;(a, b)"));
}

// Both compile; the assembler lets one lane add a constant for all, and not what differs by lane.
TEST(OwnFigure, DrawsTheChangedLineOnBothSides) {
    const ProgramRun run = runShell(R"sh(
        cat > sum.cu <<'END'
__global__ void count(const unsigned char* data, unsigned* bins, int n) {
    __shared__ unsigned local[256];
    local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}
int main() {
    unsigned char* d;
    unsigned* b;
    cudaMalloc(&d, 4096);
    cudaMalloc(&b, 1024);
    cudaMemset(d, 7, 4096);
    cudaMemset(b, 0, 1024);
    count<<<4, 256>>>(d, b, 4096);
    cudaFree(d);
    cudaFree(b);
}
END
        sed 's/1u);/(unsigned)i \& 3u);/' sum.cu > lanes.cu
        "$WARPLENS" figure lanes.cu --against sum.cu -o f.svg && cat f.svg
        "$WARPLENS" figure lanes.cu --view source --against sum.cu -o s.svg && cat s.svg)sh");
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_TRUE(holds(run.output, ">1 wavefront<"));
    EXPECT_TRUE(holds(run.output, ">32 wavefronts<"));
    EXPECT_TRUE(holds(run.output, ">predicted from sum.cu, line 6: 4 of 4 blocks traced"));
    EXPECT_TRUE(holds(run.output, "predicted from lanes.cu, line 6: 4 of 4 blocks traced<"));
    EXPECT_FALSE(holds(run.output, "loads from local")) << "of line 8";
    EXPECT_TRUE(holds(run.output, ">32 wavefronts, fewest 1<")) << "beside the source's line";
}

TEST(OwnFigure, DrawsOfEachSideARequestOfTheWarpThatWasAskedForOrOfOneThatHasAny) {
    const ProgramRun run = runOwn(R"sh(
        cat >rows.cu <<'END'
__global__ void inner(float* a, int first) {
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (i / 32 < first) return;
    a[i] = a[4096 + i * 8];
}
END
        sed 's|i [*] 8|i|' rows.cu >even.cu
        main_of 'float* a' '65536' 'inner<<<2, 128>>>(a, 1);' >>rows.cu
        main_of 'float* a' '65536' 'inner<<<2, 128>>>(a, 3);' >>even.cu
        "$WARPLENS" figure even.cu --against rows.cu --warp 2 -o pair.svg
        grep -o '>Warp . loads[^<]*\|>[0-9]* sectors<' pair.svg)sh");
    EXPECT_EQ(run.output,
              ">32 sectors<\n>Warp 2 loads from a: 12.5 % of the bytes are used\n"
              ">4 sectors<\n>Warp 3 loads from a: 100.0 % of the bytes are used\n")
        << run.errors;
}

TEST(OwnFigure, SaysWhichLaunchOfSeveralItIsAndCutsALineThatHasNoRoom) {
    const ProgramRun run = runOwn(R"sh(
        cat >once.cu <<'END'
__global__ void step(float* x) { int i = blockIdx.x * blockDim.x + threadIdx.x; float v = x[i]; for (int k = 0; k < 20; ++k) v = 0.5f * v + 1; x[i] = v; }
END
        sed 's|float v.*|x[i] = 0.5f * x[i] + 1; /* one step of those that the program launches, each from the one before it, in the order of the stream */ }|' once.cu >many.cu
        main_of 'float* a' '65536' 'step<<<16, 256>>>(a);' >>once.cu
        main_of 'float* a' '65536' 'for (int k = 0; k < 20; ++k) step<<<16, 256>>>(a);' >>many.cu
        "$WARPLENS" figure many.cu --against once.cu --text-size 1.5 -o pair.svg 2>said
        grep -o 'launch 0 of 20<\|…<' pair.svg | sort)sh");
    EXPECT_EQ(run.output, "launch 0 of 20<\n…<\n…<\n") << run.errors;
}

TEST(OwnFigure, DrawsTheSmWhereNothingButTheWarpsOnItDiffers) {
    const ProgramRun run = runOwn(R"sh(
        cat >kept.cu <<'END'
__global__ void reverse(float* a) {
    __shared__ float s[12000];
    int t = threadIdx.x, b = blockIdx.x * 128;
    s[t] = a[b + t];
    __syncthreads();
    a[b + t] = s[127 - t];
}
END
        sed 's|12000|128|' kept.cu >used.cu
        main_of 'float* a' '512 * 600' 'reverse<<<600, 128>>>(a);' | tee -a kept.cu >>used.cu
        "$WARPLENS" figure used.cu --against kept.cu -o pair.svg
        "$WARPLENS" figure used.cu --against kept.cu --warp 0 -o warp.svg
        grep -oh '>[^<]*\(warps on an SM\|of 64 warps\|the code differs\)<' pair.svg warp.svg)sh");
    EXPECT_EQ(run.output,
              ">1.25 times as many warps on an SM<\n>16 of 64 warps<\n>20 of 64 warps<\n"
              ">The same requests and branches: the code differs<\n")
        << run.errors;
}

TEST(OwnFigure, TellsTwoLaunchesOfOneFileApart) {
    const ProgramRun run = runOwn(R"sh(
        cat > stride.cu <<'END'
__global__ void stride(float* a, int s) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * s;
    a[i] = a[i] + 1;
}
END
        main_of 'float* a' '8 * 4 * 1024' 'stride<<<4, 256>>>(a, 1);
    stride<<<4, 256>>>(a, 8);' >>stride.cu
        "$WARPLENS" figure stride.cu --launch 1 --against 'stride.cu --launch 0' -o f.svg
        cat f.svg)sh");
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_TRUE(holds(run.output, ">stride, stride.cu, s = 1<"));
    EXPECT_TRUE(holds(run.output, ">stride, stride.cu, s = 8<"));
    EXPECT_TRUE(holds(run.output, "   launch 1<"));
}

// What an SM has room for is not what a launch has for it.
TEST(OwnFigure, FillsAnSmWithTheBlocksOfTheLaunchAlone) {
    const ProgramRun run = runShell(R"sh(
        "$WARPLENS" figure latency-hiding --view sm -o f.svg && cat f.svg
        "$WARPLENS" figure latency-hiding --view sm --grid 132 --against latency-hiding -o g.svg
        cat g.svg)sh");
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    for (const char* const words :
         {">This launch has 8 blocks for each SM, 16 of 64 warps: 25.0 % occupancy<",
          ">Room for 32 blocks, limited by blocks and warps; 1,056 blocks on the 132 SMs of NVIDIA "
          "H200<",
          ">counted  ·  at most 25.0 %<", ">2 of 64 warps<", ">16 of 64 warps<"})
        EXPECT_TRUE(holds(run.output, words)) << words;
}

}  // namespace
TEST(OwnFigure, ComparesNothingOfLaunchesThatMoveOtherAmounts) {
    const ProgramRun run = runOwn(R"(cat > two.cu <<'end'
__global__ void twice(float* a, int n, int s) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * s;
    if (i < n) a[i] = 2 * a[i];
}
end
        main_of 'float* a' '65536 * 4' 'twice<<<256, 256>>>(a, 65536, 1);
    twice<<<32, 256>>>(a, 65536, 8);' >>two.cu
        "$WARPLENS" figure two.cu --launch 1 --against 'two.cu --launch 0' -o a.svg && cat a.svg)");
    EXPECT_TRUE(holds(run.output, "Not the same work: the left has 512 KiB to move, the right 64"))
        << run.output << run.errors;
}

}  // namespace warplens
