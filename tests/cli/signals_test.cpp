// A signal that asks the program to end: what it has is kept, its worker goes with it, and the
// shell hears of it.
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

#include "core/sweep/sweep.h"
#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

namespace warplens {
namespace {

using tests::ProgramRun;

/// Shell text that waits, up to twenty seconds, until the file is there and not empty.
std::string untilThere(const std::string& file) {
    return "for look in $(seq 400); do [ -s " + file + " ] && break; sleep 0.05; done; ";
}

struct Ending final {
    const char* signal;
    int number;
};
class EverySignal : public testing::TestWithParam<Ending> {
  protected:
    /// Runs `command` and sends the signal once its worker has started; `left` is then printed for
    /// each process that the worker's command had started and that still lives.
    [[nodiscard]] static ProgramRun endWhileItMeasures(const std::string& command) {
        // `env` undoes that a shell lets its background jobs ignore Ctrl-C.
        return tests::runShell(
            "env --default-signal=INT \"$WARPLENS\" " + command +
            " --worker 'echo $$ > shell; sleep 1000 & echo $! > child; wait' & " +
            untilThere("child") + "kill -" + std::string(GetParam().signal) +
            " $!; wait $!; code=$?; sleep 0.3; for pid in $(cat shell child); do grep -qs "
            "'^State:.[^ZX]' /proc/$pid/status && echo left; done; ls -A | grep -v -e shell -e "
            "child; exit $code");
    }
};

TEST_P(EverySignal, EndsEveryCommandThatMeasuresWithItsWorker) {
    for (const char* command :
         {"measure matadd-swapped --save r.json", "lesson warp-grouping --measure", "doctor",
          "sweep access-stride --set n=4096 --over stride=1..4 -o f.svg",
          "screenshot matadd-swapped --measure -o s.png"}) {
        const ProgramRun run = endWhileItMeasures(command);
        EXPECT_EQ(run.exitCode, 128 + GetParam().number) << command;
        EXPECT_EQ(run.output.find("left"), std::string::npos) << command;
        EXPECT_EQ(run.output.find("r.json"), std::string::npos) << command;
        EXPECT_EQ(run.output.find("f.svg"), std::string::npos) << command;
        EXPECT_EQ(run.output.find("s.png"), std::string::npos) << command;
        EXPECT_TRUE(run.errors.starts_with("warplens: cancelled")) << command << run.errors;
    }
}

INSTANTIATE_TEST_SUITE_P(Signals, EverySignal,
                         testing::Values(Ending{"INT", 2}, Ending{"TERM", 15}, Ending{"HUP", 1}),
                         [](const auto& ending) { return std::string(ending.param.signal); });

TEST_P(EverySignal, EndsEveryCommandThatCompilesWithItsCompiler) {
    for (const char* command :
         {"predict a.cu", "annotate a.cu", "measure a.cu --worker true", "figure a.cu -o f.svg",
          "screenshot a.cu -o s.png", "sweep a.cu --over N=1..2 --predict-only"}) {
        // A compiler that never comes to an end.
        const ProgramRun run = tests::runShell(
            "echo '__global__ void k() {} int main() { k<<<1, N>>>(); }' > a.cu\n"
            "printf '#!/bin/sh\\nexec sleep 4711.%s\\n' $$ > cxx; chmod +x cxx\n"
            "XDG_CACHE_HOME=$PWD WARPLENS_CXX=$PWD/cxx env --default-signal=INT \"$WARPLENS\" " +
            std::string(command) +
            " & for look in $(seq 200); do [ -e warplens/work ] && break; sleep 0.05; done; "
            "sleep 0.3; kill -" +
            GetParam().signal +
            " $!; wait $!; code=$?; sleep 0.3; ls warplens/work; grep -lszx 4711.$$ "
            "/proc/[0-9]*/cmdline; exit $code");
        EXPECT_EQ(run.exitCode, 128 + GetParam().number) << command << run.errors;
        EXPECT_EQ(run.output, "") << command << ": a build or a compiler is left";
        EXPECT_EQ(run.errors, "warplens: cancelled\n") << command;
    }
}

/// A product whose block stands on its side, with two conflicts and nothing freed.
constexpr const char* severalRemedies = R"sh(cat >p.cu <<'END'
#include <vector>
template <typename T, int N>
__global__ void product(const T* a, const T* b, T* c) {
    __shared__ T left[N][N];
    __shared__ T right[N][N];
    int row = threadIdx.x, col = threadIdx.y;
    left[row][col] = a[(blockIdx.x * N + row) * N + col];
    right[row][col] = b[(blockIdx.x * N + row) * N + col];
    __syncthreads();
    T sum = 0;
    for (int k = 0; k < N; ++k) sum += left[row][k] * right[k][col];
    c[(blockIdx.x * N + row) * N + col] = sum;
}
int main() {
    std::vector<double> all(4 * 256);
    for (int i = 0; i < 4 * 256; ++i) all[i] = i % 7;
    double *a, *b, *c;
    cudaMalloc(&a, 8192);
    cudaMalloc(&b, 8192);
    cudaMalloc(&c, 8192);
    cudaMemcpy(a, all.data(), 8192, cudaMemcpyHostToDevice);
    cudaMemcpy(b, all.data(), 8192, cudaMemcpyHostToDevice);
    product<double, 16><<<4, dim3(16, 16)>>>(a, b, c);
    cudaMemcpy(all.data(), c, 8192, cudaMemcpyDeviceToHost);
}
END
export XDG_CACHE_HOME=$PWD/cache
)sh";

TEST_P(EverySignal, LeavesWhatExplainHasFoundAndSaysWhatItHasNotTried) {
    const ProgramRun run = tests::runShell(
        severalRemedies +
        std::string("env --default-signal=INT \"$WARPLENS\" explain p.cu >out & ") +
        "for look in $(seq 1200); do grep -q '^remedy 1' out && break; sleep 0.05; done; kill -" +
        GetParam().signal + " $!; wait $!; code=$?; cat out; exit $code");
    EXPECT_EQ(run.exitCode, 128 + GetParam().number) << run.errors;
    EXPECT_NE(run.output.find("p.cu:18: a (8192 bytes) is never freed"), std::string::npos)
        << run.output;
    EXPECT_NE(run.output.find("p.cu:11: shared load of left"), std::string::npos);
    EXPECT_NE(run.output.find("remedy 1 for p.cu:18, p.cu:19, p.cu:20, never-freed"),
              std::string::npos);
    EXPECT_TRUE(run.errors.starts_with("warplens: stopped: ") &&
                run.errors.ends_with(" remedies not tried\n"))
        << run.errors;
}

TEST(Explain, CompilesNoTextOfAFileTwice) {
    const ProgramRun run = tests::runShell(
        severalRemedies +
        std::string(
            "count() { ls cache/warplens/programs | grep -c from; }; "
            "\"$WARPLENS\" explain p.cu >a && count && \"$WARPLENS\" explain p.cu >b && count "
            "&& cmp a b && grep -c '^remedy' a && grep -o 'in place of .*' a"));
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    // The program itself, freed, with its pads and two ways to exchange its axes.
    EXPECT_EQ(run.output, "7\n7\n4\nin place of 2:\nin place of 2:\n");
}

TEST(Signals, ASecondOneEndsTheProgramAtOnceAndTheWorkerToo) {
    const ProgramRun run = tests::runShell(
        "env --default-signal=INT \"$WARPLENS\" measure matadd-swapped --worker 'sleep 1000 & echo "
        "$! > child; wait' & " +
        untilThere("child") +
        "kill -INT $!; sleep 0.3; kill -INT $!; wait $!; code=$?; sleep 0.3; grep -qs "
        "'^State:.[^ZX]' /proc/$(cat child)/status && echo left; exit $code");
    EXPECT_EQ(run.exitCode, 130);
    EXPECT_EQ(run.output, "");
}

TEST(Signals, ThatWereIgnoredStayIgnored) {
    const ProgramRun run = tests::runShell(
        "nohup \"$WARPLENS\" measure matadd-swapped --no-predict --worker 'echo x > up; sleep 1; "
        "exec " WORKER_STUB " answers' & " +
        untilThere("up") + "kill -HUP $!; wait $!");
    EXPECT_EQ(run.exitCode, 0) << run.errors;
    EXPECT_NE(run.output.find("Measured on scripted worker"), std::string::npos);
}

TEST(Signals, DuringPredictingLeaveThePointsThatAreDoneAndNoFigure) {
    const tests::TemporaryFolder folder;
    const std::string file = (folder.path() / "kept.json").string();
    for (const auto& [signal, code] : {std::pair{"TERM", 143}, {"KILL", 137}}) {
        std::filesystem::remove(file);
        // As soon as the first of a thousand points is there.
        const ProgramRun run = tests::runShell(
            "\"$WARPLENS\" sweep matmul-global --over n=64..16384:16 --predict-only -o f.svg "
            "--save " +
            file + " & " + untilThere(file) + "kill -" + signal +
            " $!; wait $!; code=$?; ls -A; exit $code");
        EXPECT_EQ(run.exitCode, code);
        EXPECT_EQ(run.output.find("f.svg"), std::string::npos);
        EXPECT_GT(loadSweep(file).sweep.predictedCount(), 0u) << signal;
    }
}

TEST(Signals, AfterAPointLeaveItInTheFile) {
    const tests::TemporaryFolder folder;
    const std::string file = (folder.path() / "kept.json").string();
    // Answers once and then hangs.
    const ProgramRun run = tests::runShell(
        "\"$WARPLENS\" sweep access-stride --set n=4096 --over stride=1..4 --save " + file +
        " --worker 'echo $$ > last; [ -e once ] && exec " WORKER_STUB
        " hangs; : > once; exec " WORKER_STUB
        " crashes-after-answering' & for look in $(seq 400); do grep -q '\"measured\"' " +
        file +
        " && break; sleep 0.05; done; kill -KILL $!; wait $!; code=$?; kill $(cat last); exit "
        "$code");
    EXPECT_EQ(run.exitCode, 137);
    EXPECT_EQ(loadSweep(file).sweep.measuredCount(), 1u);
}

}  // namespace
}  // namespace warplens
