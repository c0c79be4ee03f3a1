#include "kernels/device/explain/difference_trial.h"

#include <gtest/gtest.h>

#include "kernels/programs/measure_request.h"
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

TEST(DifferenceTrial, CodeThatIsCompiledAsTheProgramRunsDiffersFromNothing) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    EXPECT_TRUE(triedFor("compiled_as_it_runs.cu").empty());
}

}  // namespace
}  // namespace warplens
