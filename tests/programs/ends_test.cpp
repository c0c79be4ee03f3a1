// How programs end that are none, or that do what a program should not: each is told in a word, and
// nothing stays behind.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>

#include "core/launch/launch.h"
#include "core/text/files.h"
#include "kernels/programs/sandbox.h"
#include "kernels/programs/trace_program.h"
#include "tests/programs/own_cache.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

constexpr const char* head =
    "#include <cstdio>\n#include <cstdlib>\n#include <unistd.h>\n"
    "__global__ void k(int* a) { a[threadIdx.x] = 1; }\n"
    "static void launch() { int* a; cudaMalloc(&a, 128); k<<<1, 32>>>(a); cudaFree(a); }\n";

/// A folder that goes with the test.
class Ends : public testing::Test {
  protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "warplens-ends-XXXXXX").string();
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder = name;
        setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
        if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    }
    void TearDown() override { fs::remove_all(folder); }

    ProgramTrace traceOf(const std::string& source, std::vector<std::string> arguments = {},
                         double secondsPerLaunch = TraceRequest{}.secondsPerLaunch,
                         double secondsMost = TraceRequest{}.secondsMost) {
        const fs::path file = folder / "program.cu";
        std::ofstream(file) << source;
        TraceRequest request;
        request.source.files = {file};
        request.arguments = std::move(arguments);
        request.secondsPerLaunch = secondsPerLaunch;
        request.secondsMost = secondsMost;
        return traceProgram(request).trace;
    }
    ProgramTrace traceOfMain(const std::string& body, std::vector<std::string> arguments = {}) {
        return traceOf(head + ("int main(int count, char** words) { " + body + " }\n"),
                       std::move(arguments));
    }

    fs::path folder;
};

TEST_F(Ends, WhatIsNoProgramIsRefusedInTheCompilersWordsOrOurs) {
    try {
        (void)traceOf(
            "__global__ void k(int* a) {\n    a[0] = 1\n}\nint main() { k<<<1, 1>>>(0); }\n");
        ADD_FAILURE() << "compiled";
    } catch (const CompileFailed& failed) {
        // nvcc names the line that follows what is missing.
        EXPECT_NE(std::string(failed.what()).find("program.cu:3: error: expected a \";\"\n"),
                  std::string::npos)
            << failed.what();
        EXPECT_EQ(std::string(failed.what()).find("detected in"), std::string::npos);
    }
    EXPECT_THROW((void)traceOf("Dear reader,\nthis is a letter.\n"), InvalidRequest);
    // Its kernels may be a library's.
    EXPECT_TRUE(traceOf("int main() { return 0; }\n").launches.empty());
}

TEST_F(Ends, AProgramThatWaitsForInputReadsNoneAndFindsNoFile) {
    const ProgramTrace trace = traceOfMain(
        "int n; FILE* file = fopen(\"data.bin\", \"rb\"); launch();"
        "if (scanf(\"%d\", &n) != 1 && file == nullptr) { puts(\"neither\"); return 1; }");
    EXPECT_EQ(trace.exit.status, 1);
    EXPECT_EQ(trace.exit.output, "neither\n");
    EXPECT_EQ(trace.launches.size(), 1u);
}

TEST_F(Ends, AProgramWhoseFileIsRemovedWhileItRunsKeepsItsLaunches) {
    const fs::path file = folder / "program.cu";
    std::ofstream(file) << head << "int main() { launch(); return 1; }\n";
    TraceRequest request;
    request.source.files = {file};
    const auto removeAll = [&](const LaunchReport&) { fs::remove_all(folder / "cache"); };
    const ProgramTrace trace = traceProgram(request, {.launch = removeAll}).trace;
    EXPECT_FALSE(fs::exists(folder / "cache"));
    EXPECT_EQ(trace.exit.status, 1);
    EXPECT_EQ(trace.launches.size(), 1u);
}

