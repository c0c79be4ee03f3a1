#include "kernels/device/difference_trial.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>

#include "kernels/device/measure_request.h"
#include "kernels/programs/program_cache.h"
#include "kernels/programs/trace_program.h"
#include "tests/programs/own_cache.h"

namespace warplens {
namespace {

std::vector<TriedDifference> triedFor(const char* program) {
    useOwnCache();
    TraceRequest request;
    request.source.files = {std::filesystem::path(PROGRAM_FOLDER) / program};
    return tryDifferences(request, traceProgram(request).trace, sourcesOf(request));
}

TEST(DifferenceTrial, ACauseIsConfirmedByAnotherCode) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    const std::vector<TriedDifference> tried = triedFor("csr_warp_per_row.cu");
    ASSERT_FALSE(tried.empty());
    const LineDifference& requests = tried.front().difference;
    EXPECT_EQ(requests.line, 27u);
    EXPECT_EQ(requests.cause, DifferenceCause::removedAccesses);
    EXPECT_EQ(requests.intervention, "with few optimisations (--Ofast-compile=max): 380 compiled");
    EXPECT_FALSE(tried.front().ptx.empty());
}

TEST(DifferenceTrial, NoCauseIsNamedWhereNoOtherCodeComesToWhatTheSourceAsksFor) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    const std::vector<TriedDifference> tried = triedFor("function_tables.cu");
    ASSERT_FALSE(tried.empty());
    for (const TriedDifference& each : tried) {
        EXPECT_EQ(each.difference.cause, DifferenceCause::unexplained) << each.difference.words;
        const std::string stayed = std::to_string(*each.difference.compiled) + " compiled";
        EXPECT_NE(each.difference.intervention.find(stayed), std::string::npos)
            << each.difference.intervention;
    }
}

TEST(DifferenceTrial, OneAtomicForBothArmsOfABranchIsOneThatWasLaidToAnotherLine) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    const TemporaryFolder folder(std::filesystem::temp_directory_path() / "warplens-programs-test");
    const std::filesystem::path file = folder.path() / "arms.cu";
    std::ofstream(file) << "__global__ void count(const int* a, int* sum) {\n"
                           "    if (a[threadIdx.x] & 1)\n        atomicAdd(sum, 1);\n"
                           "    else\n        atomicAdd(sum, 1);\n}\n"
                           "int main() {\n    int *a, *sum, h[64];\n"
                           "    cudaMalloc(&a, 256);\n    cudaMalloc(&sum, 4);\n"
                           "    for (int i = 0; i < 64; ++i) h[i] = i;\n"
                           "    cudaMemcpy(a, h, 256, cudaMemcpyHostToDevice);\n"
                           "    cudaMemset(sum, 0, 4);\n    count<<<1, 64>>>(a, sum);\n"
                           "    cudaFree(a);\n    cudaFree(sum);\n}\n";
    const std::vector<TriedDifference> tried = triedFor(file.c_str());
    const auto found = std::ranges::find_if(tried, [](const TriedDifference& each) {
        return each.difference.kind == AccessKind::atomic;
    });
    ASSERT_NE(found, tried.end());
    EXPECT_EQ(found->difference.cause, DifferenceCause::movedLines) << found->difference.words;
    EXPECT_EQ(found->difference.intervention,
              "with few optimisations (--Ofast-compile=max): 2 compiled");
}

TEST(DifferenceTrial, CodeThatIsCompiledAsTheProgramRunsDiffersFromNothing) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    EXPECT_TRUE(triedFor("compiled_as_it_runs.cu").empty());
}

}  // namespace
}  // namespace warplens
