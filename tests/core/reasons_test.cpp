#include "core/program/reasons.h"

#include <gtest/gtest.h>

#include "core/program/branch_reasons.h"
#include "core/program/called_functions.h"
#include "core/program/costliest_line.h"
#include "core/program/joined_atomics.h"
#include "core/program/named_elements.h"
#include "core/program/remedies.h"
#include "core/program/warnings.h"
#include "tests/support/told_access.h"

namespace warplens {
namespace {

constexpr const char* helper =
    "struct Grid {\n"
    "    int n;\n"
    "    __device__ bool inner(int x) const { return x > 0 && x < n - 1; }\n"
    "    __device__ bool marked(int x) const { return mask[x] > 0 && x < n; }\n"
    "};\n"
    "__global__ void k(Grid g, int* a) {\n"
    "    int x = threadIdx.x;\n"
    "    if (!g.inner(x)) return;\n"
    "    if (!g.marked(x)) return;\n"
    "    for (int c = x % 32; c < 24; c += 32) a[x] = 1;\n"
    "    int s = 0; if (x % 32 == 31) s = 2;\n"
    "    if (a[x] > 3) a[x] = 1; else a[x] = 2;\n"
    "    int i = blockIdx.x * blockDim.x + x;\n"
    "    if (i < g.n) a[i] = 3;\n"
    "    if (x < 8) a[x] = 4;\n"
    "}\n";

/// What the branch of line 12 is said to be first.
const std::string ofData = "`a[x] > 3` depends on data; here ";

class Branches : public testing::Test {
  protected:
    Branches() { launch_.launch = {{8, 1, 1}, {32, 1, 1}}; }
    /// One that warps diverge at, with what is known of its lanes.
    ProgramLine& branchAt(std::uint32_t line, std::uint32_t column, DivergingLanes lanes) {
        ProgramLine branch;
        branch.place = {"f.cu", line, column};
        branch.kind = AccessKind::branch;
        branch.requests = branch.divergent = 8;
        branch.lanes = lanes;
        return launch_.lines.emplace_back(std::move(branch));
    }
    [[nodiscard]] bool isGuardAt(std::uint32_t line, std::uint32_t column, DivergingLanes lanes) {
        launch_.lines.clear();
        return isGuard(branchAt(line, column, lanes), launch_, sources_);
    }
    [[nodiscard]] std::string reasonOf(std::uint32_t oneWay, std::uint32_t otherWay) {
        launch_.lines.clear();
        return branchReason(branchAt(12, 5, {.oneWay = oneWay, .otherWay = otherWay}), launch_,
                            sources_);
    }