TEST_F(Ends, NotesWithoutEndAreCutAndItIsSaid) {
    // As the runtime writes them: kind, length, and a text with its own length before it.
    const ProgramTrace trace = traceOfMain(
        "static char note[1 << 20] = {3, 0, 0, 0, char(0xf4), char(0xff), 15, 0, 0, 0, 0, 0,"
        "                             char(0xec), char(0xff), 15, 0, 0, 0, 0, 0, 27};"
        "for (int i = 21; i < 1 << 20; ++i) note[i] = 'x';"
        "for (int i = 0; i < 3000; ++i) if (write(3, note, 1 << 20) != 1 << 20) return 1;"
        "launch();");
    EXPECT_EQ(trace.exit.status, 0);
    std::size_t bytes = 0;
    for (const std::string& note : trace.notes) bytes += note.size();
    EXPECT_LT(bytes, 250'000u);
    EXPECT_EQ(trace.launches.size(), 1u);
    ASSERT_GE(trace.notes.size(), 101u);
    EXPECT_TRUE(trace.notes.front().starts_with(" xxx"));
    EXPECT_EQ(trace.notes.back(),
              "the program told more than is kept (100 notes, 512 MiB of launches and findings): "
              "2,900 left out");
}

TEST_F(Ends, AProgramWithADecimalCommaIsTracedAsLongAsItMayBe) {
    const std::string locale = (folder / "xx_XX.UTF-8").string();
    if (std::system(("localedef -i de_DE -f UTF-8 " + locale + " >/dev/null 2>&1").c_str()) != 0) {
        GTEST_SKIP() << "no locale with a decimal comma can be made";
    }
    const fs::path file = folder / "program.cu";
    std::ofstream(file) << "#include <clocale>\n#include <cstdio>\n#include <cstdlib>\n"
                           "__global__ void k(int* a) { a[blockIdx.x * 32 + threadIdx.x] = 1; }\n"
                           "int main() { setenv(\"LOCPATH\", \""
                        << folder.string()
                        << "\", 1);\n"
                           "if (setlocale(LC_ALL, \"xx_XX.UTF-8\") == nullptr) return 1;\n"
                           "int* a; cudaMalloc(&a, 64 * 128); k<<<64, 32>>>(a); cudaFree(a);\n"
                           "printf(\"%.1f\\n\", 0.5); }\n";
    TraceRequest request;
    request.source.files = {file};
    request.secondsPerLaunch = 0.9;
    const ProgramTrace trace = traceProgram(request).trace;
    if (trace.exit.status == 1) GTEST_SKIP() << "the sandbox does not show the locale";
    EXPECT_EQ(trace.exit.output, "0,5\n");
    ASSERT_EQ(trace.launches.size(), 1u);
    EXPECT_TRUE(trace.launches[0].exact)
        << trace.launches[0].blocksTraced << " of 64 blocks traced";
}

TEST_F(Ends, APrintingLoopIsEndedAndKeepsItsLaunches) {
    const ProgramTrace trace =
        traceOfMain("launch(); for (;;) puts(\"again and again and again and again\");");
    EXPECT_EQ(trace.exit.stopped, "it printed more than 64 MiB");
    EXPECT_TRUE(trace.exit.outputCut);
    EXPECT_EQ(trace.launches.size(), 1u);
}

TEST_F(Ends, MemoryBeyondTheLimitIsNotToBeHad) {
    const ProgramTrace trace = traceOfMain(
        "char* device; launch(); return malloc(100ull << 30) == nullptr && "
        "cudaMalloc(&device, 100ull << 30) == cudaErrorMemoryAllocation ? 7 : 0;");
    EXPECT_EQ(trace.exit.status, 7) << trace.exit.stopped;
}

TEST_F(Ends, MemoryThatIsNotUsedIsAllocated) {
    const ProgramTrace trace = traceOf(
        "#include <cstdlib>\nint main() { volatile char* a = (char*)malloc(14ull << 30); "
        "if (!a) return 3; a[1] = 1; return 4; }\n");
    EXPECT_EQ(trace.exit.status, 4);
}

TEST_F(Ends, LaunchesOfALoopThatChangeNothingAreToldByOneOfThem) {
    const ProgramTrace trace = traceOf(R"(
__global__ void twice(const int* a, int* b) { b[threadIdx.x] = 2 * a[threadIdx.x]; }
__global__ void more(int* b) { b[threadIdx.x] += 1; }
int main() {
    int *a, *b, host[32] = {1, 2, 3};
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&b, sizeof host);
    for (int i = 0; i < 500; ++i) {
        cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
        twice<<<1, 32>>>(a, b);
    }
    for (int i = 0; i < 5; ++i) more<<<1, 32>>>(b);
    host[0] = 7;
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    twice<<<1, 32>>>(a, b);
    for (int i = 0; i < 2; ++i) more<<<1, 32>>>(b);
    cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    return host[0];
}
)");
    EXPECT_EQ(trace.exit.status, 16);
    ASSERT_EQ(trace.launches.size(), 508u);
    EXPECT_TRUE(std::ranges::any_of(trace.notes, [](const std::string& note) {
        return note.starts_with("498 launches repeat one before them");
    }));
    for (const LaunchReport& launch : trace.launches) EXPECT_TRUE(launch.exact) << launch.index;
}

