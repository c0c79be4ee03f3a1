#include "core/program/remedies.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/program/reasons.h"
#include "core/program/source_edit.h"

namespace warplens {
namespace {

using source::SourceEdit;

constexpr const char* kernelFile = R"(#define SIDE 16
__global__ void k(const float* a, float* b, int n) {
    __shared__ float tile[SIDE][SIDE];
    int i = blockIdx.x * blockDim.x + threadIdx.x;  // int i = 3;
    for (int j = 0; j < n; ++j)
        if (i < n) b[i] = a[(i + 1) * n];
    tile[threadIdx.y][threadIdx.x] = a[i];
}
int main() {
    const dim3 block(8, 32), grid = dim3(n / block.x, 2);
    k<<<grid, block>>>(a, b, (1, n));
}
)";

std::string_view in(const SourceEdit& edit, source::TextSpan span) {
    return edit.textOf(span);
}

TEST(SourceEdit, FindsStatementsAndWhatTheirHeadersRule) {
    const SourceEdit edit(kernelFile);
    const std::size_t at = std::string_view(kernelFile).find("b[i] = a");
    const auto statement = edit.statementAt(at);
    EXPECT_TRUE(in(edit, statement).starts_with("for (int j"));
    EXPECT_TRUE(in(edit, statement).ends_with("* n];"));
    EXPECT_EQ(in(edit, edit.ruledAt(statement, at)), "b[i] = a[(i + 1) * n];");
    EXPECT_EQ(in(edit, edit.statementAt(std::string_view(kernelFile).find("j < n"))).substr(0, 5),
              "for (");
    EXPECT_EQ(in(edit, edit.indicesOf("a", statement).front()), "(i + 1) * n");
}

TEST(SourceEdit, FindsWhatNamesAreDefinedAs) {
    const SourceEdit edit(kernelFile);
    const std::size_t launch = std::string_view(kernelFile).find("k<<<");
    EXPECT_EQ(in(edit, *edit.valueOf("SIDE", launch)), "16");
    EXPECT_EQ(in(edit, *edit.valueOf("i", launch)), "blockIdx.x * blockDim.x + threadIdx.x");
    EXPECT_EQ(in(edit, *edit.valueOf("block", launch)), "(8, 32)");
    EXPECT_EQ(in(edit, *edit.valueOf("grid", launch)), "dim3(n / block.x, 2)");
    EXPECT_FALSE(edit.valueOf("nothing", launch));
    const auto arguments = edit.argumentsAt(std::string_view(kernelFile).find("(a, b"));
    ASSERT_EQ(arguments.size(), 3u);
    EXPECT_EQ(in(edit, arguments[2]), "(1, n)");
}

TEST(UnifiedDiff, HasTheLinesThatDifferWithTwoAround) {
    EXPECT_EQ(source::unifiedDiff("f", "a\nb\n", "a\nb\n"), "");
    EXPECT_EQ(
        source::unifiedDiff("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\nx\n5\n6\n7\n8\n9\n0\n"),
        "--- f\n+++ f\n@@ -2,5 +2,5 @@\n 2\n 3\n-4\n+x\n 5\n 6\n@@ -8,2 +8,3 @@\n 8\n 9\n+0\n");
    EXPECT_EQ(source::unifiedDiff("f", "a\n1\n2\n3\n4\n5\n6\nb\n", "1\n2\n3\n4\n5\n6\n"),
              "--- f\n+++ f\n@@ -1,3 +1,2 @@\n-a\n 1\n 2\n@@ -6,3 +5,2 @@\n 5\n 6\n-b\n");
}

/// A launch of the kernel above, of one line.
ProgramTrace traceOf(ProgramLine line) {
    ProgramTrace trace;
    LaunchReport& launch = trace.launches.emplace_back();
    launch.kernel = "k";
    launch.launch = {{1, 2, 1}, {8, 32, 1}};
    launch.arguments = {{"n", 64}};
    line.place = {"f.cu", line.place.line, 1};
    launch.lines.push_back(std::move(line));
    return trace;
}

ProgramLine storeToTile() {
    ProgramLine line;
    line.place = {"", 7, 1};
    line.kind = AccessKind::sharedStore;
    line.array = "tile";
    return line;
}

TEST(Causes, AreOfCostlyLinesAndHaveTheEditsThatMayHelp) {
    const ProgramSources sources{{{"f.cu", kernelFile, {}}}, {}};
    ProgramLine tile = storeToTile();
    tile.requests = 8;
    tile.wavefronts = 64;
    tile.idealWavefronts = 8;
    const auto causes = causesOf(traceOf(tile), sources);
    ASSERT_EQ(causes.size(), 1u);
    EXPECT_EQ(causes[0].rule, "bank-conflict");
    ASSERT_EQ(causes[0].edits.size(), 1u);
    EXPECT_EQ(causes[0].edits[0].remedy, "pad-shared-array");
    EXPECT_NE(causes[0].edits[0].text.find("tile[SIDE][SIDE + 1];"), std::string::npos);
    tile.wavefronts = 15;
    EXPECT_TRUE(causesOf(traceOf(tile), sources).empty()) << "less than twice the fewest";
}

TEST(Causes, OfAGridThatIsTooSmallRoundItUp) {
    const ProgramSources sources{{{"f.cu", kernelFile, {}}}, {}};
    ProgramTrace trace = traceOf(storeToTile());
    Finding finding;
    finding.kind = FindingKind::notReached;
    finding.kernel = "k";
    finding.place = {"f.cu", 6, 1};
    trace.findings.push_back(finding);
    const auto causes = causesOf(trace, sources);
    ASSERT_EQ(causes.size(), 1u);
    ASSERT_FALSE(causes[0].edits.empty());
    EXPECT_NE(causes[0].edits[0].text.find("dim3((n + block.x - 1) / block.x, 2)"),
              std::string::npos);
}

TEST(Causes, OfATransposeHaveATileThatAllThreadsComeTo) {
    const std::string file = R"(#define SIDE 16
__global__ void turn(const float* __restrict__ in, float* out, int w, int h) {
    const int x = blockIdx.x * SIDE + threadIdx.x;
    const int y = blockIdx.y * SIDE + threadIdx.y;
    if (x >= w || y >= h) return;
    int to = x * h + y;
    out[to] = in[y * w + x];
}
int main() { turn<<<dim3(4, 4), dim3(SIDE, SIDE)>>>(in, out, 64, 64); }
)";
    ProgramTrace trace;
    LaunchReport& launch = trace.launches.emplace_back();
    launch.kernel = "turn";
    launch.launch = {{4, 4, 1}, {16, 16, 1}};
    ProgramLine line;
    line.place = {"f.cu", 7, 1};
    line.kind = AccessKind::load;
    line.array = "in";
    line.requests = 128;
    line.sectors = line.idealSectors = 512;
    line.address = AddressFormula{.thread = {4, 256, 0}};
    launch.lines.push_back(line);
    line.kind = AccessKind::store;
    line.array = "out";
    line.sectors = 2048;
    line.address = AddressFormula{.thread = {256, 4, 0}};
    launch.lines.push_back(line);
    const auto causes = causesOf(trace, {{{"f.cu", file, {}}}, {}});
    ASSERT_EQ(causes.size(), 1u);
    EXPECT_EQ(causes[0].excess, 1536u);
    ASSERT_FALSE(causes[0].edits.empty());
    EXPECT_EQ(causes[0].edits[0].remedy, "tile-in-shared-memory");
    EXPECT_EQ(source::unifiedDiff("f.cu", file, causes[0].edits[0].text), R"(--- f.cu
+++ f.cu
@@ -1,9 +1,14 @@
 #define SIDE 16
 __global__ void turn(const float* __restrict__ in, float* out, int w, int h) {
-    const int x = blockIdx.x * SIDE + threadIdx.x;
-    const int y = blockIdx.y * SIDE + threadIdx.y;
-    if (x >= w || y >= h) return;
+    int x = blockIdx.x * SIDE + threadIdx.x;
+    int y = blockIdx.y * SIDE + threadIdx.y;
     int to = x * h + y;
-    out[to] = in[y * w + x];
+    __shared__ float tile[SIDE][SIDE + 32 / SIDE];
+    if (!(x >= w || y >= h)) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
+    __syncthreads();
+    x = blockIdx.x * SIDE + threadIdx.y;
+    y = blockIdx.y * SIDE + threadIdx.x;
+    to = x * h + y;
+    if (!(x >= w || y >= h)) out[to] = tile[threadIdx.x][threadIdx.y];
 }
 int main() { turn<<<dim3(4, 4), dim3(SIDE, SIDE)>>>(in, out, 64, 64); }
)");
}

