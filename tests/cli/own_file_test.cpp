// A person's own file as people name it, give it and run it.
#include <algorithm>
#include <array>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace warplens {
namespace {

using namespace tests;

TEST(OwnFile, IsToldOfInItsOwnWordsAndNotTheToolsBehindIt) {
    const ProgramRun run = runOwn(R"sh(
        echo '#include <cassert>
        template <int N> __global__ void k(int* a) { if (threadIdx.x <= 6) a[threadIdx.x * N] = 1; }
        int main() { int* a; cudaMalloc(&a, 4 * 32); k<4><<<1, 7>>>(a); k<2><<<1, 7>>>(a); assert(!a); }' >a.cu
        echo '__global__ void edge(int* a, int n) { int i = threadIdx.x; if (i <= n) a[i] = 1; }
        int main() { int n = 20; int* a; cudaMalloc(&a, 4 * n); edge<<<1, 32>>>(a, n); cudaFree(a); }' >edge.cu
        cp edge.cu other.cu
        "$WARPLENS" predict a.cu >a.txt; grep 'Assertion' a.txt | sed 's/:.*Assert/: Assert/'
        "$WARPLENS" annotate a.cu | grep -o 'k<[24]>: .a\[threadIdx.x \* N\]'
        "$WARPLENS" explain edge.cu | grep -o 'if (i <.*= 1;' | tail -n 1
        "$WARPLENS" occupancy edge.cu --block 32 2>/dev/null | grep -c '^[1-3]\.'
        "$WARPLENS" explain edge.cu other.cu 2>&1; "$WARPLENS" predict edge.cu --cc 3.0 2>&1 | sed 's/[0-9.]* does.*/does/'
        "$WARPLENS" predict edge.cu --cc 9 2>&1; true)sh");
    EXPECT_EQ(run.output,
              "a: Assertion `!a' failed.\n"
              "k<2>: `a[threadIdx.x * N]\nk<4>: `a[threadIdx.x * N]\n"
              "if (i < n) a[i] = 1;\n"
              "0\n"
              "warplens: edge.cu and other.cu have a main each, and files given together are one "
              "program: give one of them at a time\n"
              "warplens: --cc = '3.0': nvcc does\n"
              "warplens: --cc = '9': a compute capability, as in 9.0\n");
}

TEST(OwnPredict, BuildsAProgramAsItsMakefileDoes) {
    const ProgramRun run = runOwn(R"sh(mkdir inc
        echo '#define TWICE (2 * N)' >inc/twice.h
        echo '__global__ void k(int* a) { a[threadIdx.x] = 1; }
        int count();
        int main() { int* a; cudaMalloc(&a, 4 * count()); k<<<1, count()>>>(a); cudaFree(a); }' >a.cu
        printf '#include <twice.h>\nint count() { return TWICE; }\n' >b.cpp
        echo 'int main() { return 1; }' >other.cu
        printf 'all: prog other\nprog: a.o b.o\n\tnvcc -o $@ $^\nother: other.cu\n\tnvcc -o $@ $<\n' >Makefile
        printf '%%.o: %%.cu\n\tnvcc -arch sm_70 -c $< -o $@\n%%.o: %%.cpp\n\tg++ -Iinc -D "N=16" -c $<\n' >>Makefile
        "$WARPLENS" predict a.cu --build make >with.txt && grep -om1 'k <<<1, 32>>>' with.txt
        grep -o 'as make builds prog: a.cu, b.cpp' with.txt
        echo '[{"directory": "'$PWD'", "file": "a.cu", "command": "nvcc -DN=3 -c a.cu"}]' >c.json
        "$WARPLENS" predict a.cu b.cpp -I inc --build c.json | grep -om1 'k <<<1, 6>>>'
        "$WARPLENS" predict a.cu --build 'rm -rf x'; echo $?
        ls)sh");
    EXPECT_EQ(run.output,
              "k <<<1, 32>>>\nas make builds prog: a.cu, b.cpp\nk <<<1, 6>>>\n2\nMakefile\na.cu\n"
              "b.cpp\nc.json\ninc\nother.cu\nwith.txt\n");
    EXPECT_EQ(
        run.errors,
        "warplens: --build = 'rm -rf x': a call of make or of cmake --build, or the path of a "
        "compile_commands.json\n");
}

/// As CMake writes them: what is included stands in a file of options; and a Makefile of all lies
/// above the sources.
TEST(OwnPredict, TakesFilesOfOptionsAndAMakefileAboveTheSources) {
    const ProgramRun run = runShell(R"sh(
        mkdir src inc build
        printf '#define N 6\n' > inc/n.h
        printf '#include "n.h"\n__global__ void k() {}\nint main() { k<<<1, N>>>(); }\n' > src/a.cu
        printf -- '-I%s\n' "$PWD/inc" > build/includes.rsp
        printf '[{"directory": "%s", "file": "%s", "command": "nvcc --options-file includes.rsp -x cu -c %s -o a.o"}]' \
            "$PWD/build" "$PWD/src/a.cu" "$PWD/src/a.cu" > build/c.json
        printf 'prog: src/a.cu\n\tnvcc -Iinc -o prog src/a.cu\n' > Makefile
        "$WARPLENS" predict src/a.cu --build build/c.json | grep -o 'k <<<[^>]*>>>'
        "$WARPLENS" predict src/a.cu --build make | grep -o 'k <<<[^>]*>>>')sh");
    EXPECT_EQ(run.output, "k <<<1, 6>>>\nk <<<1, 6>>>\n") << run.errors;
}

/// As CMake has it: what links stands in files of its own, some of it goes into a library first,
/// and a list of commands lies beside the rest. The program's main is not in the file that is
/// named.
TEST(OwnCheck, TakesTheProgramThatABuildLinks) {
    const ProgramRun run = runShell(R"sh(
        mkdir src build
        printf '__global__ void k(float* a, int n) { a[threadIdx.x * n] = 1; }\nvoid run(float* a, int n) { k<<<1, 32>>>(a, n); }\n' > src/k.cu
        printf '#include <cuda_runtime.h>\nvoid run(float*, int);\nint main() { float* a; cudaMalloc(&a, 32 * N * 4); run(a, N); cudaFree(a); }\n' > src/main.cpp
        cp src/main.cpp src/other.cpp
        echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" > build/CMakeCache.txt
        printf 'all:\n\tnvcc -c %s -o k.o\n\tcmake -E cmake_link_script lib.txt\n\tg++ -DN=3 -c %s -o main.o\n\tcmake -E cmake_link_script link.txt\n' "$PWD/src/k.cu" "$PWD/src/main.cpp" > build/Makefile
        printf 'ar qc libk.a k.o\nranlib libk.a\n' > build/lib.txt
        printf 'g++ main.o -o app libk.a\n' > build/link.txt
        printf '[{"directory": "%s", "file": "%s", "command": "nvcc -c %s -o k.o"}]' "$PWD/build" "$PWD/src/k.cu" "$PWD/src/k.cu" > build/compile_commands.json
        "$WARPLENS" check src/k.cu --build 'cmake --build build'
        "$WARPLENS" check src/k.cu --build build/compile_commands.json
        "$WARPLENS" check src/main.cpp src/k.cu -D N=4
        rm build/CMakeCache.txt
        "$WARPLENS" check src/k.cu --build build/compile_commands.json | grep note
        "$WARPLENS" explain --no-remedies src/k.cu | head -1)sh");
    const auto sectors = [](int bytes) {
        return "src/k.cu:1:30: warning: a: " + std::to_string(bytes) +
               " sectors where 4 would do; `a[threadIdx.x * n]`: neighbouring lanes are " +
               std::to_string(bytes) +
               " bytes apart, because threadIdx.x is multiplied by n "
               "[uncoalesced-store]\n1 program: 1 warning\n";
    };
    const std::string invented =
        "no program calls run: called with n = 1000; a: n elements, random\n";
    EXPECT_EQ(run.output, sectors(12) + sectors(12) + sectors(16) + "note: src/k.cu: " + invented +
                              "note: src/k.cu: as build/compile_commands.json builds it: k.cu\n" +
                              "note: " + invented)
        << run.errors;
}

TEST(OwnPredict, BuildsAProgramFromOutsideOfItsTree) {
    const ProgramRun run = runShell(R"sh(
        mkdir -p p/src p/inc p/build p/made x
        printf '#define N 6\n' > p/inc/n.h
        printf '#include "n.h"\n__global__ void k() {}\nint main() { k<<<1, N>>>(); }\n' > p/src/a.cu
        printf 'prog: src/a.cu\n\tnvcc -Iinc -o prog src/a.cu\n' > p/Makefile
        at() { grep -o 'k <<<[^>]*>>>'; }
        (cd p/build && "$WARPLENS" predict ../src/a.cu --build "make -C .." | at)
        (cd x && "$WARPLENS" predict ../p/src/a.cu --build "make -C $PWD/../p" | at)
        (cd x && "$WARPLENS" predict ../p/src/a.cu --build "cd ../p && make" | at)
        # As CMake has it, whose makefiles depend on what they were made of.
        echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD/p" > p/made/CMakeCache.txt
        printf 'prog: %s\n\tnvcc -I%s -o prog %s\n' "$PWD/p/src/a.cu" "$PWD/p/inc" "$PWD/p/src/a.cu" > p/made/Makefile
        (cd x && "$WARPLENS" predict ../p/src/a.cu --build "cmake --build ../p/made --target prog" | at)
        (cd p/made && "$WARPLENS" predict ../src/a.cu --build "cmake --build ." | at)
        mkdir lib && echo 'FLAGS = -Iinc' > lib/all.mk
        printf 'prog: %s/lib/all.mk src/a.cu\n\tnvcc -Iinc -o prog src/a.cu\n' "$PWD" > p/Makefile
        (cd x && "$WARPLENS" predict ../p/src/a.cu --build "make -C ../p" -I ../lib | at)
        (cd x && "$WARPLENS" predict ../p/src/a.cu --build "make -C ../p")
    )sh");
    EXPECT_EQ(
        run.output,
        "k <<<1, 6>>>\nk <<<1, 6>>>\nk <<<1, 6>>>\nk <<<1, 6>>>\nk <<<1, 6>>>\nk <<<1, 6>>>\n")
        << run.errors;
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_TRUE(holds(run.errors, "and sees of this machine's files ")) << run.errors;
    EXPECT_TRUE(holds(run.errors, "-I FOLDER lets it see that folder, too")) << run.errors;
}

TEST(OwnPredict, RefusesWhatWouldChangeNothing) {
    for (const auto& [options, says] :
         {std::pair{"--launch 2", "--launch = 2: at most 1"},
          {"--kernel none", "--kernel = 'none': one that is launched: byColumn, byRow"},
          {"--set M=5", "--set = 'M=5': a name that the program uses"},
          {"-D 3x=1", "-D = '3x=1': a macro's name, as in N=512"},
          {"-D =1", "-D = '=1': a macro's name, as in N=512"}}) {
        const ProgramRun run = runOwn("\"$WARPLENS\" predict \"$OWN\" " + std::string(options));
        EXPECT_EQ(run.exitCode, 2) << options;
        EXPECT_EQ(run.output, "") << options;
        EXPECT_EQ(run.errors, std::string("warplens: ") + says + '\n');
    }
    for (const auto& [options, says] :
         {std::pair{"--set N=8",
                    "--set = 'N=8': a macro that the program leaves open; d.cu:1 "
                    "defines it, with no #ifndef N around it"},
          {"-D N=8",
           "-D = 'N=8': a macro that the program leaves open; d.cu:1 defines it, with "
           "no #ifndef N around it"},
          {"--set n=50",
           "--set = 'n': a macro; here it is another name, and the program's own "
           "arguments go after --"}}) {
        const ProgramRun run = runOwn(
            "printf '#define N 4\\n#ifndef M\\n#define M 1\\n#endif\\n#if M == 3\\n#endif\\n"
            "__global__ void k(int n) {}\\n"
            "int main() { k<<<N, M>>>(1); }\\n' > d.cu\n"
            "\"$WARPLENS\" predict d.cu --set M=2 " +
            std::string(options));
        EXPECT_EQ(run.exitCode, 2) << options;
        EXPECT_EQ(run.errors, std::string("warplens: ") + says + '\n');
    }
    const ProgramRun one = runOwn(R"("$WARPLENS" predict "$OWN" --kernel byRow -D 'F(x)=x')");
    EXPECT_EQ(one.exitCode, 0) << one.errors;
}

TEST(OwnFile, TellsOfALineWithALoopOnItTheBranchThatDiverges) {
    const ProgramRun run = runOwn(R"sh(
        cat >line.cu <<'END'
__global__ void arms(float* a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = a[i];
    if (i % 2) for (int k = 0; k < 20; k++) v = v * 1.5f + 1;
    else for (int k = 0; k < 20; k++) v = v / (v + 3);
    a[i] = v;
}
END
        main_of 'float* a' '4096' 'arms<<<8, 128>>>(a);' >>line.cu
        "$WARPLENS" check line.cu
        "$WARPLENS" explain line.cu:4 | grep -o 'diverge .* of the .* times'
        "$WARPLENS" annotate line.cu | grep 'branches diverge'
        "$WARPLENS" figure line.cu -o f.svg && grep -o 'Line 4: In [^;]*' f.svg)sh");
    EXPECT_TRUE(holds(run.output, "line.cu:4:5: warning: warps diverge 32 of the 32 times"));
    EXPECT_TRUE(holds(run.output, "every warp has both"));
    EXPECT_TRUE(holds(run.output, "\ndiverge 32 of the 32 times\n"));
    EXPECT_TRUE(holds(run.output, "32 of 704 branches diverge"));
    EXPECT_TRUE(holds(run.output, "Line 4: In 32 of 32 cases some lanes of the warp go one way"));
}

TEST(OwnPredict, MakesTheGridOfOtherBlocksCoverAsManyThreads) {
    const ProgramRun run = runOwn(R"sh(
        echo '__global__ void row(int* a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = i; }
        __global__ void plane(int* a, int w) { int x = blockIdx.x * blockDim.x + threadIdx.x;
          unsigned y = blockDim.y * blockIdx.y + threadIdx.y; if (x < w && y < 64) a[y * w + x] = 1; }
        __global__ void fixed(int* a) { a[blockIdx.x * 32 + threadIdx.x] = 1; }
        __global__ void sums(int* a, int w) { for (int i = threadIdx.x; i < w; i += blockDim.x) a[blockIdx.x * w + i] = 1; }
        int main() { int* a; cudaMalloc(&a, 4 << 14);
          row<<<53, 192>>>(a, 10007); plane<<<dim3(4, 8), dim3(32, 8)>>>(a, 100); fixed<<<8, 32>>>(a);
          sums<<<8, 64>>>(a, 100); cudaFree(a); }' >a.cu
        "$WARPLENS" predict a.cu --block 33 >row.txt; grep -o '^launch.*' row.txt | sed 's/a.cu:[0-9:]*//'
        "$WARPLENS" predict a.cu --block 7,3,5 --kernel plane | grep "^launch 1" | grep -o '<<<.*'
        "$WARPLENS" predict a.cu --block 33 --grid 5 --kernel row --markdown | tail -n 1 | cut -d'|' -f4-5
        "$WARPLENS" annotate a.cu --block 16 --kernel fixed | tail -n 1
        "$WARPLENS" explain a.cu --block 33 --kernel row --no-remedies | head -n 1
        "$WARPLENS" predict a.cu --block 0,3; echo $?; "$WARPLENS" predict a.cu --block 33,33; echo $?)sh");
    EXPECT_EQ(run.output,
              "launch 0  row <<<309, 33>>>    (as asked for: grid 53 -> 309, to cover as many "
              "threads)\n"
              "launch 1  plane <<<dim3(4, 64), 33>>>    (as asked for: grid 4,8 -> 4,64, to cover "
              "as many threads)\n"
              "launch 2  fixed <<<8, 33>>>    (as asked for, not as the program has it)\n"
              "launch 3  sums <<<8, 33>>>    (as asked for: 264 of the program's 512 threads; what "
              "the others do may be left out)\n"
              "<<<dim3(19, 22), dim3(7, 3, 5)>>>  a.cu:7:11  (as asked for: grid 4,8 -> 19,22, to "
              "cover as many threads)\n"
              " 5 | 33 \n"
              "!  a.cu:7: fixed <<<8, 16>>>: as asked for: 128 of the program's 256 threads; what "
              "the others do may be left out\n"
              "a.cu:7: row <<<309, 33>>>: as asked for: grid 53 -> 309, to cover as many threads\n"
              "2\n2\n");
    EXPECT_EQ(run.errors,
              "warplens: block x = 0: at least 1\n"
              "warplens: threads per block = 33,33 = 1089: at most 1024\n");
}

TEST(OwnSweep, TellsWhereTheRowsAreNotOfTheSameWork) {
    const ProgramRun run =
        runOwn(R"("$WARPLENS" sweep "$OWN" --over block.x=64,128 --csv | cut -d, -f1,3,4,5,6)");
    EXPECT_EQ(run.output,
              "point,kernel,grid,block,threads\n"
              "block.x=64,byRow,8,64,512\nblock.x=64,byColumn,8,64,512\n"
              "block.x=128,byRow,4,128,512\nblock.x=128,byColumn,4,128,512\n");
    EXPECT_EQ(run.errors, "");
    const ProgramRun kept = runOwn(R"sh(
        sed 's/blockDim.x/128/' "$OWN" >fixed.cu
        "$WARPLENS" sweep fixed.cu --over block.x=64,128 --csv | wc -l)sh");
    EXPECT_TRUE(
        holds(kept.errors, "launch 0 has 256 to 512 threads: the points are not of the same work"));
    const ProgramRun same = runOwn(R"sh(
        sed 's/n = 512/n = N/' "$OWN" >sized.cu
        "$WARPLENS" sweep sized.cu --over N=256,512 --csv | wc -l)sh");
    EXPECT_EQ(same.output, "5\n");
    EXPECT_EQ(same.errors, "");
}

TEST(OwnOccupancy, IsOfTheCompilersRegistersOnceItWasMeasured) {
    const ProgramRun measured =
        runOwn(R"("$WARPLENS" occupancy "$MEASURED" --measured "$KEPT" --cc 9.0)");
    EXPECT_EQ(measured.errors, "");
    EXPECT_TRUE(holds(measured.output, "rows <<<4, 128>>>\nBlock of 128 threads, 4 warps\n"));
    EXPECT_TRUE(holds(measured.output, "31  (as compiled for 9.0, measured on NVIDIA H200)"));
    const ProgramRun assumed = runOwn(R"("$WARPLENS" occupancy "$MEASURED" --cc 9.0)");
    EXPECT_TRUE(holds(assumed.output, "31  (compiled for 9.0 by nvcc 13") ||
                (holds(assumed.output, "32  (assumed)") &&
                 holds(assumed.output, "0 B  (what the traced block uses)") &&
                 holds(assumed.output, "Registers are assumed: ")))
        << assumed.output;
    const ProgramRun typed = runOwn(
        "cp '" PROGRAM_FOLDER
        "/matmul_tiled.cu' . && \"$WARPLENS\" occupancy matmul_tiled.cu --registers 128 --json");
    EXPECT_EQ(typed.exitCode, 0);
    EXPECT_TRUE(holds(typed.output, "\"registers_per_thread\": 128"));
    EXPECT_TRUE(holds(typed.output, "\"static_shared_bytes\": 2048")) << "two tiles of 16 x 16";
    EXPECT_EQ(runOwn(R"("$WARPLENS" occupancy "$OWN" --recordings .)").exitCode, 2);
    EXPECT_EQ(runOwn(R"("$WARPLENS" occupancy --block 64 --launch 0)").exitCode, 2);
}

TEST(OwnFile, IsRefusedInWordsThatAreOfIt) {
    const ProgramRun run = runOwn(R"sh(
printf 'static char kept[1ull << 40];\nint main() { return kept[5]; }\n' >large.cu
printf '__global__ void k() { asm("nonsense;"); }\nint main() { k<<<1, 1>>>(); }\n' >inner.cu
"$WARPLENS" predict large.cu; "$WARPLENS" predict inner.cu
"$WARPLENS" predict "$OWN" --compiler /bin/true; echo $?)sh");
    EXPECT_EQ(run.output, "3\n");
    EXPECT_TRUE(
        run.errors.starts_with("warplens: the program's own arrays take more than 2 GiB, "
                               "and it cannot be linked\nwarplens: inner.cu: error: line "))
        << run.errors;
    EXPECT_TRUE(holds(run.errors, " of its PTX: Not a name of any known instruction: 'nonsense'"));
    EXPECT_TRUE(run.errors.ends_with("warplens: --compiler /bin/true: no nvcc is there\n"))
        << run.errors;
}

/// A program in two files that prints what it was called with, and what a terminal would obey.
constexpr const char* printingText = R"cu(
#include <cstdio>
void helper();
__global__ void k(float* a) { a[threadIdx.x] = 1; }
int main(int count, char** words) {
    float* a;
    cudaMalloc(&a, 128);
#line 8 "\033[31mother\302\233.cu"
    k<<<1, 32>>>(a);
    cudaFree(a);
    helper();
    for (int i = 1; i < count; ++i) printf("<%s>", words[i]);
    printf("\033]0;title\007 \302\2331m \342\200\256turned\n");  // \u202e\u009b
}
)cu";