    ProgramSources sources_{{{"f.cu", helper, {}}}, {}};
    LaunchReport launch_;
};

TEST_F(Branches, OfTheSameLanesEachTimeTellWhichOrHowMany) {
    EXPECT_EQ(reasonOf(0x08080808, ~0x08080808u),
              ofData + "threads whose threadIdx.x % 8 is 3 go another way than the rest");
    EXPECT_EQ(reasonOf(~0x20202020u, 0x20202020),
              ofData + "threads whose threadIdx.x % 8 is 5 go another way than the rest");
    EXPECT_EQ(
        reasonOf(0x001f001f, ~0x001f001fu),
        ofData +
            "5 of 16 neighbouring lanes go another way than the rest, the same ones each time");
    EXPECT_EQ(reasonOf(0x00020008, ~0x00020008u),
              ofData + "2 lanes of a warp go another way than the rest, the same ones each time");
    EXPECT_EQ(reasonOf(0x00000200, ~0x00000200u),
              ofData + "one lane of a warp goes another way than the rest, the same one each time");
    EXPECT_EQ(reasonOf(0, 0),
              "the lanes that go one way are not the same each time that a warp comes to it: the "
              "condition depends on data");
}

TEST_F(Branches, ThatNotAllLanesComeToTellOfThoseThatDo) {
    EXPECT_EQ(reasonOf(0x0000ff00, 0xffff0000),
              "of the lanes that come here lanes 8 to 15 go another way than lanes 16 to 31");
    EXPECT_EQ(reasonOf(0x22222222, 0xcccccccc),
              "of the lanes that come here those whose threadIdx.x % 4 is 1 go another way than "
              "those whose threadIdx.x % 4 is 2 or 3");
    EXPECT_EQ(reasonOf(0x00000200, 0x00ff10ff),
              "of the lanes that come here lane 9 goes another way than the rest");
    launch_.launch.block.x = 24;
    EXPECT_EQ(reasonOf(0x000000f0, 0x00ffff0f),
              ofData + "4 lanes of a warp go another way than the rest, the same ones each time")
        << "a block has no others";
    launch_.lines.clear();
    EXPECT_EQ(
        branchReason(branchAt(12, 5, {.ways = {0xff, 0xff00, 0xffff0000}}), launch_, sources_),
        "lanes 0 to 7, lanes 8 to 15 and lanes 16 to 31 of a warp go ways of their own");
}

TEST_F(Branches, AtTheGridsEdgeAreGuardsWhicheverLanesLieBeyondIt) {
    EXPECT_TRUE(isGuardAt(14, 5, {.bit = 3}));
    EXPECT_FALSE(isGuardAt(15, 5, {.bit = 3})) << "the same of each block";
}

TEST(Reasons, ConditionsOfAChainAreItsWays) {
    const char* const code =
        "void f() {\nif (a) {\n if (x) y(); else z();\n} else if (b(1,\n  2)) g();\n"
        "else if (c)\n h();\nelse { if (d) k(); }\nif (e) f();\n"
        "if (p) q(); else if (r) s();\nif (t) u();\nelse if (v) w();\n}";
    const source::SourceEdit text(code);
    using Names = std::vector<std::string>;
    for (const std::uint32_t line : {2U, 4U, 6U}) {
        EXPECT_EQ(chainOf(text, line).ways, (Names{"a", "b(1, 2)", "c", "else"})) << line;
        EXPECT_EQ(chainOf(text, line).lines, (std::vector<std::uint32_t>{2, 4, 6})) << line;
    }
    for (const std::uint32_t line : {1U, 3U, 5U, 7U, 8U, 9U, 10U})
        EXPECT_EQ(chainOf(text, line).ways, Names{}) << line;
    EXPECT_EQ(chainOf(text, 12).ways, (Names{"t", "v", "none of them"}));
}

TEST(Reasons, CasesOfASwitchAreCalledByValueInTheOrderInWhichTheyAreAskedFor) {
    const auto named = [](const char* text) { return casesOf(source::SourceEdit(text), 1); };
    using Names = std::vector<std::string>;
    EXPECT_EQ(named("switch (i % 8) { case 7: a = 1; break;\n case 0: switch (b) { case 3: c(); }\n"
                    " case 5: case 6: d ? e : f; break; default: g(); }\n case 9: h();"),
              (Names{"case 0", "case 5, 6", "case 5, 6", "case 7", "default"}));
    EXPECT_EQ(named("x; switch (c) { case 'b': a(); break; case 'a': b(); default: c(); }"),
              (Names{"case 'a'", "case 'b'", "default"}));
    EXPECT_EQ(named("switch (c) { case 2: a(); }"), (Names{"case 2", "no case"}));
    EXPECT_EQ(named("switch (c) { case Kind::round: a(); }"), Names{});
}

TEST(Reasons, AnIfWithoutElseLeavesTheOtherLanesNothingToRun) {
    const source::SourceEdit text(helper);
    EXPECT_TRUE(hasNoElse(text, 11));
    EXPECT_TRUE(hasNoElse(text, 15));
    EXPECT_FALSE(hasNoElse(text, 12));
    EXPECT_FALSE(hasNoElse(text, 8)) << "the others do what is behind it";
    EXPECT_TRUE(hasNoElse(text, 10)) << "those that are done with a loop";
    const source::SourceEdit loops(
        "void f() {\nfor (;;) { if (a) b(); c(); }\nfor (;;) { if (a) continue; c(); }\n"
        "for (;;) if (a) {\n b(); } else c();\n}");
    EXPECT_TRUE(hasNoElse(loops, 2));
    EXPECT_FALSE(hasNoElse(loops, 3));
    EXPECT_FALSE(hasNoElse(loops, 4));
}

TEST_F(Branches, OfWhatALoopCallsAreNotThoseOfTheLoopNorGuards) {
    sources_.units[0].text =
        "__global__ void k(float* a, int n) {\n"
        "    for (int i = 0; i < n; ++i) a[threadIdx.x] += sinf(a[i]);\n"
        "}\n";
    std::vector<ProgramLine> lines;
    for (const std::uint32_t nth : {1U, 2U, 3U}) {
        lines.push_back(branchAt(2, 5, {.first = 0}));
        lines.back().nth = nth;
    }
    joinBranches(lines, sources_);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].nth, 1u);
    EXPECT_EQ(lines[0].divergent, 8u);
    EXPECT_EQ(lines[1].nth, 2u);
    EXPECT_EQ(lines[1].divergent, 16u);
    EXPECT_FALSE(isGuard(lines[1], launch_, sources_));
}