/// What the reason for a line of one kernel calls the factor: threadIdx.x goes 64 floats further.
std::string factorIn(const std::string& statement) {
    const ProgramSources sources{
        {{"f.cu",
          "#define PITCH 64\n__global__ void k(float* a, int n, int m) {\n    " + statement +
              "\n    for (int i = 0; i < m; i += gridDim.x * gridDim.x) n *= blockDim.x;\n}\n",
          {}}},
        {}};
    LaunchReport launch;
    launch.launch = {{8, 1, 1}, {64, 1, 1}};
    launch.arguments = {{"n", 64}, {"m", 64}};
    ProgramLine line;
    line.place = {"f.cu", 3, 1};
    line.kind = AccessKind::store;
    line.array = "a";
    line.requests = 16;
    line.sectors = 512;
    line.idealSectors = 64;
    line.address = AddressFormula{.thread = {256, 0, 0}};
    const std::string reason = reasonFor(line, launch, sources);
    constexpr std::string_view before = "is multiplied by ";
    const std::size_t at = reason.find(before);
    return at == std::string::npos ? reason : reason.substr(at + before.size());
}

TEST(Reasons, CallAFactorAsTheStatementHasItAndNeverByAProductOfChance) {
    EXPECT_EQ(factorIn("a[threadIdx.x * 64] = 1;"), "64");
    EXPECT_EQ(factorIn("a[threadIdx.x * m] = 1;"), "m");
    EXPECT_EQ(factorIn("a[PITCH * threadIdx.x] = 1;"), "PITCH");
    EXPECT_EQ(factorIn("a[threadIdx.x * blockDim.x] = n;"), "blockDim.x");
    EXPECT_EQ(factorIn("a[threadIdx.x * (8 * gridDim.x)] = 1;"), "8 * gridDim.x");
}

TEST(Remedies, AreNamedOnce) {
    for (const RemedyKind& kind : remedyKinds()) {
        EXPECT_EQ(std::ranges::count(remedyKinds(), kind.id, &RemedyKind::id), 1) << kind.id;
        EXPECT_TRUE(kind.words.ends_with('.')) << kind.id;
    }
}

}  // namespace
}  // namespace warplens