ProgramRun runPrinting(const std::string& arguments) {
    return runOwn(std::string("cat > a.cu <<'E'") + printingText +
                  "E\necho 'void helper() {}' > b.cu\n\"$WARPLENS\" " + arguments);
}

TEST(OwnFile, PutsNothingInTheTerminalThatItWouldObey) {
    for (const char* arguments :
         {"predict a.cu b.cu", "predict a.cu b.cu --json", "annotate a.cu b.cu",
          "annotate a.cu b.cu -o html", "predict a.cu", "predict \"$(printf 'a\\033[1m.cu')\"",
          "sweep a.cu b.cu --over block=32 --csv",
          "predict a.cu b.cu --kernel \"$(printf '\\302\\233')\""}) {
        SCOPED_TRACE(arguments);
        const ProgramRun run = runPrinting(arguments);
        const std::string all = run.output + run.errors;
        EXPECT_NE(all, "");
        for (const char* obeyed : {"\x1b", "\x07", "\u009b", "\u202e"}) {
            EXPECT_EQ(all.find(obeyed), std::string::npos) << all;
        }
    }
    EXPECT_TRUE(holds(runPrinting("predict a.cu b.cu").output, " ]0;title   1m \ufffdturned\n"));
    EXPECT_TRUE(holds(runPrinting("predict a.cu b.cu --json").output,
                      R"(\u001b]0;title\u0007 \u009b1m \u202eturned\n)"));
}

