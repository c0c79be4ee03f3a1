#include "kernels/bodies/cuda_text.h"

#include <algorithm>
#include <gtest/gtest.h>

#include "kernels/bodies/body_text.h"
#include "kernels/bodies/predict.h"

namespace warplens {
namespace {

std::string textOf(KernelId id) {
    std::string text;
    for (const CudaLine& line : cudaText(kernelOf(id))) text += line.text + '\n';
    return text;
}

TEST(CudaText, IsWhatAStudentWouldWrite) {
    EXPECT_EQ(
        textOf(KernelId::matrixAddCoalesced),
        "// c = a + b for n x n matrices in row-major order. Threads along x walk along a row.\n"
        "__global__ void matrixAddCoalesced(const float* a, const float* b, float* c, int n) {\n"
        "    int row = blockIdx.y * blockDim.y + threadIdx.y;\n"
        "    int col = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (row < n && col < n) {\n"
        "        c[row * n + col] = a[row * n + col] + b[row * n + col];\n"
        "    }\n"
        "}\n");
}

TEST(CudaText, DeclaresSharedMemoryAndLoopsAsCudaDoes) {
    const std::string tiled = textOf(KernelId::matrixMultiplyTiled);
    for (const char* line : {"template <int TILE>\n", "    __shared__ float tile_a[TILE][TILE];\n",
                             "        if (row < n && phase * TILE + tx < n) {\n"}) {
        EXPECT_NE(tiled.find(line), std::string::npos) << line << tiled;
    }
    const std::string dynamic = textOf(KernelId::matrixMultiplyTiledDynamic);
    for (const char* line :
         {"    extern __shared__ float tiles[];\n", "    float* tile_a = tiles;\n",
          "    float* tile_b = tiles + tile * tile;\n"}) {
        EXPECT_NE(dynamic.find(line), std::string::npos) << line << dynamic;
    }
    EXPECT_NE(textOf(KernelId::branchLoopTrips).find("        while (left > 0) {\n"),
              std::string::npos);
}

TEST(CudaText, HoldsNoWordOfTheBodiesInAnyKernelAndKeepsItsLines) {
    for (const Kernel& kernel : allKernels()) {
        const std::vector<CudaLine> lines = cudaText(kernel);
        ASSERT_GE(lines.size(), 4u) << kernel.name;
        EXPECT_EQ(lines.back().text, "}") << kernel.name;
        for (const CudaLine& line : lines) {
            for (const char* word : {"KERNEL", "ARRAY", "BRANCH(", "WHILE(", "ROUND(", "ARRIVED(",
                                     "SHARED_", "DYNAMIC_"}) {
                EXPECT_EQ(line.text.find(word), std::string::npos) << line.text;
            }
            // The words around the marks stand in the body file at the line that is named.
            const std::string_view body = sourceLine(kernel, line.line);
            if (line.text.starts_with("//")) {
                EXPECT_EQ(body, line.text);
            }
        }
    }
}

TEST(LineTallies, OfEveryScenarioAddUpToTheLaunch) {
    for (const Scenario& scenario : allScenarios()) {
        const Prediction prediction = predict(initialExperiment(scenario));
        const Kernel& kernel = kernelOf(scenario.kernel);
        const std::vector<CudaLine> text = cudaText(kernel);
        double requests = 0;
        double sectors = 0;
        double divergent = 0;
        double wavefronts = 0;
        for (const trace::LineTally& line : prediction.lines) {
            EXPECT_NE(std::ranges::find(text, line.line, &CudaLine::line), text.end())
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
    const Prediction prediction = predict(initialExperiment(scenarioNamed("matadd-swapped")));
    const Kernel& kernel = kernelOf(KernelId::matrixAddSwapped);
    // The guard, and one line with two loads and a store.
    ASSERT_EQ(prediction.lines.size(), 4u);
    const std::uint32_t guard = markLine(kernel, "inside");
    EXPECT_EQ(prediction.lines[0].line, guard);
    EXPECT_EQ(prediction.lines[0].branch.executed, 8192u);
    const trace::LineSum sum = trace::sumOfLine(prediction.lines, guard + 1);
    EXPECT_EQ(sum.access.requests, 3u * 8192);
    EXPECT_EQ(sum.access.sectors, 3u * 8192 * 16);
    EXPECT_EQ(sum.branch.executed, 0u);
}

}  // namespace
}  // namespace warplens
