#include "core/program/remedies.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "core/program/loop_use.h"
#include "core/program/reasons.h"
#include "core/program/remedy_findings.h"
#include "core/program/source_edit.h"
#include "core/program/warnings.h"
#include "core/text/lines.h"
#include "tests/support/told_access.h"

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
    EXPECT_EQ(in(edit, edit.ruledAt(at)), "b[i] = a[(i + 1) * n];");
    EXPECT_EQ(in(edit, edit.statementAt(std::string_view(kernelFile).find("j < n"))).substr(0, 5),
              "for (");
    EXPECT_EQ(in(edit, edit.bracketsOf("a", '[', statement).front().parts[0]), "(i + 1) * n");
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

/// Of the only loop in `body`.
source::LoopUse useIn(const std::string& body) {
    const std::string text = "__global__ void k(float* a, int n) { " + body + " }";
    const SourceEdit edit(text);
    const auto inside = source::loopAround(edit, text.find("HERE"));
    return inside ? source::useOf(edit, *inside) : source::LoopUse{};
}

TEST(LoopUse, KnowsSumsFromWhatOnePassLeavesToTheNext) {
    for (const char* const sum :
         {"for (;;) { float v = a[n]; s += v; HERE(); }", "while (n) s = fmaxf(s, a[HERE]);",
          "for (;;) { if (a[HERE] > 0) ++c; }", "for (;;) { s = s + a[HERE], t *= 2; }",
          "for (;;) { float2 v = b[HERE]; s.x += v.x; s.y += v.y; }"}) {
        const source::LoopUse use = useIn(sum);
        EXPECT_TRUE(use.addsUp) << sum;
        EXPECT_FALSE(use.carries) << sum;
        EXPECT_FALSE(use.stores) << sum;
    }
    for (const char* const carried :
         {"for (;;) { int v = a[HERE]; if (v != last) c++; last = v; }",
          "for (;;) { y += k * (a[HERE] - y); }", "for (;;) { s += a[HERE]; out[n] = s; }",
          "for (;;) { int x = next[at]; at = x; HERE(); }",
          "for (;;) { if (a[HERE] > most) { most = a[n]; where = n; } }",
          "for (;;) { if (a[HERE]) break; }", "for (;;) { last = a[HERE]; }"})
        EXPECT_TRUE(useIn(carried).carries) << carried;
    const source::LoopUse store = useIn("for (;;) { out[n] = in[HERE] > 100 ? 255 : 0; }");
    EXPECT_TRUE(store.stores);
    EXPECT_FALSE(store.addsUp || store.carries);
}

TEST(UnifiedDiff, HasTheLinesThatDifferWithTwoAround) {
    EXPECT_EQ(unifiedDiff("f", "a\nb\n", "a\nb\n"), "");
    EXPECT_EQ(
        unifiedDiff("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\nx\n5\n6\n7\n8\n9\n0\n"),
        "--- f\n+++ f\n@@ -2,5 +2,5 @@\n 2\n 3\n-4\n+x\n 5\n 6\n@@ -8,2 +8,3 @@\n 8\n 9\n+0\n");
    EXPECT_EQ(unifiedDiff("f", "a\n1\n2\n3\n4\n5\n6\nb\n", "1\n2\n3\n4\n5\n6\n"),
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
    tile.atOnce = 4;
    const auto ofWide = causesOf(traceOf(tile), sources);
    EXPECT_NE(ofWide.at(0).edits.at(0).text.find("tile[SIDE][SIDE + 4];"), std::string::npos);
    EXPECT_NE(wordsOf(ofWide[0].edits[0]).find("may store 4 elements of it at once"),
              std::string::npos);
    ProgramTrace instances = traceOf(tile);
    instances.launches.push_back(instances.launches[0]);
    instances.launches[0].kernel = "k<double>";
    instances.launches[0].lines[0].atOnce = 0;
    for (const RemedyCause& cause : causesOf(instances, sources))
        EXPECT_EQ(cause.edits.at(0).text.find("SIDE + 1]"), std::string::npos) << "of either";
    tile.wavefronts = 11;
    EXPECT_TRUE(causesOf(traceOf(tile), sources).empty()) << "less than half as many more";
}

/// Causes in a kernel `k` of a line, launched as `launch` says, with n = 64.
std::vector<RemedyCause> causesIn(const std::string& kernel, ProgramLine line, Launch launch) {
    ProgramTrace trace = traceOf(std::move(line));
    trace.launches[0].launch = launch;
    return causesOf(trace, {{{"f.cu", kernel, {}}}, {}});
}

TEST(Causes, LeaveNoVariableThatNobodyUses) {
    ProgramLine load;
    load.place.line = 5;
    load.array = "in";
    load.requests = 8;
    load.sectors = 256;
    load.idealSectors = 32;
    load.address = AddressFormula{.thread = {32, 0, 0}};
    const auto causes = causesIn(R"(__global__ void k(const int* in, int* out, int n) {
    const int each = n / blockDim.x;
    int first = threadIdx.x * each;
    for (int i = first; i < first + each; ++i)
        atomicAdd(&out[in[i]], 1);
}
)",
                                 load, {{1, 1, 1}, {8, 1, 1}});
    ASSERT_FALSE(causes.at(0).edits.empty());
    const std::string& text = causes[0].edits[0].text;
    EXPECT_EQ(causes[0].edits[0].remedy, "stride-by-block");
    EXPECT_EQ(text.find("first"), std::string::npos) << text;
    EXPECT_NE(text.find("    const int each = n / blockDim.x;\n    for (int i = threadIdx.x; "),
              std::string::npos)
        << text;
}

/// A load from `array` in that line of 32 lanes that are `step` bytes apart.
ProgramLine apart(const std::string& array, std::uint32_t number, std::int64_t step) {
    ProgramLine line;
    line.place.line = number;
    line.array = array;
    line.requests = 8;
    line.activeLanes = 256;
    line.requestedBytes = 1024;
    line.sectors = 64;
    line.idealSectors = 32;
    line.address = AddressFormula{.thread = {step, 0, 0}};
    return line;
}