TEST(OwnFile, EndsItsOwnArgumentsAtTwoDashes) {
    const ProgramRun run =
        runPrinting("predict a.cu b.cu -- x --json -- b.cu --help docs/example-course ''");
    EXPECT_EQ(run.errors, "");
    EXPECT_TRUE(holds(run.output, "<x><--json><--><b.cu><--help><docs/example-course><>"))
        << run.output;
    EXPECT_EQ(runPrinting("predict a.cu x").errors,
              "warplens: FILE = 'x': one more file of the program, .cu or .cpp; its own arguments "
              "go after --\n");
    EXPECT_EQ(runPrinting("predict matadd-swapped -- 3").errors,
              "warplens: -- = '3': only with a .cu file\n");
    EXPECT_EQ(runPrinting("list -- 3").exitCode, 2);
    EXPECT_EQ(runPrinting("screenshot matadd-swapped -o p.png -D N=3").errors,
              "warplens: a program's files, options and arguments = given: only with a .cu file\n");
}

TEST(OwnFile, TakesOptionsAsNvccWritesThem) {
    const ProgramRun run = runOwn(R"sh(
        printf '#if __cplusplus != 202002L || MORE != 2\n#error other\n#endif\nint main() {}\n' > o.cu
        "$WARPLENS" predict o.cu -std=c++20 -Xcompiler -DMORE=2 &&
        "$WARPLENS" predict o.cu --std c++20 --compiler-options -DMORE=2 &&
        "$WARPLENS" predict o.cu --compiler-options=-DMORE=3)sh");
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_EQ(run.output, "no kernel was launched\nno kernel was launched\n");
    EXPECT_TRUE(run.errors.starts_with("warplens: o.cu:2:2: error: #error other\n")) << run.errors;
}