TEST_F(Ends, WhereTheHostWasWhenItsTimeWasOverIsSaid) {
    const ProgramTrace trace = traceOf(std::string(head) + R"(
int main() {
    launch();
    volatile double sum = 0;
    for (;;)
        sum = sum + 1;
}
)",
                                       {}, 1, 8);
    EXPECT_FALSE(trace.exit.stopped.empty());
    EXPECT_EQ(trace.launches.size(), 1u);
    EXPECT_TRUE(std::ranges::any_of(trace.notes, [](const std::string& note) {
        return note.starts_with("when the time for the program was over it was in its own code") &&
               note.find(".cu:") != std::string::npos;
    }));
}

TEST_F(Ends, AKernelThatDoesNotEndIsToldAtItsLoop) {
    const ProgramTrace trace = traceOf(
        "__global__ void wait(int* p) {\n"
        "    while (p[0] == 0);\n"
        "}\n"
        "int main() { int* p; cudaMalloc(&p, 128); cudaMemset(p, 0, 128); wait<<<1, 32>>>(p);\n"
        "cudaDeviceSynchronize(); cudaFree(p); }\n",
        {}, 1, 4);
    ASSERT_EQ(trace.findings.size(), 1u);
    EXPECT_EQ(trace.findings[0].kind, FindingKind::endlessLoop);
    EXPECT_EQ(trace.findings[0].place.line, 2u);
}

TEST_F(Ends, ACrashOnTheHostIsToldAtItsLine) {
    const ProgramTrace trace = traceOfMain("launch();\nint* none = nullptr; *none = count;");
    EXPECT_EQ(trace.exit.signal, "SIGSEGV");
    ASSERT_EQ(trace.findings.size(), 1u);
    EXPECT_EQ(trace.findings[0].kind, FindingKind::crash);
    EXPECT_EQ(trace.findings[0].place.line, 7u);
}

TEST_F(Ends, AThreadThatItStartsMayCallCuda) {
    const ProgramTrace trace =
        traceOf(std::string("#include <thread>\n") + head +
                "int main() { launch(); std::thread(launch).join(); puts(\"both\"); }\n");
    EXPECT_EQ(trace.exit.status, 0);
    EXPECT_EQ(trace.exit.output, "both\n");
    EXPECT_EQ(trace.launches.size(), 2u);
    EXPECT_TRUE(trace.findings.empty());
}

TEST_F(Ends, AFaultOfTheLastOfManyBlocksIsFound) {
    const char* source =
        "__global__ void add(const float* a, float* b, int n) {\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i <= n) b[i] = a[i];\n}\n"
        "int main() { int n = 19999900; float *a, *b;\n"
        "    cudaMallocManaged(&a, n * 4ull); cudaMalloc(&b, n * 4ull);\n"
        "    add<<<(n + 255) / 256, 256>>>(a, b, n); cudaFree(a); cudaFree(b); }\n";
    // All blocks are looked at; a tenth of them at most.
    for (const double seconds : {100.0, 0.01}) {
        const ProgramTrace trace = traceOf(source, {}, seconds);
        ASSERT_EQ(trace.launches.size(), 1u);
        EXPECT_EQ(trace.launches[0].exact, seconds > 1);
        std::vector<Finding> beyond = trace.findings;
        std::erase_if(beyond, [](const Finding& finding) {
            return finding.kind != FindingKind::outOfBounds;
        });
        ASSERT_EQ(beyond.size(), 2u);
        for (const Finding& finding : beyond) {
            EXPECT_EQ(finding.block->x, 78124u);
        }
        const bool isNoted =
            !trace.notes.empty() &&
            trace.notes.back().find("blocks that were traced, of 78125") != std::string::npos;
        EXPECT_EQ(isNoted, seconds < 1);
    }
}