TEST_F(Branches, OfAFunctionAreGuardsWhereWhatItComparesIs) {
    EXPECT_TRUE(isGuardAt(8, 5, {}));
    EXPECT_FALSE(isGuardAt(9, 5, {})) << "it reads memory";
    // Those in the function itself, by where it is called.
    EXPECT_FALSE(isGuardAt(3, 42, {})) << "nobody is known to call it";
    launch_.lines.clear();
    branchAt(8, 5, {});
    EXPECT_TRUE(isGuard(branchAt(3, 42, {}), launch_, sources_));
    branchAt(3, 50, {});
    EXPECT_TRUE(isGuard(launch_.lines[1], launch_, sources_)) << "beside another of its branches";
    launch_.lines.clear();
    branchAt(9, 5, {});
    EXPECT_FALSE(isGuard(branchAt(4, 43, {}), launch_, sources_));
}

TEST_F(Branches, OfALoopThatTheSameLanesGoIntoOnceAreGuards) {
    EXPECT_TRUE(isGuardAt(10, 5, {.first = 24, .oneWay = 0x00ffffff, .otherWay = 0xff000000}));
    EXPECT_FALSE(isGuardAt(10, 5, {})) << "other lanes each time";
}

TEST_F(Branches, OfOneLaneAloneAreGuardsWhicheverItIs) {
    EXPECT_TRUE(isGuardAt(11, 16, {.single = true, .oneWay = 1u << 31, .otherWay = 0x7fffffff}));
    EXPECT_FALSE(isGuardAt(12, 5, {.single = true, .oneWay = 1u << 31, .otherWay = 0x7fffffff}))
        << "the others have an else";
}

// As the machine code of sm_90 has it (nvcc 13.0): each line with whether one lane does it.
TEST(JoinedAtomics, AreThoseThatTheAssemblerJoins) {
    const ProgramSources sources{
        {{"f.cu",
          "struct Queue { int* tail; __device__ int push() { return atomicAdd(tail, 1); }\n"
          "    __device__ void add(int b, int v) {\n"
          "        atomicAdd(&tail[b], v); } };\n"
          "__global__ void k(Queue q, int* t, int* o, int* v, int p) {\n"
          "    int i = blockIdx.x * blockDim.x + threadIdx.x, at;\n"
          "    at = atomicAdd(t, 1);\n"
          "    at = atomicAdd(t, v[i]);\n"
          "    atomicMax(&t[blockIdx.x % 4], v[i]);\n"
          "    at = atomicMax(t, v[i]);\n"
          "    if (p) atomicOr(t, v[i]);\n"
          "    at = atomicSub(t, p);\n"
          "    at = atomicAnd(t, p);\n"
          "    at = q.push();\n"
          "    q.add(p, v[i]);\n"
          "    atomicAdd(&t[threadIdx.x / 32], 1);\n"
          "    o[i] =\n"
          "        atomicMin(t, v[i]);\n"
          "}\n"
          "__global__ void by(Queue q, int* v) { q.add(threadIdx.x / 32, 1); }\n"}},
        {}};
    const auto isJoined = [&](std::uint32_t line, std::uint64_t lanes = 32, const char* in = "k") {
        LaunchReport launch;
        launch.kernel = in;
        ProgramLine atomic;
        atomic.place = {"f.cu", line, 1};
        atomic.kind = AccessKind::atomic;
        atomic.requests = 1;
        atomic.activeLanes = lanes;
        atomic.address = AddressFormula{};
        return isJoinedByAssembler(atomic, launch, sources);
    };
    EXPECT_TRUE(isJoined(6));
    EXPECT_TRUE(isJoined(7)) << "a whole warp, by a sum of those before";
    EXPECT_FALSE(isJoined(7, 31));
    EXPECT_TRUE(isJoined(8));
    EXPECT_FALSE(isJoined(9)) << "what was there is needed by each";
    EXPECT_TRUE(isJoined(10));
    EXPECT_TRUE(isJoined(11));
    EXPECT_FALSE(isJoined(12));
    EXPECT_TRUE(isJoined(1)) << "of a member, in a function";
    EXPECT_TRUE(isJoined(3)) << "of a parameter that the kernel gives one value";
    EXPECT_FALSE(isJoined(3, 32, "by"));
    EXPECT_FALSE(isJoined(15));
    EXPECT_FALSE(isJoined(17)) << "used, on the line before";
}