TEST(OwnFile, KeepsWhatItPrintedBeforeItCrashed) {
    const ProgramRun run = runOwn(R"sh(
        printf '#include <cstdio>\nint main() { puts("before"); *(volatile int*)nullptr = 1; }\n' > c.cu
        "$WARPLENS" predict c.cu
        printf '#include <cstdio>\nint main(int, char** words) { printf("usage: %%s N\\n", words[0]); return 1; }\n' > u.cu
        "$WARPLENS" predict u.cu
        "$WARPLENS" predict t.txt
        echo hello > t.txt
        "$WARPLENS" predict t.txt)sh");
    EXPECT_NE(run.output.find("\nbefore\n"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("\nusage: u N\n"), std::string::npos) << run.output;
    EXPECT_TRUE(run.errors.ends_with("warplens: file = 't.txt': a program is a .cu or .cpp file\n"))
        << run.errors;
}

TEST(OwnFile, IsOneFileHoweverOftenItIsNamed) {
    const ProgramRun run = runPrinting("predict a.cu ./a.cu b.cu a.cu b.cu");
    EXPECT_EQ(run.errors, "");
    EXPECT_TRUE(holds(run.output, "launch 0  k <<<1, 32>>>"));
}

TEST(OwnFile, ThatIsNoneIsRefusedAtOnce) {
    const ProgramRun run = runPrinting("predict a.cu /dev/null");
    EXPECT_EQ(run.exitCode, 2);
    const ProgramRun pipe = runOwn(R"(mkfifo f.cu; timeout 10 "$WARPLENS" predict f.cu)");
    EXPECT_EQ(pipe.exitCode, 2);
    EXPECT_EQ(pipe.errors,
              "warplens: file = 'f.cu': must be a file; it is a pipe, a socket or a device\n");
    const ProgramRun lines = runOwn(R"sh(
        name="$(printf 'a\nb.cu')"; cp "$OWN" "$name"; "$WARPLENS" predict "$name")sh");
    EXPECT_EQ(lines.exitCode, 2);
    EXPECT_EQ(lines.errors, "warplens: file = 'a b.cu': must have a name of one line\n");
}

TEST(OwnFile, WithAMainIsToldThatArraysAreNotForIt) {
    const ProgramRun run = runOwn(
        R"sh(printf '__global__ void k(float* a) {}\nint main() { k<<<1, 1>>>(0); }\n' > m.cu
        "$WARPLENS" predict m.cu --array a=100,ramp)sh");
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_EQ(run.errors,
              "warplens: --array = given: is for files without main, and m.cu "
              "has one\n");
}

TEST(OwnFile, ThatIncludesItselfOrIsNotClosedIsToldInAFewLines) {
    const ProgramRun self =
        runOwn(R"(printf '#include "s.cu"\nint main() {}\n' > s.cu; "$WARPLENS" predict s.cu)");
    EXPECT_EQ(self.exitCode, 2);
    EXPECT_TRUE(holds(self.errors, "from s.cu:1:\nwarplens: s.cu:1:")) << self.errors;
    EXPECT_TRUE(holds(self.errors, "#include nested depth 200")) << self.errors;
    EXPECT_LT(std::ranges::count(self.errors, '\n'), 10) << self.errors;
    const ProgramRun open = runOwn(
        R"(printf '\n__global__ void k(float* a) {\n  a[0] = 1;\n' > o.cu; "$WARPLENS" predict o.cu)");
    EXPECT_EQ(open.exitCode, 2);
    EXPECT_TRUE(open.errors.starts_with(
        "warplens: o.cu:2: error: expected a \"}\" somewhere below, to match this \"{\"\n"))
        << open.errors;
    EXPECT_LT(std::ranges::count(open.errors, '\n'), 5) << open.errors;
    const std::array<std::array<const char*, 2>, 3> onlyOne{{
        {R"sh(
        printf 'int main() {\n  if (1) { puts("x); }\n  return 0;\n}\n' > w.cu; "$WARPLENS" predict w.cu)sh",
         "warplens: w.cu:2: error: missing closing quote\n"
         "warplens:     if (1) { puts(\"x); }\nwarplens:                   ^\n"},
        {R"sh(
        printf '__global__ void k(int* a) {}\nint main() {\n  k<<<1, 2>>(0);\n}\n' > w.cu
        "$WARPLENS" predict w.cu)sh",
         "warplens: w.cu:3: error: expected a \">>>\"\n"
         "warplens:     k<<<1, 2>>(0);\nwarplens:                  ^\n"},
        {R"sh(
        printf '__global__ void k(int* a) {\n  __shared__ int s[n];\n}\nint main() {}\n' > w.cu
        "$WARPLENS" predict w.cu)sh",
         "warplens: w.cu:2: error: identifier \"n\" is undefined\n"
         "warplens:     __shared__ int s[n];\nwarplens:                      ^\n"},
    }};
    const ProgramRun quotes = runOwn(
        "printf 'int main() {\n  puts(\u201chi you\u201d);\n}\n' > q.cu; "
        "\"$WARPLENS\" predict q.cu");
    EXPECT_EQ(quotes.errors,
              "warplens: q.cu:2:8: error: extended character \u201c is not valid in an identifier\n"
              "warplens:     2 |   puts(\u201chi you\u201d);\nwarplens:       |        ^\n");
    for (const auto& [command, words] : onlyOne) EXPECT_EQ(runOwn(command).errors, words);
    const ProgramRun called = runOwn(R"sh(
        printf 'void f() {}\n__global__ void k() { f(); }\nint main() {}\n' > f.cu
        "$WARPLENS" predict f.cu)sh");
    EXPECT_EQ(std::ranges::count(called.errors, '\n'), 1) << called.errors;
    const ProgramRun nested = runOwn(R"sh(
        { printf '__global__ void k() '; printf '%20000s' '' | tr ' ' '{'; echo; } > n.cu
        "$WARPLENS" predict n.cu)sh");
    EXPECT_EQ(nested.exitCode, 2);
    EXPECT_LT(nested.errors.size(), 10000u);
    const ProgramRun comment = runOwn(R"(
        printf '__global__ void k(int* a) { a[0] = 1; }\n/* open' > c.cu; "$WARPLENS" predict c.cu
        printf '#include "c.cu"\n__global__ void l() {}\n' > i.cu; "$WARPLENS" predict i.cu)");
    EXPECT_TRUE(comment.errors.starts_with("warplens: c.cu:2:1: error: unterminated comment\n"))
        << comment.errors;
    EXPECT_TRUE(holds(comment.errors,
                      "warplens: In file included from i.cu:1:\n"
                      "warplens: c.cu:2:1: error: unterminated comment\n"))
        << comment.errors;
}