TEST_F(Ends, AFindingCountsAccessesAndNotTheirWords) {
    const ProgramTrace trace = traceOf(
        "__global__ void k(double* a, float4* b) {\n"
        "    __shared__ double s[32]; __shared__ float4 q[32];\n"
        "    a[threadIdx.x] = s[threadIdx.x];\n    b[threadIdx.x] = q[threadIdx.x];\n}\n"
        "int main() { double* a; float4* b; cudaMalloc(&a, 256); cudaMalloc(&b, 512);\n"
        "    k<<<1, 32>>>(a, b); cudaFree(a); cudaFree(b); }\n");
    ASSERT_EQ(trace.findings.size(), 2u);
    for (const Finding& finding : trace.findings) {
        EXPECT_EQ(finding.kind, FindingKind::uninitialisedShared);
        EXPECT_EQ(finding.times, 32u);
    }
}

TEST_F(Ends, WhatItTimesWithEventsIsToldToBeTheTracesTime) {
    const ProgramTrace trace = traceOfMain(
        "cudaEvent_t from, to; cudaEventCreate(&from); cudaEventCreate(&to);"
        "cudaEventRecord(from); launch(); cudaEventRecord(to); float ms;"
        "for (int i = 0; i < 3; ++i) cudaEventElapsedTime(&ms, from, to);");
    ASSERT_EQ(trace.notes.size(), 1u);
    EXPECT_EQ(trace.notes[0],
              "times between the program's events are those of running it here, not a device's");
}

TEST_F(Ends, ItStartsThreadsButNoProcesses) {
    const ProgramTrace trace =
        traceOf(std::string("#include <thread>\n#include <sys/syscall.h>\n") + head +
                "int main() {\n    int made = 0;\n"
                "    for (int i = 0; i < 200; ++i) {\n"
                "        long child = i % 2 ? fork() : syscall(SYS_fork);\n"
                "        if (child == 0) { sleep(1); _exit(0); }\n"
                "        made += child > 0;\n    }\n"
                "    std::thread([] { puts(\"a thread\"); }).join();\n"
                "    launch();\n    return made;\n}\n");
    EXPECT_EQ(trace.exit.status, 0);
    EXPECT_EQ(trace.exit.output, "a thread\n");
    EXPECT_EQ(trace.launches.size(), 1u);
    EXPECT_EQ(std::count(trace.notes.begin(), trace.notes.end(),
                         "the program may start no other process: fork() fails"),
              1);
}

TEST_F(Ends, WhatItWritesGoesWithItWhereItIsHeld) {
    if (!Sandbox::ofThisMachine().holds()) GTEST_SKIP() << Sandbox::ofThisMachine().notHeld();
    const fs::path left = folder / "left.txt";
    const fs::path there = folder / "there.txt";
    std::ofstream(there) << "56";
    const ProgramTrace trace =
        traceOf(std::string("#include <fstream>\n") + head +
                    "int main(int, char** words) {\n    launch();\n    int read = 0;\n"
                    "    std::ofstream(words[1]) << 3;\n    std::ifstream(words[1]) >> read;\n"
                    "    FILE* file = fopen(words[1], \"a\");\n    fputs(\"4\", file);\n"
                    "    fclose(file);\n    file = fopen(words[1], \"r\");\n    int both = 0;\n"
                    "    std::fstream known(words[2]);\n    int before = 0;\n    known >> before;\n"
                    "    known.clear();\n    known.seekp(0);\n    known << 7;\n    known.close();\n"
                    "    int after = 0;\n    std::fstream(words[2]) >> after;\n"
                    "    return fscanf(file, \"%d\", &both) == 1 && read == 3 && both == 34 &&\n"
                    "           before == 56 && after == 76 ? 0 : 1;\n}\n",
                {left.string(), there.string()});
    EXPECT_EQ(trace.exit.status, 0);
    EXPECT_FALSE(fs::exists(left));
    EXPECT_EQ(readFile(there), "56");
    ASSERT_EQ(trace.notes.size(), 1u);
    EXPECT_EQ(trace.notes[0],
              "files that the program writes, as " + left.string() + ", are gone when it ends");
}