TEST(NamedElements, OfASharedArrayOfRowsAreNamedByRowAndColumnWhereTheLineHasBoth) {
    const ProgramSources sources{{{"f.cu",
                                   "#define N 32\n"
                                   "__global__ void k(float* a) {\n"
                                   "    __shared__ float t[N][N + 1];\n"
                                   "    t[threadIdx.y][threadIdx.x] = a[0];\n"
                                   "    a[1] = (&t[0])[3][0];\n"
                                   "}\n",
                                   {}}},
                                 {}};
    const auto named = [&](std::uint32_t line, const std::string& words) {
        ProgramTrace trace;
        trace.launches.emplace_back().kernel = "k";
        Finding& finding = trace.findings.emplace_back();
        finding.kind = FindingKind::sharedRace;
        finding.place = {"f.cu", line, 5};
        finding.launch = 0;
        finding.words = words;
        finding.accessed = accessTold(words, {.bytes = 4});
        finding.accessed->offset = 4 * finding.accessed->element;
        nameElements(trace, sources);
        return trace.findings.front().words;
    };
    EXPECT_EQ(named(4, "store to shared t[34], which ..."), "store to shared t[1][1], which ...");
    EXPECT_EQ(named(4, "store to shared t[1056]"), "store to shared t[1056]") << "beyond it";
    EXPECT_EQ(named(4, "load from shared u[34]"), "load from shared u[34]");
    EXPECT_EQ(named(5, "load from shared t[34]"), "load from shared t[34]");
}

TEST(NamedElements, AreOfTheTypeThatTheArrayIsDeclaredAs) {
    const ProgramSources sources{
        {{"f.cu",
          "#include <cuda_runtime.h>\n"
          "constexpr int parts = 2;\n"
          "struct Point {\n"
          "    float x, y;\n"
          "    __host__ __device__ Point(float a = 0) : x(a), y{a} {}\n"
          "    __device__ float length() const { return x * x + y * y; }\n"
          "};\n"
          "typedef struct { Point at[parts]; double weight; char kind = "
          "0; static int all; } Body;\n"
          "struct Node { Node* next; int v : 3; };\n"
          "__device__ Body table[4];\n"
          "template <class T> __global__ void k(Body* b, signed char* c, "
          "float4* v, T* t, Node* n, curandState* r) {\n"
          "    __shared__ Point s[8][9]; extern __shared__ double2 all[];\n"
          "    s[1][2].y = b[0].weight; b[1] = b[2] = none;\n"
          "}\n",
          {}}},
        {}};
    const auto named = [&](const std::string& words, AccessedBytes accessed,
                           FindingKind kind = FindingKind::globalRace) {
        ProgramTrace trace;
        trace.launches.emplace_back().kernel = "k<Point>";
        trace.launches.back().instance = "k<Point>";
        Finding& finding = trace.findings.emplace_back();
        finding.kind = kind;
        finding.place = {"f.cu", 13, 5};
        finding.launch = 0;
        finding.words = words;
        finding.accessed = accessTold(words, accessed);
        nameElements(trace, sources);
        return trace.findings.empty() ? "told once" : trace.findings.front().words;
    };
    constexpr auto beyond = FindingKind::outOfBounds;
    EXPECT_EQ(named("load from b[17], which thread", {68, 4, 320}),
              "load from b[2].at[0].y, which thread")
        << "32 bytes: two points, a double, a character and what is left free";
    EXPECT_EQ(named("store to b[2], which thread", {16, 8, 320}),
              "store to b[0].weight, which thread");
    EXPECT_EQ(named("load from b[0], which", {0, 16, 320}), "load from b[0], which");
    EXPECT_EQ(named("load from c[64], which has 64 elements", {256, 4, 256}, beyond),
              "load from c[256..259], which has 256 elements");
    EXPECT_EQ(named("store to byte 1024 of c, which has 1027 bytes", {1024, 4, 1027}, beyond),
              "store to c[1024..1027], which has 1027 elements");
    EXPECT_EQ(named("store to v[-3], which has 40 elements of 4 bytes", {-12, 4, 160}, beyond),
              "store to v[-1].y, which has 10 elements");
    EXPECT_EQ(named("load from t[3], which", {12, 4, 80}), "load from t[1].y, which");
    EXPECT_EQ(named("load from r[1213], which has 1200 elements", {4852, 4, 4800}, beyond),
              "load from r[101].v[0], which has 100 elements");
    EXPECT_EQ(named("load from table[32], which has 32 elements", {128, 4, 128}, beyond),
              "load from table[4].at[0].x, which has 4 elements");
    EXPECT_EQ(named("store to shared s[23], which", {92, 4, 576}),
              "store to shared s[1][2].y, which");
    EXPECT_EQ(named("load from b[21], which thread", {84, 4, 320, 16}),
              "load from b[21], which thread")
        << "the pointer begins within an element";
    EXPECT_EQ(named("load from n[5], which", {20, 4, 160}), "load from n[5], which")
        << "nothing is known of bit fields";
    EXPECT_EQ(named("store to dynamic shared memory[12], which has 8 elements",
                    {96, 16, 64, 0, AccessKind::sharedStore, "", 0, 0, 112, true}, beyond),
              "store to all[6], which has 4 elements: the launch gives 64 bytes of dynamic shared "
              "memory, and the kernel reaches 112");
    EXPECT_EQ(named("load from b[2], which has 2 elements", {80, 40, 80}, beyond), "told once");
    EXPECT_EQ(named("load from b, which is freed", {0, 4, 320}, FindingKind::useAfterFree),
              "load from b, which is freed");
}