TEST(Causes, OfTwoNeighboursThatAThreadTakesAreAVectorByWhateverNameTheirIndexHas) {
    const std::string kernel = R"(__global__ void k(float c, const float* x, float* y, int n) {
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 < n) { y[i] += c * x[i]; y[i + 1] += c * x[i + 1]; }
}
)";
    const auto third = [](const RemedyCause& cause, std::size_t edit) {
        return std::string(lineOf(cause.edits.at(edit).text, 3));
    };
    ProgramLine line = apart("x", 3, 8);
    line.addresses = 2;
    const Launch launch{{1, 1, 1}, {256, 1, 1}};
    const RemedyCause load = causesIn(kernel, line, launch).at(0);
    EXPECT_EQ(load.advice, "vector-load");
    EXPECT_EQ(
        load.detail,
        "A thread loads 2 neighbours one by one. Load them at once, as one vector of 8 bytes, "
        "float2 or the like; or let neighbouring threads take neighbouring elements, each a "
        "thread's first one, then all threads' second ones: i and i + total in place of 2 * "
        "i and 2 * i + 1.");
    EXPECT_EQ(third(load, 0),
              "    if (i + 1 < n) { const float2 x2 = reinterpret_cast<const float2*>(x)[i / 2]; "
              "y[i] += c * x2.x; y[i + 1] += c * x2.y; }");
    line.array = "y";
    for (const AccessKind kind : {AccessKind::load, AccessKind::store}) {
        line.kind = kind;
        const RemedyCause change = causesIn(kernel, line, launch).at(0);
        EXPECT_EQ(change.advice, kind == AccessKind::load ? "vector-load" : "vector-store");
        ASSERT_EQ(change.edits.size(), 1u);
        EXPECT_EQ(third(change, 0),
                  "    if (i + 1 < n) { float2 y2 = reinterpret_cast<float2*>(y)[i / 2]; y2.x += c "
                  "* x[i]; y2.y += c * x[i + 1]; reinterpret_cast<float2*>(y)[i / 2] = y2; }");
    }
    // Where it is not known whose the others are, none is said to be left out.
    line = apart("x", 3, 8);
    line.addresses = 2;
    std::string unknown = kernel;
    unknown.replace(unknown.find("2 * ("), 5, "f(");
    const RemedyCause other = causesIn(unknown, line, launch).at(0);
    EXPECT_EQ(other.advice, "other-index");
    EXPECT_TRUE(other.detail.starts_with("x is one of 2 accesses in this line")) << other.detail;
}

TEST(Causes, OfThreeNeighboursSayThatNoVectorHasThem) {
    const RemedyCause cause = causesIn(
                                  "__global__ void k(const float* rgb, float* out) {\n"
                                  "    int i = threadIdx.x;\n"
                                  "    out[i] = rgb[3 * i] + rgb[3 * i + 1] + rgb[3 * i + 2];\n}\n",
                                  apart("rgb", 3, 12), {{1, 1, 1}, {256, 1, 1}})
                                  .at(0);
    EXPECT_TRUE(cause.detail.starts_with(
        "A thread loads 3 neighbours one by one. There is no vector of 12 bytes to do it at once: "
        "bring them through shared memory, or let neighbouring threads "))
        << cause.detail;
}

TEST(Causes, OfAStructureAskForNoAlignmentThatItHas) {
    const auto detailOf = [](const std::string& structure, std::uint32_t bytes) {
        ProgramLine line = apart("b", 4, 48);
        line.requestedBytes = std::uint64_t{256} * bytes;
        line.address->elementBytes = bytes;
        return causesIn(structure +
                            "\n__global__ void k(const Body* b, float4* out) {\n"
                            "    int i = threadIdx.x;\n    out[i] = b[i].pos;\n}\n",
                        line, {{1, 1, 1}, {256, 1, 1}})
            .at(0)
            .detail;
    };
    const std::string all = "load it by 3 float4 into a copy";
    EXPECT_NE(detailOf("struct Body { float x[12]; };", 4)
                  .find("Less work: align the structure to 16 bytes, " + all),
              std::string::npos);
    for (const char* const aligned :
         {"struct alignas(16) Body { float x[12]; };", "struct Body { float4 pos, vel, acc; };"}) {
        EXPECT_NE(detailOf(aligned, 4).find("Less work: " + all), std::string::npos) << aligned;
        EXPECT_NE(detailOf(aligned, 16).find("structures. It is read 16 bytes at a time already."),
                  std::string::npos)
            << aligned;
    }
}

TEST(Causes, OfAStoreOfAThreadsOwnArrayKeepItsOrder) {
    const auto detailOf = [](const std::string& value) {
        ProgramLine line = apart("v", 5, 16);
        line.kind = AccessKind::store;
        line.address->loops = {{.bytes = 4, .passes = 4}};
        return causesIn(
                   "__global__ void k(int* v, int n) {\n    int items[4];\n"
                   "    int base = threadIdx.x * 4;\n    for (int k = 0; k < 4; k++)\n"
                   "        v[base + k] = " +
                       value + ";\n}\n",
                   line, {{1, 1, 1}, {256, 1, 1}})
            .at(0)
            .detail;
    };
    EXPECT_NE(detailOf("items[k]").find("in an order that counts"), std::string::npos);
    EXPECT_NE(detailOf("items[k]").find("store 4 of them at once"), std::string::npos);
    EXPECT_NE(detailOf("n").find("Exchange the two"), std::string::npos);
}

TEST(Causes, OfABlockWhoseRowsAreNoWholeWarpsAreAnotherShapeAlsoOfATemplate) {
    ProgramLine line = apart("tile", 4, 4);
    line.kind = AccessKind::sharedLoad;
    line.sectors = line.idealSectors = 0;
    line.wavefronts = 16;
    line.idealWavefronts = 8;
    line.address->thread = {4, 148, 0};
    const RemedyCause cause = causesIn(R"(template <int BX, int BY>
__global__ void k(float* out) {
    extern __shared__ float tile[];
    out[threadIdx.x] = tile[threadIdx.y * (BX + 4) + threadIdx.x];
}
int main() { k<33, 9><<<dim3((w + 32) / 33, (h + 8) / 9), dim3(33, 9), 4 * 37 * 9>>>(out); }
)",
                                       line, {{6, 11, 1}, {33, 9, 1}})
                                  .at(0);
    EXPECT_EQ(cause.advice, "block-shape");
    EXPECT_TRUE(cause.detail.starts_with("Another shape of the block, dim3(32, 9) "))
        << cause.detail;
    EXPECT_TRUE(std::ranges::any_of(cause.edits, [](const TriedRemedy& edit) {
        return edit.text.find("k<32, 9><<<dim3((w + 31) / 32, (h + 8) / 9), dim3(32, 9), ") !=
               std::string::npos;
    }));
}