TEST(OwnFile, IsAnnotatedWithHowItsProgramEnded) {
    const ProgramRun run = runOwn(R"(echo 'extern "C" int puts(const char*);
              int main() { puts("usage: r N"); return 3; }' > r.cu
        "$WARPLENS" annotate r.cu; "$WARPLENS" annotate r.cu -o html; "$WARPLENS" explain r.cu)");
    const std::string ended =
        "the program returned 3; its last line: usage: r N; what it is to be called with goes "
        "after --\n";
    for (const std::string& words :
         {"!  no kernel was launched\n!  " + ended, std::string("<td>no kernel was launched</td>")})
        EXPECT_TRUE(holds(run.output, words)) << run.output;
    EXPECT_TRUE(holds(run.errors, "no line has a cost: " + ended)) << run.errors;
    EXPECT_EQ(
        runOwn(R"(echo 'int main() { return 3; }' > r.cu; "$WARPLENS" predict r.cu)").exitCode, 1);
    const ProgramRun slow = runOwn(R"(echo 'int main() { for (volatile int i = 0;; ++i) {} }' > s.cu
        "$WARPLENS" explain s.cu --time-limit 1)");
    EXPECT_TRUE(holds(slow.errors,
                      "no line has a cost: the program was ended: it took longer than 1 s "
                      "(--time-limit gives it more, -O 2 makes its host code faster)\n"))
        << slow.errors;
}