TEST(Reasons, OfRowsThatMeetInBanksSayWhatEndsItAndOfDataThatItDecides) {
    const ProgramSources sources{{{"f.cu",
                                   "__global__ void k(float* a, int* key) {\n"
                                   "    __shared__ float t[16][17];\n"
                                   "    a[0] = t[threadIdx.x][threadIdx.y];\n"
                                   "    a[1] = t[key[threadIdx.x]];\n"
                                   "}\n",
                                   {}}},
                                 {}};
    LaunchReport launch;
    launch.launch = {{8, 1, 1}, {16, 16, 1}};
    ProgramLine line;
    line.place = {"f.cu", 3, 12};
    line.kind = AccessKind::sharedLoad;
    line.array = "t";
    line.requests = 64;
    line.activeLanes = 64 * 32;
    line.wavefronts = 95;
    line.idealWavefronts = 64;
    line.address = AddressFormula{};
    line.address->elementBytes = 4;
    line.address->thread = {68, 4, 0};
    addReason(line, launch, sources);
    EXPECT_EQ(
        line.reason,
        "`t[threadIdx.x][threadIdx.y]`: blockDim.x is 16, so a warp has threads of 2 rows: "
        "the lanes of one have banks of their own, but meet some of the other there. No "
        "padding parts them both along the rows and down the columns. In a block of 32 threads "
        "along x a warp has one row, and one column of padding is enough. Whoever keeps this block "
        "can take the padding away and give each row another order of its columns, the same where "
        "it is written and where it is read; `^` (exclusive or: 1 for each bit that differs) makes "
        "one: `t[r][c ^ (r & "
        "14)]`");
    EXPECT_TRUE(isMild({&line, 1}));
    line.wavefronts = 96;  // two lanes at a bank in half of the requests
    EXPECT_FALSE(isMild({&line, 1}));
    line.place.line = 4;
    line.address.reset();
    line.hasNoFormula = true;
    addReason(line, launch, sources);
    EXPECT_EQ(
        line.reason,
        "`t[key[threadIdx.x]]`: the index is read from memory: it depends on data which lanes "
        "meet in a bank");
    EXPECT_TRUE(isMild({&line, 1}));
}

TEST(Warnings, TellOfEachArrayThatALineAccessesWrongly) {
    ProgramTrace trace;
    for (const char* words : {"load from a[9], which has 9 elements", "load from b[9]",
                              "store to c[9]", "load from a[12], which has 9 elements"}) {
        Finding& finding = trace.findings.emplace_back();
        finding.place = {"f.cu", 1, 5};
        finding.kernel = "k";
        finding.words = words;
    }
    const std::vector<ProgramWarning> all =
        warningsOf(trace, {{{"f.cu", "__global__ void k() {}\n", {}}}, {}});
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[2].words, "store to c[9]");
}

TEST(Warnings, AreNotOfLanesWhoseVectorsLieSideBySide) {
    ProgramLine line;
    line.kind = AccessKind::sharedLoad;
    line.requests = line.idealWavefronts = 1000;
    line.wavefronts = 4000;
    EXPECT_TRUE(breaksCostRule(line, {})) << "each element by itself, 16 bytes apart";
    line.atOnce = 4;
    EXPECT_TRUE(breaksCostRule(line, {})) << "vectors of two rows, which meet";
    line.mostlyApart = 16;
    EXPECT_FALSE(breaksCostRule(line, {})) << "as many bytes as four requests have";
    line.wavefronts = 8000;
    EXPECT_TRUE(breaksCostRule(line, {})) << "vectors that meet in banks as well";
}