TEST(Causes, OfNeighboursAlongZAreATileOfXAndZ) {
    ProgramLine line = apart("out", 3, 572);
    line.kind = AccessKind::store;
    line.address->thread = {572, 52, 4};
    const RemedyCause cause = causesIn(
                                  "__global__ void k(float* out, int ny, int nz) {\n"
                                  "    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;\n"
                                  "    out[(x * ny + y) * nz + z] = 1;\n}\n",
                                  line, {{3, 4, 3}, {7, 3, 5}})
                                  .at(0);
    EXPECT_EQ(cause.advice, "tile-in-shared-memory");
    EXPECT_TRUE(cause.detail.ends_with(
        "In a block of 7 x 3 x 5 a stretch is 5 elements long, less than a sector of 32 bytes: "
        "with dim3(8, 1, 8) threads or more along both it is whole."))
        << cause.detail;
}

TEST(Warnings, TellOfTwiceWhatWouldDoButForTheEndsOfAnArray) {
    ProgramLine load = apart("x", 1, 8);
    load.sectors = 250;
    load.idealSectors = 126;
    EXPECT_TRUE(breaksCostRule(load, {}));
    load.sectors = 239;
    EXPECT_FALSE(breaksCostRule(load, {}));
}

TEST(Warnings, TellOfNoBranchWithinALibrary) {
    const auto breaks = [](const std::string& begin, const std::string& statement) {
        const ProgramSources sources{
            {{"f.cu", begin + "\n__global__ void k(int* v, int n) {\n    " + statement + "\n}\n"}},
            {}};
        ProgramLine branch;
        branch.place = {"f.cu", 3, 1};
        branch.kind = AccessKind::branch;
        branch.requests = branch.divergent = 384;
        branch.lanes = DivergingLanes{.first = 31};
        addReason(branch, {}, sources);
        return breaksCostRule(branch, {});
    };
    const std::string sort = "using Sort = cub::BlockRadixSort<int, 128, 4>;";
    EXPECT_FALSE(breaks("", "cub::BlockRadixSort<int, 128, 4>(tmp).Sort(items);"));
    EXPECT_FALSE(breaks(sort, "Sort(tmp).Sort(items);"));
    EXPECT_TRUE(breaks(sort, "if (v[threadIdx.x] > 3) Sort(tmp).Sort(items);"));
    EXPECT_TRUE(breaks("namespace cub { int f(); }", "v[0] = cub::f();"));
    EXPECT_TRUE(breaks("", "v[threadIdx.x] = longOne(n);"));
}

TEST(Causes, OfAtomicsThatTheWarpHasInCommonAskForNoLabel) {
    ProgramLine atomic;
    atomic.place.line = 4;
    atomic.kind = AccessKind::sharedAtomic;
    atomic.array = "sums";
    atomic.requests = 6;
    atomic.activeLanes = atomic.sameAddress = 192;
    atomic.mostSameAddress = 32;
    atomic.wavefronts = 192;
    atomic.idealWavefronts = 6;
    atomic.address = AddressFormula{};
    const std::string kernel = R"(__global__ void k(const float* in, int n) {
    __shared__ float sums[3];
    for (int c = 0; c < 3; ++c)
        atomicAdd(&sums[c], in[3 * threadIdx.x + c]);
}
)";
    const auto textOf = [&] {
        const auto causes = causesIn(kernel, atomic, {{1, 1, 1}, {64, 1, 1}});
        return causes.at(0).edits.at(0).text;
    };
    EXPECT_EQ(textOf().find("labeled_partition"), std::string::npos) << textOf();
    EXPECT_NE(textOf().find("atomicAdd(&sums[c], sum);"), std::string::npos) << textOf();
    atomic.sameAddress = 100;
    EXPECT_NE(textOf().find("labeled_partition"), std::string::npos) << "not all at one address";
}

// As of loads and stores: twice what would do. In shared memory it takes a crowd.
TEST(Warnings, TellOfAtomicsOfWhichTwoLanesMeetOnTheAverage) {
    ProgramLine atomic;
    atomic.kind = AccessKind::atomic;
    atomic.requests = 2048;
    atomic.sameAddress = 4096;
    atomic.mostSameAddress = 7;
    EXPECT_TRUE(breaksCostRule(atomic, {}));
    atomic.sameAddress = 4095;
    EXPECT_FALSE(breaksCostRule(atomic, {}));
    atomic.mostSameAddress = 16;
    EXPECT_TRUE(breaksCostRule(atomic, {}));
    atomic.isJoined = true;
    EXPECT_FALSE(breaksCostRule(atomic, {})) << "one lane does it for all";
}

/// A finding in that line of the kernel, and the line of the other access, where it has one.
ProgramTrace traceWith(FindingKind kind, std::uint32_t line, std::string words,
                       std::uint32_t otherLine = 0) {
    ProgramTrace trace = traceOf(storeToTile());
    Finding& finding = trace.findings.emplace_back();
    finding.kind = kind;
    finding.kernel = "k";
    finding.launch = 0;
    finding.place = {"f.cu", line, 1};
    finding.otherLine = otherLine;
    finding.accessed = accessTold(words);
    finding.words = std::move(words);
    return trace;
}

TEST(Causes, OfWhatIsReadWhileAtomicsChangeItAreThatABarrierIsMissing) {
    const std::string file = R"(__global__ void k(int* out, int n) {
    __shared__ int sum;
    atomicAdd(&sum, n);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}
)";
    const ProgramTrace trace = traceWith(
        FindingKind::sharedRace, 4,
        "load from shared sum[0], which other threads change by atomics in line 3 with no "
        "__syncthreads between",
        3);
    EXPECT_EQ(causesOf(trace, {{{"f.cu", file, {}}}, {}}).at(0).advice, "add-barrier");
}

TEST(Causes, OfAStoreByAllThreadsGiveNoneAnElementOfItsOwn) {
    const auto causeOf = [](const std::string& index) {
        const std::string file = "__global__ void k(const int* in, int* out) {\n    out[" + index +
                                 "] = in[threadIdx.x];\n}\n";
        const ProgramTrace trace = traceWith(
            FindingKind::globalRace, 2,
            "store to out[0], which thread (0, 0, 0) writes too, in the same line, with no "
            "__syncthreads between",
            2);
        RemedyCause cause = causesOf(trace, {{{"f.cu", file, {}}}, {}}).at(0);
        EXPECT_EQ(cause.advice, "own-element");
        return cause.detail;
    };
    EXPECT_EQ(causeOf("threadIdx.x / 2"), "");
    EXPECT_EQ(causeOf("blockIdx.x"),
              "All threads of a block store to out[blockIdx.x], and the last one stays: let one of "
              "them store it, by a condition as if (threadIdx.x == 0), or combine what they have "
              "first, as by a sum.");
}