/// A file that nothing can be shown of, its text, the exit code and what is said.
struct UselessFile final {
    const char* text;
    int exitCode;
    const char* says;
};
class EveryUselessFile : public testing::TestWithParam<UselessFile> {};

TEST_P(EveryUselessFile, IsRefusedWithoutAPicture) {
    for (const char* command : {"screenshot", "figure"}) {
        const ProgramRun run =
            runOwn("printf '%s\\n' '" + std::string(GetParam().text) + "' >bad.cu; \"$WARPLENS\" " +
                   command + " bad.cu -o f.png; c=$?; ls; exit $c");
        if (std::string(command) == "screenshot" && run.exitCode == 3) continue;  // no OpenGL
        EXPECT_EQ(run.exitCode, GetParam().exitCode) << command << run.errors;
        EXPECT_EQ(run.output, "bad.cu\n") << command;
        EXPECT_TRUE(holds(run.errors, GetParam().says)) << command;
    }
}

INSTANTIATE_TEST_SUITE_P(
    OwnFile, EveryUselessFile,
    testing::Values(UselessFile{"__global__ void k() { retrn; }\nint main() {}", 2, "bad.cu:1"},
                    UselessFile{"int main() { return 0; }", 1, "launch"},
                    UselessFile{"__global__ void k() {}\nint main() { return 3; }", 1, "launch"}));