TEST(Warnings, TakeAStatusForAnErrorOnlyWhereAllBlocksWereRun) {
    ProgramTrace trace;
    trace.program = "f.cu";
    trace.exit.status = 1;
    LaunchReport& launch = trace.launches.emplace_back();
    launch.compiled = CompiledCount{};
    EXPECT_EQ(warningsOf(trace, {}).size(), 1U) << "what it returned is its verdict";
    EXPECT_NE(verdictInWords(trace), "");
    launch.compiled->exact = false;
    EXPECT_TRUE(warningsOf(trace, {}).empty()) << "elements that it looks at had no thread";
    EXPECT_EQ(verdictInWords(trace), "");
    trace.exit.signal = "SIGSEGV";
    EXPECT_EQ(warningsOf(trace, {}).size(), 1U) << "it crashed all the same";
}

TEST(Warnings, NameEachArrayThatIsNeverFreedAlsoWhereOneNameEndsAsAnother) {
    ProgramTrace trace;
    trace.program = "f.cu";
    for (const char* words : {"fo (256 bytes) is never freed", "o (256 bytes) is never freed",
                              "fo (256 bytes) is never freed"}) {
        Finding& finding = trace.findings.emplace_back();
        finding.kind = FindingKind::neverFreed;
        finding.words = words;
    }
    joinLeaks(trace);
    ASSERT_EQ(trace.findings.size(), 1U) << "one count for check, explain and the window";
    const std::vector<ProgramWarning> all = warningsOf(trace, {});
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].words, "fo (256 bytes), o (256 bytes) are never freed");
    EXPECT_EQ(all[0].place.file, "f.cu") << "the program's, where the place is not known";
    trace.exit.status = 1;
    joinLeaks(trace);
    EXPECT_TRUE(trace.findings.empty()) << "an error ended it before it could free anything";
}

/// What the optimised code does in another line is no waste of this one where it is none there.
TEST(Warnings, AreNotOfWhatTheCompilerPutRightInAnotherLine) {
    LaunchReport launch;
    ProgramLine line;
    line.kind = AccessKind::load;
    line.array = "a";
    line.place = {"f.cu", 6, 9};
    line.requests = 64;
    line.sectors = 256;
    line.idealSectors = 128;
    launch.lines = {line};
    EXPECT_TRUE(breaksCostRule(line, launch)) << "nothing is known of the compiled code";
    ProgramLine compiled = line;
    compiled.source = Source::compiled;
    compiled.place.line = 5;
    compiled.idealSectors = 256;
    launch.lines.push_back(compiled);
    EXPECT_FALSE(breaksCostRule(line, launch));
    launch.lines.back().array = "b";
    EXPECT_TRUE(breaksCostRule(line, launch));
}

TEST(Warnings, ABranchThatPartsTheLanesOfAnAccessIsWhatCosts) {
    LaunchReport launch;
    ProgramLine load;
    load.place = {"f.cu", 5, 9};
    load.requests = 64;
    load.activeLanes = 1024;
    load.sectors = 256;
    load.idealSectors = 128;
    load.address.emplace().thread = {4, 0, 0};
    ProgramLine branch;
    branch.place = {"f.cu", 5, 5};
    branch.kind = AccessKind::branch;
    branch.requests = branch.divergent = 4;
    branch.lanes.emplace();
    branch.lanes->oneWay = 0xaaaaaaaa;
    branch.lanes->otherWay = 0x55555555;
    launch.lines = {load, branch};
    const auto parting = [&] { return partingOf(launch.lines[0], launch); };
    ASSERT_EQ(parting(), &launch.lines[1]);
    EXPECT_EQ(wasteByLine(launch, "f.cu", 5)[4].sectors, 0U);
    EXPECT_EQ(wasteByLine(launch, "f.cu", 5)[4].divergent, 4U);
    EXPECT_EQ(partingOf(launch.lines[1], launch), nullptr) << "a branch itself";
    launch.lines[0].place.line = 7;
    EXPECT_EQ(parting(), &launch.lines[1]) << "of its other arm";
    launch.lines[0].activeLanes = 64 * 8;
    EXPECT_EQ(parting(), nullptr) << "other lanes than go either way";
    launch.lines[0].activeLanes = 1024;
    launch.lines[0].address->thread = {8, 0, 0};
    EXPECT_EQ(parting(), nullptr) << "its lanes would lie apart with all of them, too";
    EXPECT_EQ(wasteByLine(launch, "f.cu", 7)[6].sectors, 128U);
    launch.lines[0].address->thread = {4, 0, 0};
    launch.lines[1].isGuard = true;
    EXPECT_EQ(parting(), nullptr) << "no other way is run for those";
}

