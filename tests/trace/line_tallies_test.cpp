#include <algorithm>
#include <gtest/gtest.h>

#include "kernels/library/kernel_program.h"
#include "kernels/library/predict.h"

namespace warplens {
namespace {

TEST(KernelText, IsTheFilesAndItsCodeIsWithoutMarks) {
    const std::vector<KernelLine> lines = codeLines(kernelNamed("matrixAddCoalesced"));
    ASSERT_EQ(lines.size(), 7u);
    EXPECT_EQ(
        lines[0].text,
        "__global__ void matrixAddCoalesced(const float* a, const float* b, float* c, int n) {");
    EXPECT_EQ(lines[3].text, "    if (row < n && col < n) {");
    EXPECT_EQ(sourceLine(kernelNamed("matrixAddCoalesced"), lines[3].line),
              "if (row < n && col < n) {");
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
        const LaunchReport prediction = predict(initialExperiment(scenario));
        const Kernel& kernel = kernelOf(scenario.kernel);
        const std::vector<KernelLine> text = codeLines(kernel);
        double requests = 0;
        double sectors = 0;
        double divergent = 0;
        double wavefronts = 0;
        for (const ProgramLine& line : prediction.lines) {
            EXPECT_NE(std::ranges::find(text, line.place.line, &KernelLine::line), text.end())
                << scenario.id << " line " << line.place.line;
            if (isGlobal(line.kind) && !isAtomic(line.kind)) {
                requests += static_cast<double>(line.requests);
                sectors += static_cast<double>(line.sectors);
            }
            divergent += static_cast<double>(line.divergent);
            wavefronts += static_cast<double>(line.wavefronts);
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
    const LaunchReport prediction = predict(complete({"matadd-swapped", {}, {}, {{"n", 512}}}));
    const Kernel& kernel = kernelNamed("matrixAddSwapped");
    // The guard, and one line with two loads and a store.
    ASSERT_EQ(prediction.lines.size(), 4u);
    const std::uint32_t guard = namedLine(kernel, "inside");
    EXPECT_EQ(prediction.lines[0].place.line, guard);
    EXPECT_EQ(prediction.lines[0].requests, 8192u);
    LineCost sum;
    for (const ProgramLine& line : prediction.lines) {
        if (line.place.line != guard + 1) continue;
        EXPECT_NE(line.kind, AccessKind::branch);
        sum.add(line);
    }
    EXPECT_EQ(sum.requests, 3u * 8192);
    EXPECT_EQ(sum.sectors, 3u * 8192 * 16);
}

}  // namespace
}  // namespace warplens