TEST(OwnWindow, OfAFileThatIsNotThereIsRefused) {
    for (const char* command : {"", "screenshot -o f.png"}) {
        const ProgramRun run = runOwn("\"$WARPLENS\" " + std::string(command) + " none.cu");
        EXPECT_EQ(run.exitCode, 2);
        EXPECT_EQ(run.errors, "warplens: file = 'none.cu': No such file or directory\n");
    }
}

/// In a folder with a program and a bwrap that cannot make namespaces.
ProgramRun withoutNamespaces(const std::string& command) {
    return runShell(
        "printf '#!/bin/sh\necho No permissions to create a new namespace >&2; exit 1\n' > bwrap; "
        "chmod +x bwrap; export PATH=$PWD:$PATH XDG_CACHE_HOME=$PWD; echo '__global__ void k() {} "
        "int main() { k<<<1, 32>>>(); }' > a.cu; \"$WARPLENS\" " +
        command);
}

TEST(OwnUnconfined, IsNotRunBeforeSomebodyHasSaidSo) {
    constexpr const char* words =
        "nothing was run: bubblewrap does not work here (No permissions to create a new "
        "namespace): a program that is run can reach your files and your other programs";
    for (const char* command : {"predict a.cu", "annotate a.cu", "figure a.cu -o f.svg",
                                "sweep a.cu --over block.x=32"}) {
        const ProgramRun run = withoutNamespaces(command);
        EXPECT_EQ(run.exitCode, 3) << command;
        EXPECT_EQ(run.output, "");
        EXPECT_TRUE(holds(run.errors, words)) << command;
        EXPECT_TRUE(holds(run.errors, "--unconfined runs it all the same\n"));
    }
    const ProgramRun json = withoutNamespaces("predict a.cu --json");
    EXPECT_EQ(json.exitCode, 3);
    EXPECT_TRUE(holds(json.output, std::string("\"message\": \"") + words));
    const ProgramRun course = withoutNamespaces("check " EXAMPLE_COURSE);
    EXPECT_EQ(course.exitCode, 3);
    EXPECT_TRUE(holds(course.errors, words));
}