TEST(Warnings, NameWhatIsLeftWhereNoLineBreaksARule) {
    LaunchReport launch;
    ProgramLine line;
    line.kind = AccessKind::load;
    line.place = {"f.cu", 6, 9};
    line.requests = 64;
    line.sectors = 320;
    line.idealSectors = 256;
    launch.lines = {line};
    line.place.line = 7;
    line.sectors = 400;
    launch.lines.push_back(line);
    line.place.line = 8;
    line.sectors = 480;
    line.decidedBy = CostDecider::data;
    launch.lines.push_back(line);
    ASSERT_NE(costsALittle(launch), nullptr);
    EXPECT_EQ(costsALittle(launch)->place.line, 7U);
    launch.lines[1].sectors = launch.lines[0].sectors = 281;
    EXPECT_EQ(costsALittle(launch), nullptr) << "less than a tenth";
    launch.lines[1].sectors = 400;
    launch.lines[0].sectors = 512;
    EXPECT_EQ(costsALittle(launch), nullptr) << "what breaks a rule is named as that";
}

TEST(JoinedAtomics, AreDoneOnceForAWarp) {
    ProgramTrace trace;
    ProgramLine line;
    line.kind = AccessKind::sharedAtomic;
    line.requests = 8;
    line.activeLanes = 256;
    trace.launches.emplace_back().lines = {line};
    EXPECT_EQ(costOf(trace, CostMetric::atomics), 256U);
    trace.launches[0].lines[0].isJoined = true;
    EXPECT_EQ(costOf(trace, CostMetric::atomics), 8U);
}

/// Of a line's load of floats that neighbouring lanes take as neighbours, or `step` bytes apart.
class ReasonsOfLines : public testing::Test {
  protected:
    ReasonsOfLines() {
        launch_.launch = {{8, 1, 1}, {64, 1, 1}};
        launch_.kernel = "k";
        line_.kind = AccessKind::load;
        line_.array = "a";
        line_.requests = 16;
        line_.activeLanes = 16 * 32;
        line_.requestedBytes = line_.uniqueBytes = 16 * 128;
        line_.sectors = 16 * 5;
        line_.idealSectors = 16 * 4;
        line_.address.emplace();
        line_.address->thread = {4, 0, 0};
        line_.address->block = {256, 0, 0};
    }
    [[nodiscard]] std::string at(std::uint32_t line) {
        line_.place = {"f.cu", line, 5};
        addReason(line_, launch_, sources_);
        return line_.reason;
    }
    ProgramLine line_;
    LaunchReport launch_;
    ProgramSources sources_{{{"f.cu",
                              "#define WIDTH 48\n"
                              "#define AT(r, c) a[(r) * WIDTH + (c)]\n"
                              "__device__ int at(int r, int c) { return r * 24 + c; }\n"
                              "__global__ void k(const float* a, float* b) {\n"
                              "    auto in = [=](int r, int c) { return c + 12 * r; };\n"
                              "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                              "    b[i] = a[i + 5];\n"
                              "    b[i] = AT(i, 0);\n"
                              "    b[i] = a[at(i, 0)];\n"
                              "    b[i] = a[in(i, 0)];\n"
                              "    b[i] = a[i] + a[i + 5];\n"
                              "}\n",
                              {}}},
                            {}};
};

TEST_F(ReasonsOfLines, ThatAllBeginBesideASectorIsSaidOnlyWhereAllDo) {
    line_.address->start = 20;
    EXPECT_EQ(at(7),
              "`a[i + 5]`: neighbouring lanes are neighbours in memory, but the first of them 20 "
              "bytes past a multiple of 32");
    line_.addresses = 2;
    EXPECT_EQ(at(11),
              "neighbouring lanes are neighbours in memory, but the first of them 20 bytes "
              "past a multiple of 32, in one of 2 accesses");
    line_.addresses = 0;
    line_.address->block[0] = 250;
    EXPECT_EQ(at(7),
              "`a[i + 5]`: neighbouring lanes are neighbours in memory, but blocks are 250 bytes "
              "apart, no multiple of 32");
    line_.sectors = 65;
    EXPECT_NE(at(7), "") << "a little has a reason, too";
}