TEST(Causes, OfALoadBeyondTheEndSayThatItGives0) {
    const std::string file = R"(__global__ void k(const int* x, int* d, int n) {
    int i = threadIdx.x;
    if (i < n) d[i] = x[i + 1] - x[i];
}
)";
    const ProgramTrace trace =
        traceWith(FindingKind::outOfBounds, 3, "load from x[64], which has 64 elements");
    const auto causes = causesOf(trace, {{{"f.cu", file, {}}}, {}});
    const auto edit = std::ranges::find_if(causes.at(0).edits, [](const TriedRemedy& each) {
        return each.text.find("(i + 1 < n ? x[i + 1] : 0) - x[i]") != std::string::npos;
    });
    ASSERT_NE(edit, causes[0].edits.end());
    EXPECT_EQ(wordsOf(*edit), "Let a load beyond the end give 0: decide whether that is meant.");
}

TEST(Causes, OfAConditionThatLetsInTooManyPutItRightWhereItIs) {
    const auto editedFor = [](const std::string& guard, const std::string& words) {
        const std::string file = "__global__ void k(int* y, int n) {\n    int i = threadIdx.x;\n" +
                                 guard + " y[i] = i;\n}\n";
        const ProgramTrace trace = traceWith(FindingKind::outOfBounds, 3, words);
        const auto causes = causesOf(trace, {{{"f.cu", file, {}}}, {}});
        return causes.at(0).edits.empty() ? "none" : causes[0].edits[0].text.substr(60);
    };
    const std::string end = "store to y[64], which has 64 elements";
    EXPECT_EQ(editedFor("if (i > n) return;", end), "if (i >= n) return; y[i] = i;\n}\n");
    EXPECT_EQ(editedFor("if (i <= n)", end), "if (i < n) y[i] = i;\n}\n");
    EXPECT_EQ(editedFor("if (i < n || n > 9)", "store to y[70], which has 64 elements"),
              "if (i < n && n > 9) y[i] = i;\n}\n");
}

TEST(Causes, OfDynamicSharedMemoryThatIsTooSmallGiveTheLaunchMoreOfIt) {
    const auto editedFor = [](const std::string& bytes, std::uint64_t given,
                              std::uint64_t reached) {
        const std::string file =
            "__global__ void k() {\n    extern __shared__ double s[];\n    s[threadIdx.x] = 1;\n}\n"
            "int main() {\n    const int T = 128;\n    k<<<1, T" +
            bytes + ">>>();\n}\n";
        ProgramTrace trace =
            traceWith(FindingKind::outOfBounds, 3, "store to s[256], which has 256 elements: ...");
        trace.launches[0].place = {"f.cu", 7, 1};
        trace.launches[0].launch.block = {128, 1, 1};
        AccessedBytes& accessed = *trace.findings[0].accessed;
        accessed.isOfLaunch = true;
        accessed.ofArray = given;
        accessed.reached = reached;
        const RemedyCause cause = causesOf(trace, {{{"f.cu", file, {}}}, {}}).at(0);
        EXPECT_EQ(cause.advice, "more-shared-memory");
        if (cause.edits.empty()) return std::string("none");
        const std::size_t at = cause.edits[0].text.find("<<<1, T");
        return cause.edits[0].text.substr(at + 7, cause.edits[0].text.find(">>>") - at - 7);
    };
    EXPECT_EQ(editedFor(", 128 * 2 * sizeof(double)", 2048, 3072), ", 128 * 3 * sizeof(double)");
    EXPECT_EQ(editedFor(", T * sizeof(double)", 1024, 2048), ", 2 * T * sizeof(double)");
    EXPECT_EQ(editedFor(", 128 * sizeof(double)", 1024, 1536), ", 192 * sizeof(double)");
    EXPECT_EQ(editedFor(", T * 8 + 8", 1032, 2064), ", 2 * (T * 8 + 8)");
    EXPECT_EQ(editedFor(", 2048", 2048, 3072), ", 3072");
    EXPECT_EQ(editedFor("", 0, 1024), ", 1024");
    EXPECT_EQ(editedFor(", T * sizeof(double)", 1024, 1032), "none") << "no whole number of times";
}

TEST(Causes, OfAStoreThatIsOneTooFarSayWhatAGuardLoses) {
    const auto wordsFor = [](const std::string& index, const std::string& words) {
        const std::string file =
            "__global__ void k(int* y, int n) {\n    int i = threadIdx.x;\n    if (i < n) y[" +
            index + "] = i;\n}\n";
        const ProgramTrace trace = traceWith(FindingKind::outOfBounds, 3, words);
        const auto causes = causesOf(trace, {{{"f.cu", file, {}}}, {}});
        const auto edit = std::ranges::find_if(causes.at(0).edits, [](const TriedRemedy& each) {
            return each.text.find(") y[") != std::string::npos;
        });
        return edit == causes[0].edits.end() ? "no edit" : wordsOf(*edit);
    };
    EXPECT_EQ(
        wordsFor("i + 1", "store to y[64], which has 64 elements"),
        "Leave out what would be stored behind the array: the last result is lost then. If it "
        "is to be kept, y needs 1 element more, or y[i] may be meant.");
    EXPECT_EQ(wordsFor("i - 1", "store to y[-1], which has 64 elements"),
              "Leave out what would be stored before the array: the first result is lost then. If "
              "it is to be kept, y[i] may be meant.");
    // Threads that are too many have no element.
    const std::string tail = "Let threads beyond the end do nothing.";
    EXPECT_EQ(wordsFor("i", "store to y[64], which has 64 elements"), tail);
    EXPECT_EQ(wordsFor("i + 1", "store to y[65], which has 64 elements"), tail);
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
    const auto holds = [&](const std::string& grid) {
        return std::ranges::any_of(causes[0].edits, [&](const TriedRemedy& edit) {
            return edit.text.find(grid) != std::string::npos;
        });
    };
    EXPECT_TRUE(holds("dim3((n + block.x - 1) / block.x, 2)"));
    EXPECT_TRUE(holds("dim3(2, n / block.x)")) << "they may be in each other's place";
}