TEST(OwnUnconfined, IsRunAndSaysWhatIsNotHeldOnceSomebodyHas) {
    constexpr const char* words =
        "bubblewrap does not work here (No permissions to create a new namespace): a program that "
        "is run can reach your files and your other programs";
    const ProgramRun run = withoutNamespaces("predict a.cu --unconfined");
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_TRUE(holds(run.output, std::string("note: ") + words));
    const ProgramRun json = withoutNamespaces("predict a.cu --unconfined --json");
    EXPECT_TRUE(holds(json.output, words));
}

TEST(OwnHeaders, AreReadAnewHoweverTheyAreIncluded) {
    // The block's size is in the header.
    for (const char* include :
         {"#include <x.h>", "#include \"x.h\"", "# include <x.h>", "#define H <x.h>\\n#include H",
          "#define H \"x.h\"\\n#include H", "#define T(x) #x\\n#include T(x.h)",
          "#include <outer.h>", "%%:include <x.h>",
          "#if __has_include(<x.h>)\\n#include <x.h>\\n#else\\n#define N 7\\n#endif"}) {
        const ProgramRun run = runShell(
            "export XDG_CACHE_HOME=$PWD; mkdir inc; echo '#include \"x.h\"' > inc/outer.h; "
            "printf '" +
            std::string(include) +
            "\\n__global__ void k() {} int main() { k<<<1, N>>>(); }\\n' > a.cu\n"
            "for n in 32 64 32 32; do echo \"#define N $n\" > inc/x.h; \"$WARPLENS\" predict a.cu "
            "-I inc | grep -o '<<<1, [0-9]*' ; done; rm inc/x.h; \"$WARPLENS\" predict a.cu -I inc "
            "2>&1 | grep -oE '<<<1, [0-9]*|x.h' | head -1");
        const bool asksFirst = std::string(include).find("has_include") != std::string::npos;
        EXPECT_EQ(run.output, std::string("<<<1, 32\n<<<1, 64\n<<<1, 32\n<<<1, 32\n") +
                                  (asksFirst ? "<<<1, 7\n" : "x.h\n"))
            << include << run.errors;
    }
}

TEST(OwnFile, HasATableOfItsLinesForOtherPrograms) {
    const ProgramRun run = runShell("\"$WARPLENS\" predict " PROGRAM_FOLDER "/vector_add.cu --csv");
    ASSERT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_TRUE(run.output.starts_with("launch,kernel,grid,block,file,line,")) << run.output;
    EXPECT_NE(run.output.find(",load,a,predicted,"), std::string::npos) << run.output;
    const ProgramRun markdown =
        runShell("\"$WARPLENS\" predict " PROGRAM_FOLDER "/vector_add.cu --markdown");
    EXPECT_TRUE(markdown.output.starts_with("| launch | kernel |")) << markdown.output;
}

}  // namespace
}  // namespace warplens