TEST_F(Ends, ALibraryThatIsNotThereIsNamedWhereItIsCalled) {
    const ProgramTrace trace = traceOf(std::string("extern \"C\" void sgemm_();\n") + head +
                                       "int main() { launch();\n    sgemm_();\n}\n");
    EXPECT_EQ(trace.launches.size(), 1u);
    ASSERT_EQ(trace.findings.size(), 1u);
    EXPECT_EQ(trace.findings[0].kind, FindingKind::notSupported);
    EXPECT_EQ(trace.findings[0].words,
              "the program calls sgemm_, a function of a library that is not linked: it ends "
              "here");
    EXPECT_EQ(trace.findings[0].place.line, 8u);
}

TEST_F(Ends, WhatDrawsIsPassedOver) {
    const ProgramTrace trace = traceOf(
        std::string("extern \"C\" void glutInit(); extern \"C\" void glutDisplayFunc(void (*)()); "
                    "extern \"C\" void glutMainLoop();\n") +
        head + "int main() { glutInit(); glutDisplayFunc(launch); glutMainLoop(); return 7; }\n");
    EXPECT_EQ(trace.launches.size(), 1u);
    EXPECT_TRUE(trace.findings.empty());
    EXPECT_EQ(trace.exit.status, 0);
    EXPECT_FALSE(trace.notes.empty());
}

TEST_F(Ends, AFunctionWithoutItsReturnGoesOn) {
    const ProgramTrace trace =
        traceOf(std::string("int told(bool ask);\n") + head +
                "int told(bool ask) { if (ask) launch(); }\nint main() { told(true); told(false); "
                "return 7; }\n");
    EXPECT_EQ(trace.exit.status, 7);
    EXPECT_EQ(trace.launches.size(), 1u);
}

/// Headers of ours have template parameters of that name.
TEST_F(Ends, AMacroOfTheCommandLineReachesTheProgramAndNoHeaderOfOurs) {
    std::ofstream(folder / "program.cu")
        << "__global__ void k(int* a) { a[threadIdx.x] = N; }\n"
           "int main() { int* a; cudaMalloc(&a, 4 * N); k<<<1, N>>>(a); cudaFree(a); return N; }\n";
    TraceRequest request;
    request.source.files = {folder / "program.cu"};
    request.source.defines = {"N=64"};
    const ProgramTrace trace = traceProgram(request).trace;
    EXPECT_EQ(trace.exit.status, 64);
    EXPECT_EQ(trace.launches.size(), 1u);
}

TEST_F(Ends, WhatIsTracedAgainInAnotherOrderOfThreadsIsNeitherPrintedNorLeft) {
    const ProgramTrace trace = traceOf(
        "#include <cstdio>\n__global__ void k(int* a) {\n"
        "    int came = atomicAdd(a, 1);\n"
        "    if (came == 0) printf(\"first: %d\\n\", threadIdx.x);\n"
        "    if (threadIdx.x == 0) a[came + 1] = 1;\n}\n"
        "int main() { int* a; int got[2]; cudaMalloc(&a, 1024); cudaMemset(a, 0, 1024); k<<<1, "
        "64>>>(a);"
        "cudaMemcpy(got, a, sizeof got, cudaMemcpyDeviceToHost); cudaFree(a);"
        "return got[0] == 64 && got[1] == 1 ? 0 : 1; }\n");
    EXPECT_EQ(trace.exit.status, 0);
    EXPECT_EQ(trace.exit.output, "first: 0\n");
    EXPECT_TRUE(trace.findings.empty());
}

TEST_F(Ends, TimeThatIsOverInTheMidstOfAnAllocationIsToldAll) {
    const std::string source =
        head +
        std::string("int main() { launch(); for (long i = 1;; ++i) free(malloc(i % 9000)); }");
    const ProgramTrace trace = traceOf(source, {}, 1, 2);
    EXPECT_EQ(trace.exit.signal, "SIGKILL");
    EXPECT_FALSE(trace.exit.stopped.empty());
    EXPECT_EQ(trace.launches.size(), 1u);
    EXPECT_TRUE(std::ranges::any_of(trace.notes, [](const std::string& note) {
        return note.find("in its own code on the host") != std::string::npos &&
               note.find("program.cu:") != std::string::npos;
    }));
}