/// Of blocks of side x side threads: rows are loaded, and columns stored whose rows are `pitch`
/// bytes long.
ProgramTrace traceOfTranspose(Extents grid, std::uint32_t side, std::uint32_t number,
                              std::int64_t pitch) {
    ProgramTrace trace;
    LaunchReport& launch = trace.launches.emplace_back();
    launch.kernel = "turn";
    launch.launch = {grid, {side, side, 1}};
    ProgramLine line;
    line.place = {"f.cu", number, 1};
    line.kind = AccessKind::load;
    line.array = "in";
    line.requests = grid.count() * side * side / 32;
    line.sectors = line.idealSectors = 4 * line.requests;
    line.address = AddressFormula{.thread = {4, pitch, 0}};
    launch.lines.push_back(line);
    line.kind = AccessKind::store;
    line.array = "out";
    line.sectors = side * line.requests;
    line.address = AddressFormula{.thread = {pitch, 4, 0}};
    launch.lines.push_back(line);
    return trace;
}

TEST(Causes, AreOfAllLaunchesAndOfASumKeepItsLastSteps) {
    const ProgramSources sources{
        {{"f.cu",
          "__global__ void k(float* s) {\n"
          "    for (int d = 1; d < blockDim.x; d *= 2)\n"
          "        if (threadIdx.x % (2 * d) == 0) s[threadIdx.x] += s[threadIdx.x + d];\n"
          "}\n",
          {}}},
        {}};
    ProgramLine branch;
    branch.place = {"", 3, 1};
    branch.kind = AccessKind::branch;
    branch.requests = 1024;
    branch.divergent = 752;
    branch.lanes = DivergingLanes{};
    ProgramTrace trace = traceOf(branch);
    trace.launches[0].launch = {{16, 1, 1}, {256, 1, 1}};
    trace.launches.push_back(trace.launches[0]);
    const auto causes = causesOf(trace, sources);
    ASSERT_EQ(causes.size(), 1u);
    EXPECT_EQ(causes[0].advice, "sequential-addressing");
    EXPECT_EQ(causes[0].excess, 2u * (752 - 16 * 5)) << "16, 8, 4, 2 and 1 lanes add up";
}

TEST(Races, OfALineThatReadsChangesAndWritesOneElementSayThatAnAtomicIsMissing) {
    const ProgramSources sources{{{"f.cu",
                                   "__global__ void k(int* total, int* key, int n) {\n"
                                   "    __shared__ int mine[64];\n"
                                   "    if (n > 1) mine[key[threadIdx.x]]++;\n"
                                   "    mine[threadIdx.x] += mine[threadIdx.x + 1];\n"
                                   "    *total += mine[0];\n"
                                   "}\n"
                                   "int main() { k<<<1, 64>>>(sum, keys, 4); }\n",
                                   {}}},
                                 {}};
    const auto told = [&](FindingKind kind, std::uint32_t line, const std::string& words) {
        Finding finding;
        finding.kind = kind;
        finding.place = {"f.cu", line, 5};
        finding.otherLine = line;
        finding.words = words;
        finding.accessed = accessTold(words);
        std::vector<Finding> all{std::move(finding)};
        tellLostChanges(all, sources);
        return all[0].words;
    };
    const std::string load = "load from shared mine[4], which thread (9, 0, 0) ";
    const std::string barrier = "writes in the same line with no __syncthreads between";
    const std::string atomic =
        "reads, changes and writes in the same line at the same time, without an atomic";
    EXPECT_EQ(told(FindingKind::sharedRace, 3, load + barrier), load + atomic);
    EXPECT_EQ(told(FindingKind::sharedRace, 4, load + barrier), load + barrier)
        << "what another thread has is read";
    EXPECT_EQ(
        told(FindingKind::blockRace, 5,
             "store to sum[0], which another block writes in the same line in the same "
             "launch: thread (1, 0, 0) of block (2, 0, 0)"),
        "store to sum[0], which another block " + atomic + ": thread (1, 0, 0) of block (2, 0, 0)");
    EXPECT_EQ(told(FindingKind::globalRace, 5,
                   "store to sum[0], which other threads read in the same line with no __syncwarp "
                   "between"),
              "store to sum[0], which other threads read, change and write in the same line at the "
              "same time, without an atomic");
}

TEST(Causes, OfAWarpThatDoesNotWaitNameTheWarpsBarrier) {
    const std::string file = R"(__global__ void k(int* out) {
    __shared__ int s[64];
    if (threadIdx.x < 32) {
        s[threadIdx.x] += s[threadIdx.x + 16];
    }
}
)";
    const ProgramTrace trace =
        traceWith(FindingKind::warpOrder, 4,
                  "load from shared s[16], which other lanes write in the same line");
    const auto causes = causesOf(trace, {{{"f.cu", file, {}}}, {}});
    ASSERT_FALSE(causes.at(0).edits.empty());
    const TriedRemedy& edit = causes[0].edits[0];
    EXPECT_NE(edit.text.find("const auto other = s[threadIdx.x + 16]; __syncwarp();"),
              std::string::npos);
    EXPECT_TRUE(wordsOf(edit).starts_with("Put a barrier of the warp, __syncwarp(), between"));
}

TEST(Causes, OfElementsThatTakeTheirNeighboursInPlaceHaveNoAtomic) {
    const auto causeOf = [](FindingKind kind, const std::string& statement) {
        const std::string file =
            "__global__ void k(int* d) {\n    int t = threadIdx.x;\n    " + statement + "\n}\n";
        const ProgramTrace trace =
            traceWith(kind, 3, "store to d[32], which other threads read in the same line", 3);
        return causesOf(trace, {{{"f.cu", file, {}}}, {}}).at(0);
    };
    const auto hasAtomic = [](const RemedyCause& cause) {
        return std::ranges::any_of(
            cause.edits, [](const TriedRemedy& each) { return each.remedy == "use-atomic"; });
    };
    for (const char* const statement :
         {"if (t > 32) d[t] += d[t - 32];", "d[t] = d[t] + d[t + 1];", "d[t] = 3 * d[t + 1];"}) {
        const RemedyCause shared = causeOf(FindingKind::sharedRace, statement);
        EXPECT_EQ(shared.advice, "add-barrier") << statement;
        EXPECT_TRUE(shared.detail.starts_with("Load what another thread changes first"));
        EXPECT_FALSE(hasAtomic(shared)) << statement;
        const RemedyCause blocks = causeOf(FindingKind::blockRace, statement);
        EXPECT_EQ(blocks.advice, "second-array") << statement;
        EXPECT_FALSE(hasAtomic(blocks)) << statement;
    }
    const RemedyCause first = causeOf(FindingKind::sharedRace, "if (t > 32) d[t] += d[t - 32];");
    EXPECT_NE(first.edits.at(0).text.find("    const auto other = (t > 32) ? d[t - 32] : 0;\n"
                                          "    __syncthreads();\n"
                                          "    if (t > 32) d[t] += other;\n"),
              std::string::npos)
        << first.edits[0].text;
    // No barrier goes where threads may have left.
    const RemedyCause left =
        causeOf(FindingKind::sharedRace, "if (t > 90) return; d[t] += d[t + 1];");
    EXPECT_TRUE(std::ranges::none_of(left.edits, [](const TriedRemedy& each) {
        return each.text.find("const auto other") != std::string::npos &&
               each.text.find("__syncthreads") != std::string::npos;
    }));
    EXPECT_TRUE(hasAtomic(causeOf(FindingKind::blockRace, "d[t / 2] += t;")));
}

