#include <algorithm>
#include <gtest/gtest.h>

#include "kernels/library/kernel_text.h"
#include "kernels/library/predict.h"

namespace warplens {
namespace {

TEST(KernelText, IsTheFileWordForWord) {
    const std::vector<KernelLine> lines = codeLines(kernelNamed("matrixAddCoalesced"));
    ASSERT_EQ(lines.size(), 7u);
    EXPECT_EQ(
        lines[0].text,
        "__global__ void matrixAddCoalesced(const float* a, const float* b, float* c, int n) {");
    EXPECT_EQ(lines[3].text, "    if (row < n && col < n) {  // name: inside");
    EXPECT_EQ(sourceLine(kernelNamed("matrixAddCoalesced"), lines[3].line),
              "if (row < n && col < n) {  // name: inside");
    EXPECT_EQ(sourceLine(kernelNamed("matrixAddCoalesced"), 1000), "");
}

TEST(KernelText, SaysWhereLoopsBeginAndEnd) {
    const auto textOf = [](const char* name) {
        std::string text;
        for (const LoopMark& mark : loopMarks(kernelNamed(name))) {
            text += std::string(mark.name) + (mark.counted ? "#" : "") + ' ' +
                    std::to_string(mark.lastLine - mark.line) + "; ";
        }
        return text;
    };
    EXPECT_EQ(textOf("matrixMultiplyTiled"), "phase 16; k 2; ");
    EXPECT_EQ(textOf("branchLoopTrips"), "again# 4; ");
    EXPECT_EQ(textOf("sumInRounds"), "i 8; ");
    EXPECT_EQ(textOf("branchOddEven"), "");
}

TEST(LineTallies, OfEveryScenarioAddUpToTheLaunch) {
    for (const Scenario& scenario : allScenarios()) {
        const Prediction prediction = predict(initialExperiment(scenario));
        const Kernel& kernel = kernelOf(scenario.kernel);
        const std::vector<KernelLine> text = codeLines(kernel);
        double requests = 0;
        double sectors = 0;
        double divergent = 0;
        double wavefronts = 0;
        for (const trace::LineTally& line : prediction.lines) {
            EXPECT_NE(std::ranges::find(text, line.line, &KernelLine::line), text.end())
                << scenario.id << " line " << line.line;
            requests += static_cast<double>(line.access.requests);
            sectors += static_cast<double>(line.access.sectors);
            divergent += static_cast<double>(line.branch.divergent);
            wavefronts += static_cast<double>(line.shared.wavefronts);
        }
        const auto whole = [&](Metric metric) {
            return *findValue(prediction.values, metric, Source::predicted)->number();
        };
        EXPECT_EQ(requests, whole(Metric::globalLoadRequests) + whole(Metric::globalStoreRequests))
            << scenario.id;
        EXPECT_EQ(sectors, whole(Metric::globalLoadSectors) + whole(Metric::globalStoreSectors))
            << scenario.id;
        EXPECT_EQ(divergent, whole(Metric::divergentBranches)) << scenario.id;
        EXPECT_EQ(wavefronts, whole(Metric::sharedWavefronts)) << scenario.id;
    }
}

TEST(LineTallies, ToldByLineNameTheArraysOnIt) {
    const Prediction prediction = predict(complete({"matadd-swapped", {}, {}, {{"n", 512}}}));
    const Kernel& kernel = kernelNamed("matrixAddSwapped");
    // The guard, and one line with two loads and a store.
    ASSERT_EQ(prediction.lines.size(), 4u);
    const std::uint32_t guard = namedLine(kernel, "inside");
    EXPECT_EQ(prediction.lines[0].line, guard);
    EXPECT_EQ(prediction.lines[0].branch.executed, 8192u);
    const trace::LineSum sum = trace::sumOfLine(prediction.lines, guard + 1);
    EXPECT_EQ(sum.access.requests, 3u * 8192);
    EXPECT_EQ(sum.access.sectors, 3u * 8192 * 16);
    EXPECT_EQ(sum.branch.executed, 0u);
}

}  // namespace
}  // namespace warplens
