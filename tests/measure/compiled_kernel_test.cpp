#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "app/recordings/library.h"
#include "core/kernel/kernel.h"
#include "core/scenario/scenario.h"
#include "kernels/device/compile.h"
#include "kernels/device/cubin.h"
#include "kernels/measure/scenario_launch.h"
#include "tests/gpu/probe/instrument.h"
#include "tests/gpu/probe/link.h"
#include "tests/gpu/probe/probe.h"
#include "tests/gpu/probe/probed_code.h"

namespace warplens {
namespace {

const Kernel& fileOf(const std::string& scenario) {
    return kernelOf(scenarioNamed(scenario).kernel);
}

CompiledUnit unitOf(int capability, const std::string& scenario) {
    const Experiment e = initialExperiment(scenarioNamed(scenario));
    return compileKernelFile(fileOf(scenario), fileOf(scenario).instance(e.arguments), capability);
}

CompiledKernel compiledIn(int capability, const std::string& scenario) {
    const auto unit = unitOf(capability, scenario);
    return compiledKernel(unit.cubin, unit.symbols.begin()->second, fileOf(scenario));
}

std::map<std::string, BranchForm> formsOf(int capability, const std::string& scenario) {
    const CompiledKernel compiled = compiledIn(capability, scenario);
    std::map<std::string, BranchForm> forms;
    for (const CompiledBranch& branch : compiled.branches) forms[branch.branch] = branch.form;
    return forms;
}

/// How often each named branch of each scenario, `warmup even_warp`, stands in its PTX.
std::map<std::string, std::ptrdiff_t> branchesInPtx(int capability) {
    std::map<std::string, std::ptrdiff_t> counts;
    for (const Scenario& scenario : allScenarios()) {
        const std::string id(scenario.id);
        const auto unit = unitOf(capability, id);
        const std::vector<Site> sites =
            sitesOf(unit.ptx, {unit.symbols.begin()->second}, {fileOf(id).file});
        for (const KernelBranch& branch : fileOf(id).branches) {
            counts[id + ' ' + branch.name] = std::ranges::count_if(sites, [&](const Site& site) {
                return site.kind == SiteKind::branch && site.line == branch.line;
            });
        }
    }
    return counts;
}

/// By the oldest, a usual and the newest compute capability.
class CompiledKernelTest : public testing::TestWithParam<int> {
  protected:
    void SetUp() override {
        try {
            (void)NvrtcLibrary::open();
        } catch (const CompilerUnavailable& error) {
            GTEST_SKIP() << error.what();
        }
    }
};

TEST_P(CompiledKernelTest, everyScenarioCompilesWithoutAWordAndIsFoundInItsCode) {
    for (const Scenario& scenario : allScenarios()) {
        const std::string id(scenario.id);
        EXPECT_EQ(unitOf(GetParam(), id).log, "") << id;
        EXPECT_EQ(formsOf(GetParam(), id).size(), fileOf(id).branches.size()) << id;
    }
}

TEST_P(CompiledKernelTest, everyInstructionHasALineOfTheKernel) {
    for (const Kernel& file : allKernels()) {
        const auto unit = compileKernelFile(file, file.instances().front(), GetParam());
        const auto last = static_cast<std::uint32_t>(std::ranges::count(file.text, '\n'));
        for (const SassFunction& function : functionsOf(unit.cubin)) {
            for (const SassInstruction& instruction : function.instructions) {
                EXPECT_GT(instruction.line, 0u) << file.file << ' ' << instruction.offset;
                EXPECT_LE(instruction.line, last) << file.file << ' ' << instruction.offset;
            }
        }
    }
}

// The puzzle of the odd-even branch, whose branch efficiency profilers give as 100 %.
TEST_P(CompiledKernelTest, shortArmsArePredicatedAway) {
    EXPECT_EQ(formsOf(GetParam(), "branch-odd-even").at("even"), BranchForm::predicated);
    EXPECT_EQ(formsOf(GetParam(), "branch-predicate").at("even"), BranchForm::predicated);
    EXPECT_EQ(formsOf(GetParam(), "branch-predicate").at("odd"), BranchForm::predicated);
}

TEST_P(CompiledKernelTest, longArmsStayABranch) {
    EXPECT_EQ(formsOf(GetParam(), "branch-long-arms").at("odd"), BranchForm::branch);
    EXPECT_EQ(formsOf(GetParam(), "branch-loop-trips").at("again"), BranchForm::branch);
}

TEST_P(CompiledKernelTest, theGuardOfAWholeBodyIsAnExit) {
    EXPECT_EQ(formsOf(GetParam(), "matadd-coalesced").at("inside"), BranchForm::exit);
}

// Why its counted shared requests are fewer than the source's, unlike those of every other kernel.
TEST_P(CompiledKernelTest, onlyStaticTilesHaveTheirSharedLoadsMerged) {
    for (const Scenario& scenario : allScenarios()) {
        const std::string id(scenario.id);
        EXPECT_EQ(compiledIn(GetParam(), id).mergedSharedLoads, id == "matmul-tiled") << id;
    }
}

// Why its counted shared wavefronts are fewer than the predicted: see docs/agreement.md.
TEST_P(CompiledKernelTest, onlyTheHistogramInSharedMemoryAddsOneByAnInstructionOfItsOwn) {
    for (const Scenario& scenario : allScenarios()) {
        const std::string id(scenario.id);
        EXPECT_EQ(compiledIn(GetParam(), id).incrementsShared,
                  id == "histogram-shared" && GetParam() >= 80)
            << id;
    }
}

// PTX accesses arrays as the source does: what is probed is comparable with what is predicted.
TEST_P(CompiledKernelTest, everySiteNamesItsMemoryAndItsLine) {
    for (const Scenario& scenario : allScenarios()) {
        const std::string id(scenario.id);
        const auto unit = unitOf(GetParam(), id);
        const std::string& symbol = unit.symbols.begin()->second;
        const InstrumentedPtx probed =
            instrument(probeCode(GetParam()), unit.ptx, {symbol}, {1024, 1, 1}, {fileOf(id).file});
        EXPECT_TRUE(probed.notes.empty()) << id;
        EXPECT_FALSE(probed.sites.empty()) << id;
        for (const Site& site : probed.sites) {
            // For compute capability 12.0 NVRTC lays one branch of sum_in_rounds.cu to no line.
            if (site.kind == SiteKind::branch && GetParam() == 120) continue;
            EXPECT_NE(site.line, 0u) << id << ' ' << site.instruction;
            EXPECT_EQ(site.file, fileOf(id).file) << id << ' ' << site.instruction;
            EXPECT_NE(site.space, SiteSpace::generic) << id << ' ' << site.instruction;
        }
        EXPECT_EQ(probed.sharedSymbols.empty(), fileOf(id).shared.empty()) << id;
        try {
            const std::string cubin = linkPtx({{"program", probed.ptx}}, GetParam(), 64);
            // For compute capability 7.5 all code with the probe has one.
            EXPECT_EQ(haveYield(functionsOf(cubin)), GetParam() == 75) << id;
        } catch (const CompilerUnavailable&) {
            // Linked by the driver where a GPU is.
        }
    }
}

// A function that is called is what makes the assembler let lanes come apart; then nothing is said
// to be probed (tests/gpu/probe/probed_code.h).
TEST_P(CompiledKernelTest, anExactDivisionLetsLanesOfTheProbedCodeComeApart) {
    std::string text = fileOf("stencil-global").text;
    const std::string stored = "out[i] = sum;";
    ASSERT_NE(text.find(stored), std::string::npos);
    text.replace(text.find(stored), stored.size(), "out[i] = sum / (2 * radius + 1);");
    const Kernel file = parseKernelFile("divided.cu", text);
    const auto unit = compileKernelFile(file, file.name, GetParam());
    const InstrumentedPtx probed = instrument(probeCode(GetParam()), unit.ptx,
                                              {unit.symbols.at(file.name)}, {1024}, {file.file});
    try {
        const std::string cubin = linkPtx({{"program", probed.ptx}}, GetParam(), 64);
        EXPECT_TRUE(haveYield(functionsOf(cubin)));
    } catch (const CompilerUnavailable&) {
        // Linked by the driver where a GPU is.
    }
}

// Each counts for itself where the probe tells branches: what makes more than those of a loop, its
// entry and its round, is a known difference (tests/gpu/known_differences.cpp).
TEST_P(CompiledKernelTest, fewNamedBranchesHaveCopies) {
    std::map<std::string, std::ptrdiff_t> copies = branchesInPtx(GetParam());
    std::erase_if(copies, [](const auto& entry) { return entry.second <= 2; });
    const bool newest = GetParam() == 120;
    EXPECT_EQ(copies,
              (std::map<std::string, std::ptrdiff_t>{{"block-placement more", newest ? 3 : 4},
                                                     {"histogram-shared inside", newest ? 21 : 7},
                                                     {"latency-hiding more", newest ? 3 : 4}}));
}

// Otherwise nothing probes the branch, and the report says so.
TEST_P(CompiledKernelTest, ptxHasABranchForEachNamedOneButThoseOfShortArms) {
    std::set<std::string> without;
    for (const auto& [branch, count] : branchesInPtx(GetParam())) {
        if (count == 0) without.insert(branch);
    }
    EXPECT_EQ(without, (std::set<std::string>{"branch-odd-even even", "branch-by-warp even_warp",
                                              "branch-predicate even", "branch-predicate odd",
                                              "warmup even_warp"}));
}

INSTANTIATE_TEST_SUITE_P(Capability, CompiledKernelTest, testing::Values(75, 90, 120));

// What the driver said of the same code, once it was loaded, is recorded.
TEST(Cubin, tellsTheResourcesThatTheDriverTells) {
    const RecordingLibrary library = builtInRecordings();
    int compared = 0;
    for (const Recording& recording : library.recordings) {
        const Measurement& measured = recording.measurement;
        const Experiment& e = measured.experiment;
        if (!measured.resources || measured.device.computeCapability != "9.0") continue;
        const Kernel& file = kernelOf(e);
        try {
            const auto unit = compileKernelFile(file, file.instance(e.arguments), 90);
            if (unit.compiler() != "NVRTC 13.0") GTEST_SKIP() << unit.compiler();
            EXPECT_EQ(resourcesOf(unit.cubin, unit.symbols.begin()->second), *measured.resources)
                << e.scenario;
        } catch (const CompilerUnavailable& error) {
            GTEST_SKIP() << error.what();
        }
        ++compared;
    }
    EXPECT_GT(compared, 20);
}

TEST(Cubin, countsSharedMemoryWithoutWhatTheDriverKeeps) {
    const std::string text =
        "__global__ void own(float* a) {\n"
        "    __shared__ float t[100];\n"
        "    t[threadIdx.x] = a[threadIdx.x];\n"
        "    __syncthreads();\n"
        "    a[threadIdx.x] = t[99 - threadIdx.x];\n"
        "}\n"
        "__global__ void alone(float* a) { a[threadIdx.x] = 1; }\n"
        "__global__ void spills(float* a, int n) {\n"
        "    float t[200];\n"
        "#pragma unroll 1\n"
        "    for (int i = 0; i < 200; ++i) t[i] = a[i * n];\n"
        "#pragma unroll 1\n"
        "    for (int i = 0; i < 200; ++i) t[t[i] > 0 ? i : 0] *= t[199 - i];\n"
        "    a[n] = t[n];\n"
        "}\n";
    for (const int capability : {75, 80, 90, 120}) {
        try {
            const auto unit = compileDeviceCode("own.cu", text, {"own", "alone", "spills"},
                                                {.computeCapability = capability});
            const KernelResources own = resourcesOf(unit.cubin, unit.symbols.at("own"));
            EXPECT_EQ(own.staticSharedBytes, 400u) << capability;
            EXPECT_GT(own.registersPerThread, 3u) << capability;
            EXPECT_EQ(resourcesOf(unit.cubin, unit.symbols.at("alone")).staticSharedBytes, 0u);
            EXPECT_GE(resourcesOf(unit.cubin, unit.symbols.at("spills")).localBytesPerThread, 800u);
            EXPECT_THROW((void)resourcesOf(unit.cubin, "other"), std::runtime_error);
        } catch (const CompilerUnavailable& error) {
            GTEST_SKIP() << error.what();
        }
    }
}

TEST(Cubin, isRefusedWhenCutOffAnywhere) {
    std::string whole;
    try {
        whole = unitOf(90, "matadd-coalesced").cubin;
    } catch (const CompilerUnavailable& error) {
        GTEST_SKIP() << error.what();
    }
    for (std::size_t length = 0; length < whole.size(); length += 97) {
        try {
            (void)functionsOf(std::span(whole).first(length));
            (void)resourcesOf(std::span(whole).first(length), "sum");
        } catch (const std::runtime_error&) {
        }
    }
    EXPECT_THROW((void)functionsOf(std::span(whole).first(100)), std::runtime_error);
}

}  // namespace
}  // namespace warplens