TEST(Causes, OfWhatTheHostReadsTooEarlyWaitBeforeTheLoopThatReadsIt) {
    const std::string file = R"(int main() {
    k<<<1, 64>>>(x);
    cudaMemcpyAsync(h, x, 256, cudaMemcpyDeviceToHost, s);
    for (int i = 0; i < 64; ++i) {
        sum += h[i];
    }
}
)";
    const auto edited = [&](const std::string& words) {
        const ProgramTrace trace = traceWith(FindingKind::unsynchronisedRead, 5, words);
        const RemedyCause cause = causesOf(trace, {{{"f.cu", file, {}}}, {}}).at(0);
        EXPECT_EQ(cause.advice, "wait-for-device");
        return cause.edits.at(0).text;
    };
    EXPECT_NE(edited("the host reads h, which cudaMemcpyAsync may still write")
                  .find("s);\n    cudaStreamSynchronize(s);\n    for"),
              std::string::npos);
    EXPECT_NE(edited("the host reads h, which k may still write")
                  .find("s);\n    cudaDeviceSynchronize();\n    for"),
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
    const ProgramTrace trace = traceOfTranspose({4, 4, 1}, 16, 7, 256);
    const auto causes = causesOf(trace, {{{"f.cu", file, {}}}, {}});
    ASSERT_EQ(causes.size(), 1u);
    EXPECT_EQ(causes[0].excess, 1536u);
    ASSERT_FALSE(causes[0].edits.empty());
    EXPECT_EQ(causes[0].edits[0].remedy, "tile-in-shared-memory");
    EXPECT_TRUE(
        wordsOf(causes[0].edits[0])
            .ends_with(
                " With one column more, tile[SIDE][SIDE + 1], the elements of a column lie in "
                "different banks. A request along columns still takes 2 wavefronts where 1 would "
                "do, as a warp is 2 rows of a block that is 16 wide: what helps there is offered "
                "once this is applied."))
        << wordsOf(causes[0].edits[0]);
    EXPECT_EQ(unifiedDiff("f.cu", file, causes[0].edits[0].text), R"(--- f.cu
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
+    __shared__ float tile[SIDE][SIDE + 1];
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
    addReason(line, launch, sources);
    const std::string reason = line.reason;
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
    EXPECT_EQ(factorIn("a[threadIdx.x * (512 / gridDim.x)] = 1;"), "512 / gridDim.x");
}
TEST(Reasons, OfAWarpThatGoesOnInTheNextPlaneSaySo) {
    const std::string file =
        "__global__ void k(float* a, int n) {\n"
        "    a[(threadIdx.z * 35 + threadIdx.y) * 67 + threadIdx.x] = 1;\n"
        "}\n";
    ProgramLine line;
    line.place = {"f.cu", 2, 1};
    line.kind = AccessKind::store;
    line.array = "a";
    line.requests = 4;
    line.sectors = 40;
    line.idealSectors = 14;
    line.address = AddressFormula{.thread = {4, 268, 9380}};
    LaunchReport launch;
    launch.launch = {{1, 1, 1}, {7, 3, 5}};
    const auto reason = [&] {
        addReason(line, launch, {{{"f.cu", file, {}}}, {}});
        return line.reason;
    };
    EXPECT_NE(reason().find("268 bytes apart"), std::string::npos) << reason();
    EXPECT_TRUE(reason().ends_with(", and of two threadIdx.z, which are 9,380 bytes apart"))
        << reason();
    launch.launch.block = {8, 4, 5};
    EXPECT_EQ(reason().find("9,380"), std::string::npos) << "whole warps in a plane";
}
TEST(Reasons, CallNothingAFactorThatIsNotOneOfTheThreadsInThisIndex) {
    EXPECT_EQ(factorIn("a[(blockIdx.x * blockDim.x + threadIdx.x) * PITCH] = 1;"), "PITCH");
    EXPECT_EQ(factorIn("int i = blockIdx.x * blockDim.x + threadIdx.x; a[i * m] = 1;"), "m");
    EXPECT_EQ(factorIn("int i = threadIdx.x * 64, k = i * 2; a[k / 2] = 1;"), "64");
    for (const std::string unsaid :
         {"int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = 64 * i;",
          "int i = threadIdx.x; int k = i * m; a[i].y = k;"})
        EXPECT_NE(factorIn(unsaid).find("and each takes 4 bytes "), std::string::npos)
            << factorIn(unsaid);
}

TEST(Reasons, OfALittleTooMuchNameWhatDoesNotBeginWithASector) {
    const ProgramSources sources{
        {{"f.cu",
          "__global__ void k(float* a, int h) {\n"
          "    for (int i = 0; i < 9; ++i) a[threadIdx.y * h + threadIdx.x + i] = 1;\n}\n"}},
        {}};
    LaunchReport launch;
    launch.launch = {{8, 1, 1}, {32, 8, 1}};
    launch.arguments = {{"h", 500}};
    ProgramLine line;
    line.place = {"f.cu", 2, 1};
    line.kind = AccessKind::store;
    line.array = "a";
    line.requests = 160;
    line.activeLanes = 160 * 32;
    line.idealSectors = 640;
    line.address = AddressFormula{.thread = {4, 2000, 0}, .elementBytes = 4};
    const auto reasonWith = [&](std::uint64_t sectors) {
        line.sectors = sectors;
        addReason(line, launch, sources);
        return line.reason;
    };
    EXPECT_EQ(reasonWith(646), "");
    const std::string rows = reasonWith(648);
    EXPECT_TRUE(
        rows.ends_with("but rows of 2,000 bytes do not all begin at a multiple of 32, "
                       "because threadIdx.y is multiplied by h"))
        << rows;
    line.address->thread[1] = 2048;
    EXPECT_EQ(reasonWith(704), "");
    line.address->block[0] = 84;
    EXPECT_TRUE(reasonWith(704).ends_with("but blocks are 84 bytes apart, no multiple of 32"));
    line.address->loops = {{.bytes = 4}};
    line.address->isOfRequest = true;
    EXPECT_TRUE(
        reasonWith(704).ends_with("but the first of them is not always at a multiple of 32"));
    line.address->isOfRequest = false;
    EXPECT_TRUE(
        reasonWith(704).ends_with("but passes of the loop are 4 bytes apart, no multiple of 32"));
}

TEST(Reasons, CountTheBanksThatTheLanesOfAWarpTake) {
    const ProgramSources sources{
        {{"f.cu", "__global__ void k(int n) {\n    s[threadIdx.x][threadIdx.y] = 1;\n}\n", {}}},
        {}};
    const auto reasonOf = [&](Extents block, std::array<std::int64_t, 3> thread,
                              std::uint32_t bytes) {
        LaunchReport launch;
        launch.launch = {{1, 1, 1}, block};
        ProgramLine line;
        line.place = {"f.cu", 2, 1};
        line.kind = AccessKind::sharedStore;
        line.array = "s";
        line.requests = line.idealWavefronts = 1;
        line.wavefronts = 32;
        line.address = AddressFormula{.thread = thread, .elementBytes = bytes};
        addReason(line, launch, sources);
        return line.reason;
    };
    const auto says = [](const std::string& reason, const std::string& words) {
        return reason.find("words apart, so " + words + ", because") != reason.npos;
    };
    const std::string single = reasonOf({32, 1, 1}, {128, 0, 0}, 4);
    EXPECT_TRUE(says(single, "they are all in one bank")) << single;
    const std::string odd = reasonOf({12, 12, 1}, {48, 4, 0}, 4);
    EXPECT_TRUE(says(odd, "they are in 24 of the 32 banks")) << odd;
    const std::string doubles = reasonOf({16, 16, 1}, {128, 8, 0}, 8);
    EXPECT_TRUE(says(doubles, "the 16 that are served at once are in 2 of the 32 banks"))
        << doubles;
    const std::string padded = reasonOf({16, 16, 1}, {144, 8, 0}, 8);
    EXPECT_TRUE(says(padded, "the 16 that are served at once are in 16 of the 32 banks")) << padded;
    const std::string backwards = reasonOf({32, 1, 1}, {-8, 0, 0}, 4);
    EXPECT_TRUE(says(backwards, "they are in 16 of the 32 banks")) << backwards;
}

TEST(Reasons, QuoteTheOneOfSeveralArraysThatHasTheFactor) {
    const ProgramSources sources{{{"f.cu",
                                   "__global__ void k(const float* w, const float* x, int m) {\n"
                                   "    y[threadIdx.x] = w[threadIdx.x * m + 1] * x[1];\n}\n",
                                   {}}},
                                 {}};
    LaunchReport launch;
    launch.launch = {{1, 1, 1}, {64, 1, 1}};
    launch.arguments = {{"m", 16}};
    ProgramLine line;
    line.place = {"f.cu", 2, 1};
    line.array = "x, w";
    line.requests = line.idealSectors = 1;
    line.sectors = 32;
    line.address = AddressFormula{.thread = {64, 0, 0}};
    addReason(line, launch, sources);
    const std::string reason = line.reason;
    EXPECT_TRUE(reason.starts_with("`w[threadIdx.x * m + 1]`: neighbouring lanes are 64 bytes"))
        << reason;
    // Of loads and stores of one array what is on their side of the assignment.
    const ProgramSources both{{{"f.cu",
                                "__global__ void k(float* a, int m) {\n"
                                "    a[threadIdx.x * m] = a[threadIdx.x * m + 1];\n}\n",
                                {}}},
                              {}};
    line.array = "a";
    addReason(line, launch, both);
    EXPECT_TRUE(line.reason.starts_with("`a[threadIdx.x * m + 1]`: "));
    line.kind = AccessKind::store;
    addReason(line, launch, both);
    EXPECT_TRUE(line.reason.starts_with("`a[threadIdx.x * m]`: "));
}

TEST(Causes, InAKernelThatStandsInOneLineWithItsHeadAreLookedAtFromItsBodyOn) {
    const std::string file =
        "__global__ void turn(const float* in, float* out, int n) { "
        "out[threadIdx.x * n + threadIdx.y] = in[threadIdx.y * n + threadIdx.x]; }\n"
        "int main() { turn<<<1, dim3(32, 32)>>>(in, out, 32); }\n";
    ProgramTrace trace = traceOfTranspose({1, 1, 1}, 32, 1, 128);
    for (const FindingKind kind : {FindingKind::outOfBounds, FindingKind::sharedRace}) {
        Finding finding;
        finding.kind = kind;
        finding.words = "store to out[1024], which has 1024 elements";
        finding.accessed = accessTold(finding.words);
        finding.kernel = "turn";
        finding.place = {"f.cu", 1, 1};
        trace.findings.push_back(finding);
    }
    const auto causes = causesOf(trace, {{{"f.cu", file, {}}}, {}});
    ASSERT_EQ(causes.size(), 3u);
    for (const RemedyCause& cause : causes) {
        for (const TriedRemedy& edit : cause.edits)
            EXPECT_TRUE(edit.text.starts_with(file.substr(0, file.find('{') + 1))) << edit.text;
    }
    ASSERT_FALSE(causes[2].edits.empty());
    EXPECT_EQ(causes[2].edits[0].remedy, "tile-in-shared-memory");
    EXPECT_NE(causes[2].edits[0].text.find("tile[threadIdx.y][threadIdx.x] = in["),
              std::string::npos);
}

/// The file with `cudaFree` where it is to be for what line 6 allocates; empty where no edit is
/// made.
std::string freedIn(const std::string& file) {
    ProgramTrace trace;
    Finding finding;
    finding.kind = FindingKind::neverFreed;
    finding.words = "d (64 bytes) is never freed";
    finding.place = {"f.cu", 6, 1};
    trace.findings.push_back(finding);
    const auto causes = causesOf(trace, {{{"f.cu", file, {}}}, {}});
    return causes.at(0).edits.empty() ? std::string() : causes[0].edits[0].text;
}

TEST(Causes, OfWhatIsNeverFreedFreeItAtTheFunctionsEndWhateverMacrosStandBeforeIt) {
    const auto program = [](const std::string& macro, const std::string& free,
                            const std::string& last) {
        return macro + "\nint main() {\n    float* d;\n\n    CHECK(cudaMalloc(&d, 64));\n" + free +
               last + "}\n";
    };
    const std::string free = "    cudaFree(d);\n";
    for (const std::string macro :
         {"#define CHECK(call) \\\n    if (call) return 1",
          "#define CHECK(call) { if (call) { \\\n    return 1; } }",
          "#define CHECK(call) call\n#define BEGIN {", "#define CHECK(call) call\n#define END }"}) {
        EXPECT_EQ(freedIn(program(macro, "", "    return 0;\n")),
                  program(macro, free, "    return 0;\n"));
        // Behind the last statement, where it is not known for a return.
        EXPECT_EQ(freedIn(program(macro, "    FINISH(0);\n", "")),
                  program(macro, "    FINISH(0);\n", free));
    }
    EXPECT_EQ(freedIn("#define ALLOCATE \\\n    do { \\\n        float* d; \\\n"
                      "         \\\n        cudaMalloc(&d, 64); \\\n    } while (0)\n"),
              "")
        << "what is allocated in a macro alone";
}

TEST(Causes, OfOneKindHaveAWordForEachCure) {
    ProgramTrace trace;
    for (const auto& [kind, words] :
         {std::pair(FindingKind::uninitialisedShared,
                    "load from shared s[1], which no thread of the block has written by then: it "
                    "is written later"),
          std::pair(FindingKind::uninitialisedShared,
                    "load from shared s[31], which no thread of the block has written"),
          std::pair(FindingKind::barrierMismatch, "a barrier that 8 of a warp's 32 threads reach"),
          std::pair(FindingKind::barrierMismatch,
                    "a warp intrinsic's mask names 32 lanes, of which 8 come to it together")}) {
        Finding& finding = trace.findings.emplace_back();
        finding.kind = kind;
        finding.words = words;
        finding.accessed = accessTold(finding.words);
        finding.kernel = "k";
        finding.place = {"f.cu", 3, 5};
    }
    trace.findings[0].isWrittenLater = true;
    trace.findings[3].isOfMask = true;
    const std::string file =
        "__global__ void k(int* a) {\n    __shared__ int s[32];\n    a[0] = s[threadIdx.x];\n}\n";
    std::vector<std::string> advices;
    for (const RemedyCause& cause : causesOf(trace, {{{"f.cu", file, {}}}, {}})) {
        advices.push_back(cause.advice);
        const bool isBarrier = std::ranges::any_of(
            cause.edits, [](const TriedRemedy& edit) { return edit.remedy == "add-barrier"; });
        EXPECT_EQ(isBarrier, cause.advice == "add-barrier") << cause.advice;
    }
    EXPECT_EQ(advices, (std::vector<std::string>{"barrier-for-all", "mask-for-those-that-come",
                                                 "initialise", "add-barrier"}));
}

/// A word of what the rule on such findings is about. A new kind does not compile here.
std::string_view wordOf(FindingKind kind) {
    using Kind = FindingKind;
    switch (kind) {
        case Kind::outOfBounds:
            return "beyond the array";
        case Kind::launchRace:
            return "neither waits for the other";
        case Kind::useAfterFree:
            return "is freed";
        case Kind::hostPointer:
            return "the host's used in a kernel";
        case Kind::devicePointer:
            return "device's used by the host";
        case Kind::wildPointer:
            return "of nothing";
        case Kind::misaligned:
            return "no multiple";
        case Kind::barrierMismatch:
            return "barrier or warp intrinsic";
        case Kind::sharedRace:
            return "word of shared memory";
        case Kind::blockRace:
            return "Two blocks";
        case Kind::globalRace:
            return "Two threads of a block";
        case Kind::warpOrder:
            return "need not run together";
        case Kind::uninitialisedShared:
            return "Shared memory that is read before";
        case Kind::unwrittenMemory:
            return "before anybody has written";
        case Kind::notReached:
            return "no thread reads";
        case Kind::divisionByZero:
            return "divided by zero";
        case Kind::endlessLoop:
            return "does not end";
        case Kind::stackOverflow:
            return "local memory";
        case Kind::failedAssertion:
            return "assertion";
        case Kind::neverFreed:
            return "is not freed";
        case Kind::launchRefused:
            return "beyond what a device can do";
        case Kind::notSupported:
            return "cannot be run here";
        case Kind::crash:
            return "own code on the host";
        case Kind::unsynchronisedRead:
            return "has waited";
        case Kind::meetingByData:
            return "read from memory, without an atomic";
        case Kind::repeatedWork:
            return "do the same along an axis";
        case Kind::oneThreadWorks:
            return "nine of ten accesses";
        case Kind::mayBeWhy:
            return "with nothing found that is wrong";
    }
    return {};
}

TEST(Rules, AreOneForEachKindOfFindingAndNamedAsItIs) {
    constexpr auto names = namesOf(FindingKind{});
    for (std::size_t at = 0; at < names.size(); ++at) {
        const auto kind = static_cast<FindingKind>(at);
        const WarningRule& rule = ruleOf(kind);
        std::string id(names[at]);
        std::ranges::replace(id, '_', '-');
        EXPECT_EQ(rule.id, id);
        EXPECT_EQ(rule.isError,
                  kind != FindingKind::notReached && kind != FindingKind::warpOrder &&
                      kind != FindingKind::neverFreed && kind != FindingKind::meetingByData &&
                      kind != FindingKind::repeatedWork && kind != FindingKind::oneThreadWorks &&
                      kind != FindingKind::mayBeWhy)
            << id;
        EXPECT_EQ(rule.isNote, kind == FindingKind::meetingByData) << id;
        ASSERT_FALSE(wordOf(kind).empty()) << id;
        EXPECT_NE(rule.about.find(wordOf(kind)), std::string_view::npos) << id;
        EXPECT_EQ(std::ranges::count(warningRules(), rule.id, &WarningRule::id), 1) << id;
    }
    EXPECT_TRUE(wordOf(static_cast<FindingKind>(names.size())).empty()) << "a kind has no name";
    EXPECT_EQ(&ruleOf(static_cast<FindingKind>(names.size() - 1)), &warningRules().back());
}

TEST(Remedies, AreNamedOnce) {
    for (const RemedyKind& kind : remedyKinds()) {
        EXPECT_EQ(std::ranges::count(remedyKinds(), kind.id, &RemedyKind::id), 1) << kind.id;
        EXPECT_TRUE(kind.words.ends_with('.')) << kind.id;
    }
}

}  // namespace
}  // namespace warplens