TEST_F(Ends, AfterALaunchThatWasCutShortThoseLikeItAreLeftOut) {
    const ProgramTrace trace = traceOf(
        "__global__ void work(float* a, int n) {\n"
        "    for (int i = 0; i < n; ++i) a[(blockIdx.x * 97 + threadIdx.x + i) % 4096] += i;\n}\n"
        "int main() {\n"
        "    for (int i = 0; i < 4; ++i) {\n"
        "        float* a; cudaMalloc(&a, 4096 * sizeof(float));\n"
        "        cudaMemset(a, 0, 4096 * sizeof(float));\n"
        "        work<<<1 << 20, 256>>>(a, i == 3 ? 3000 : 1000);\n    }\n"
        "    cudaDeviceSynchronize();\n}\n",
        {}, 0.2, 4);
    ASSERT_EQ(trace.launches.size(), 2u);  // with another array each time, or with another number
    EXPECT_EQ(trace.launches[0].index, 0u);
    EXPECT_EQ(trace.launches[1].index, 3u);
    EXPECT_TRUE(std::ranges::any_of(trace.notes, [](const std::string& note) {
        return note.starts_with("2 launches were not run");
    }));
}

TEST_F(Ends, OfThousandsOfLaunchesTheFirstAreToldAndThoseThatAreLikeNone) {
    const ProgramTrace trace = traceOf(
        "#include <cstdio>\n"
        "__global__ void add(int* a, int n) { a[threadIdx.x] += n; }\n"
        "int main() {\n"
        "    int* a; cudaMallocManaged(&a, 128); cudaMemset(a, 0, 128);\n"
        "    for (int i = 0; i < 2010; ++i) add<<<1, 32>>>(a, i == 2007 ? 1000 : 1);\n"
        "    cudaDeviceSynchronize();\n    std::printf(\"%d\", a[31]);\n}\n");
    EXPECT_EQ(trace.exit.output, "3009");  // all were run
    ASSERT_EQ(trace.launches.size(), 2001u);
    EXPECT_EQ(trace.launches.back().index, 2007u);
    EXPECT_FALSE(trace.launches.back().lines.empty());
    EXPECT_TRUE(std::ranges::any_of(trace.notes, [](const std::string& note) {
        return note.starts_with("9 of the launches behind the first 2000 are like ones before");
    }));
}

TEST_F(Ends, AFileThatIsThereAndNotToBeReadIsNamed) {
    const fs::path other = fs::path(PROGRAM_FOLDER) / "CMakeLists.txt";
    const std::string name = fs::relative(other).string();
    const ProgramTrace trace =
        traceOfMain("FILE* file = fopen(\"" + name + "\", \"r\"); return file == nullptr;");
    EXPECT_EQ(trace.exit.status, 1);
    EXPECT_TRUE(std::ranges::any_of(trace.notes, [&](const std::string& note) {
        return note == "it names " + name + ", which lies outside of what it may read: -I " +
                           fs::path(name).parent_path().string() + " lets it";
    }));
}

TEST_F(Ends, WhatIsNotedAtTheEndComesAfterNotesOfLaunches) {
    // What is freed by then is filled with something else, so that who reads it ends.
    const ProgramTrace trace = traceOf(
        "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n"
        "__global__ void read(const int* a, int* b) { if (a[threadIdx.x] == 7) b[0] = 1; }\n"
        "static void fill() {\n"
        "    for (size_t bytes = 16; bytes < 512; bytes += 8)\n"
        "        for (int i = 0; i < 64; ++i) memset(malloc(bytes), 0xa5, bytes);\n}\n"
        "int main() {\n"
        "    int *a, *b; cudaMalloc(&a, 128); cudaMalloc(&b, 4); cudaMemset(a, 0, 128);\n"
        "    cudaEvent_t from, to; cudaEventCreate(&from); cudaEventCreate(&to);\n"
        "    for (int i = 0; i < 3; ++i) {\n"
        "        cudaEventRecord(from); read<<<1, 32>>>(a, b); cudaEventRecord(to);\n"
        "        if (i == 0) atexit(fill);\n"
        "        cudaEventSynchronize(to); float ms; cudaEventElapsedTime(&ms, from, to);\n    }\n"
        "    cudaFree(a); cudaFree(b); puts(\"ended\");\n}\n");
    EXPECT_EQ(trace.exit.signal, "");
    EXPECT_EQ(trace.exit.output, "ended\n");
    EXPECT_GE(trace.notes.size(), 2u);  // of the events' times, and of launches that repeat
}

}  // namespace
}  // namespace warplens