TEST_F(ReasonsOfLines, NameTheFactorThatStandsInAMacroAFunctionOrALambda) {
    line_.sectors = 16 * 32;
    line_.address->thread[0] = 4 * 48;
    EXPECT_EQ(at(8),
              "neighbouring lanes are 192 bytes apart, because threadIdx.x is multiplied by "
              "WIDTH, in AT");
    line_.address->thread[0] = 4 * 24;
    EXPECT_EQ(at(9),
              "`a[at(i, 0)]`: neighbouring lanes are 96 bytes apart, because threadIdx.x is "
              "multiplied by 24, in at");
    line_.address->thread[0] = 4 * 12;
    EXPECT_EQ(at(10),
              "`a[in(i, 0)]`: neighbouring lanes are 48 bytes apart, because threadIdx.x "
              "is multiplied by 12, in in");
}

TEST(Reasons, OfOneRunAndOfLanesApartAreOfTheAddressesThemselves) {
    const ProgramSources sources{{{"f.cu",
                                   "__global__ void k(const int* in, int* out, int* count) {\n"
                                   "    __shared__ double sh[64];\n"
                                   "    int t = threadIdx.x, p = atomicAdd(count, 1);\n"
                                   "    out[p] = in[t];\n"
                                   "    if (t % 4 == 0) sh[t] += sh[t + 2];\n"
                                   "}\n",
                                   {}}},
                                 {}};
    LaunchReport launch;
    launch.launch = {{8, 1, 1}, {64, 1, 1}};
    ProgramLine store;
    store.place = {"f.cu", 4, 5};
    store.kind = AccessKind::store;
    store.array = "out";
    store.requests = 16, store.activeLanes = 256;
    store.sectors = 42, store.idealSectors = 32, store.uniqueBytes = 1024;
    store.hasNoFormula = true;
    store.mostlyApart = 4;
    addReason(store, launch, sources);
    EXPECT_NE(store.reason.find("in pieces only, which lie apart"), std::string::npos);
    store.isOneRun = true;
    addReason(store, launch, sources);
    EXPECT_EQ(store.reason,
              "`out[p]`: the lanes of a warp lie side by side in one run, which does not begin and "
              "end at multiples of 32 bytes: an atomic says where it begins, and nothing is to be "
              "mended");

    ProgramLine load;
    load.place = {"f.cu", 5, 21};
    load.kind = AccessKind::sharedLoad;
    load.array = "sh";
    load.requests = 16, load.activeLanes = 128;
    load.wavefronts = 32, load.idealWavefronts = 16, load.uniqueBytes = 1024;
    load.address = AddressFormula{};
    load.address->elementBytes = 8;
    load.address->thread = {8, 0, 0};
    load.address->lanesApart = {4, 8};
    load.requestedBytes = 1024;
    addReason(load, launch, sources);
    EXPECT_NE(load.reason.find("the lanes that take part are 8, 16 words apart, and some meet in a "
                               "bank; where of two neighbours only one takes part, both half-warps "
                               "are loaded at once"),
              std::string::npos)
        << load.reason;
    load.address->lanesApart = {1};
    addReason(load, launch, sources);
    EXPECT_NE(load.reason.find("neighbouring lanes are 2 words apart"), std::string::npos);
}

TEST(Addresses, AreToldOfTheMemberThatTheyAreOf) {
    const ProgramSources sources{{{"f.cu",
                                   "struct P { float x, y, vz; };\n"
                                   "__global__ void k(const P* p, float* b) {\n"
                                   "    b[i] = p[i].x + p[i].y * p[i].vz;\n"
                                   "    b[i] = p[i].vz - p[0].vz;\n"
                                   "}\n",
                                   {}}},
                                 {}};
    ProgramLine line;
    line.place = {"f.cu", 3, 5};
    line.array = "p";
    line.address = AddressFormula{.thread = {12, 0, 0}, .block = {768, 0, 0}, .start = 8};
    LaunchReport launch;
    launch.kernel = "k";
    EXPECT_EQ(addressedIn(line, launch, sources), "") << "all that the line accesses";
    line.addresses = 3;
    EXPECT_EQ(addressedIn(line, launch, sources), "p[i].vz");
    line.place.line = 4;
    EXPECT_EQ(addressedIn(line, launch, sources), "") << "of which element is not known";
    line.place.line = 3;
    line.address->block[0] = 4;
    EXPECT_EQ(addressedIn(line, launch, sources), "") << "of one member here, another there";
}

TEST(CalledFunctions, AreNamedWhereTheLineHasOne) {
    EXPECT_EQ(calledIn("y = pow2(x) * float(3);").subject, "`pow2`");
    EXPECT_EQ(calledIn("y = sinf(x) + pow2(x);").subject, "`sinf`");
    EXPECT_EQ(calledIn("y = sinf(x);").slowFrom, "105,615");
    EXPECT_EQ(calledIn("if (f(x)) g(x);").subject, "what is called there");
}

}  // namespace
}  // namespace warplens
