// What `explain` and `annotate` tell of a person's own file.
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace warplens {
namespace {

using namespace tests;

TEST(OwnAnnotate, ShowsWhatWasMeasuredBesideWhatIsPredicted) {
    const ProgramRun run = runOwn(R"("$WARPLENS" annotate "$MEASURED" --measured "$KEPT")");
    EXPECT_EQ(run.errors, "");
    EXPECT_TRUE(holds(run.output, "104 requests predicted, 182 compiled, 182 counted"));
    EXPECT_TRUE(
        holds(run.output, "!   the source asks for 104 requests, the compiled code for 182"));
    const ProgramRun html =
        runOwn(R"("$WARPLENS" annotate "$MEASURED" --measured "$KEPT" -o html)");
    EXPECT_TRUE(holds(html.output, "13 sectors, predicted = compiled = counted"));
    const ProgramRun plain = runOwn(R"("$WARPLENS" annotate "$MEASURED")");
    EXPECT_TRUE(holds(plain.output, "13 of 65 branches diverge"));
    EXPECT_EQ(plain.output.find("counted"), std::string::npos);
    EXPECT_EQ(runOwn(R"("$WARPLENS" annotate "$OWN" --measured "$KEPT")").exitCode, 2);
}

TEST(OwnAnnotate, SaysWhereItCannotCompile) {
    const ProgramRun run =
        runOwn(R"(: >full; XDG_CACHE_HOME=$PWD/full "$WARPLENS" annotate "$OWN")");
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_TRUE(holds(run.errors, "full/warplens': Not a directory; XDG_CACHE_HOME may"));
}

TEST(OwnAnnotate, TakesAnyNameAndAByteOrderMark) {
    const ProgramRun run = runOwn(
        R"(printf '\357\273\277' >'größe "1".cu' && cat "$OWN" >>'größe "1".cu' &&
           "$WARPLENS" annotate 'größe "1".cu' && "$WARPLENS" predict 'größe "1".cu')");
    EXPECT_EQ(run.errors, "");
    EXPECT_TRUE(holds(run.output, "\n=   262,144 sectors (32,768 at best)\n?   "));
    EXPECT_TRUE(run.output.starts_with("1   #include <cstdio>\n"));
    EXPECT_TRUE(holds(run.output, "  größe \"1\".cu:11:"));
}

TEST(OwnExplain, TriesWhyTheCompiledCodeAsksForSomethingElse) {
    const ProgramRun run = runOwn(R"sh(cat >columns.cu <<'END'
__global__ void columns(const float* matrix, float* sums, int rows, int width) {
    const int column = threadIdx.x;
    float sum = 0;
    for (int row = 0; row < rows - column % 3; ++row) sum += matrix[row * width + column];
    sums[column] = sum;
    sums[column] = sum + 1;
}
int main() {
    float *matrix, *sums;
    cudaMalloc(&matrix, 13 * 64 * sizeof(float));
    cudaMalloc(&sums, 64 * sizeof(float));
    cudaMemset(matrix, 0, 13 * 64 * sizeof(float));
    columns<<<1, 64>>>(matrix, sums, 13, 64);
    cudaFree(matrix);
    cudaFree(sums);
}
END
"$WARPLENS" explain columns.cu && "$WARPLENS" explain columns.cu:5 --json)sh");
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_TRUE(holds(run.output,
                      "columns.cu:4: load in columns as compiled\n"
                      "  the source asks for 26 requests, the compiled code for "));
    EXPECT_TRUE(holds(run.output,
                      "  tried: with #pragma unroll 1 on the loops around the line: 26 "
                      "compiled\n    ld.global"));
    EXPECT_TRUE(holds(run.output,
                      "columns.cu:5: store in columns as compiled\n"
                      "  the source asks for 2 requests, the compiled code for 0: "));
    EXPECT_TRUE(holds(run.output, "\"cause\": \"removed_accesses\""));
}

TEST(OwnExplain, NamesOfALineTheCostliestFirstAndWhatItCallsOnALineOfItsOwn) {
    const ProgramRun run = runOwn(R"sh(
        cat >both.cu <<'END'
__device__ float f(const float* p, int i) { return p[i] * 2; }
__global__ void sum(float* out, const float* a, const float* b) {
    int i = threadIdx.x;
    out[i] = a[i] + b[32 * i];
}
__global__ void call(float* out, const float* a, const float* b) {
    int i = threadIdx.x;
    out[i] = f(a, i) + f(b, 32 * i);
}
int main() {
    float *out, *a, *b;
    for (float** each : {&out, &a, &b}) cudaMalloc(each, 16384), cudaMemset(*each, 0, 16384);
    sum<<<1, 128>>>(out, a, b);
    call<<<1, 128>>>(out, a, b);
}
END
"$WARPLENS" explain both.cu:4 --no-remedies; "$WARPLENS" explain both.cu:8 --no-remedies)sh");
    EXPECT_TRUE(run.output.starts_with("both.cu:4: load of b in sum")) << run.output;
    EXPECT_TRUE(holds(run.output, "both.cu:1: load of b in call")) << run.output;
}

TEST(OwnExplain, SaysInHowManyLaunchesALineIs) {
    const ProgramRun run = runOwn(R"sh(
        cat >steps.cu <<'END'
__global__ void step(float* a, float* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[2 * i] = a[2 * i + 1] + a[2 * i];
}
__global__ void part(float* b) {
    b[8 * threadIdx.x] = 1;
}
int main() {
    float* a;
    cudaMalloc(&a, 8192);
    cudaMemset(a, 0, 8192);
    for (int i = 0; i < 3; ++i) step<<<1, 128>>>(a, a + 1024, 128);
    for (int i = 1; i < 3; ++i) part<<<1, 32 * i>>>(a);
    cudaFree(a);
}
END
"$WARPLENS" explain steps.cu --no-remedies; "$WARPLENS" explain steps.cu --no-remedies --json)sh");
    EXPECT_TRUE(holds(run.output, "in step <<<1, 128>>>, in each of 3 launches\n"));
    EXPECT_TRUE(holds(run.output, "\"launches\": 3,"));
    EXPECT_TRUE(
        holds(run.output, "store of b in part <<<1, 64>>>, in the costliest of 2 launches\n"));
}

constexpr const char* transposeText = R"cu(
__global__ void transpose(float* out, const float* in, int n) {
    int x = threadIdx.x, y = threadIdx.y;
    out[x * n + y] = in[y * n + x];
    out[x * n + y] += 1;
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 4096);
    cudaMalloc(&out, 4096);
    cudaMemset(in, 0, 4096);
    transpose<<<1, dim3(32, 32)>>>(out, in, 32);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
)cu";

TEST(OwnAnnotate, TellsLoadsAndStoresApartWhereTheyDiffer) {
    const ProgramRun run =
        runOwn(std::string("cat > t.cu <<'E'") + transposeText + "E\n\"$WARPLENS\" annotate t.cu");
    EXPECT_EQ(run.errors, "");
    EXPECT_TRUE(
        holds(run.output,
              "\n3   "
              "    out[x * n + y] = in[y * n + x];\n"
              "=   1,152 sectors (256 at best), loads 4, stores 32 a request; compiled: 128 "
              "sectors (128 at best)\n"))
        << run.output;
    EXPECT_TRUE(holds(run.output,
                      "\n?   why compiled code asks for something else: warplens explain t.cu:3\n"))
        << run.output;
    EXPECT_FALSE(holds(run.output, "loads 32, stores 32")) << "only where they differ";
    std::istringstream lines(run.output);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << line;
    const ProgramRun html = runOwn(std::string("cat > t.cu <<'E'") + transposeText +
                                   "E\n\"$WARPLENS\" annotate t.cu -o html");
    EXPECT_TRUE(holds(html.output, "loads 4, stores 32 a request"));
    const ProgramRun figure = runOwn(std::string("cat > t.cu <<'E'") + transposeText +
                                     "E\n\"$WARPLENS\" figure t.cu -o t.svg && cat t.svg");
    EXPECT_TRUE(holds(figure.output, "loads 4, stores 32 a request"));
}

TEST(OwnExplain, ExplainsALineBesideKernelsOfALibrary) {
    const ProgramRun run = runOwn(R"(cat > lib.cu <<'E'
#include <thrust/device_vector.h>
#include <thrust/sort.h>
__global__ void spread(int* v) { v[8 * threadIdx.x] = threadIdx.x; }
int main() {
    thrust::device_vector<int> d(3001);
    spread<<<1, 64>>>(thrust::raw_pointer_cast(d.data()));
    thrust::sort(d.begin(), d.end());
}
E
"$WARPLENS" explain lib.cu:3 --no-remedies)");
    EXPECT_EQ(run.errors, "");
    EXPECT_TRUE(holds(run.output, "lib.cu:3: store of ")) << run.output;
}

}  // namespace
}  // namespace warplens
