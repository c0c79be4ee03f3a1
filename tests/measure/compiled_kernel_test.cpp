#include "kernels/measure/code/compiled_kernel.h"

#include <gtest/gtest.h>
#include <map>

#include "core/text/atomic_file.h"
#include "kernels/bodies/body_text.h"

namespace warplens {
namespace {

/// The cubins that CMake compiles from the plain kernels for this test, by compute capability.
const std::map<int, std::string> cubinFiles{
    {75, WARPLENS_CUBIN_75}, {90, WARPLENS_CUBIN_90}, {120, WARPLENS_CUBIN_120}};

CompiledKernel compiledIn(int capability, const char* scenario) {
    const std::string cubin = readFile(cubinFiles.at(capability));
    return compiledKernel(CuptiLibrary::open(), cubin, initialExperiment(scenarioNamed(scenario)));
}

std::map<std::string, BranchForm> formsOf(int capability, const char* scenario) {
    const CompiledKernel compiled = compiledIn(capability, scenario);
    std::map<std::string, BranchForm> forms;
    for (const CompiledBranch& branch : compiled.branches) forms[branch.branch] = branch.form;
    return forms;
}

class CompiledKernelTest : public testing::TestWithParam<int> {
  protected:
    void SetUp() override {
        try {
            (void)CuptiLibrary::open();
        } catch (const CountersUnavailable& error) {
            GTEST_SKIP() << "no CUPTI here: " << error.what();
        }
    }
};

TEST(MarkLine, findsEveryMarkOfEveryKernel) {
    for (const Kernel& kernel : allKernels()) {
        if (bodyText(kernel).empty()) continue;
        for (const KernelBranch& branch : kernel.branches) {
            EXPECT_GT(markLine(kernel, branch.name), 0u) << kernel.name << ' ' << branch.name;
        }
        EXPECT_EQ(markLine(kernel, "no_such_mark"), 0u);
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
        if (bodyText(kernelOf(scenario.kernel)).empty()) continue;
        const std::string id(scenario.id);
        EXPECT_EQ(compiledIn(GetParam(), id.c_str()).mergedSharedLoads, id == "matmul-tiled") << id;
    }
}

TEST_P(CompiledKernelTest, everyScenarioIsFoundInItsCubin) {
    for (const Scenario& scenario : allScenarios()) {
        if (bodyText(kernelOf(scenario.kernel)).empty()) continue;
        EXPECT_NO_THROW((void)formsOf(GetParam(), std::string(scenario.id).c_str())) << scenario.id;
    }
}

INSTANTIATE_TEST_SUITE_P(Capability, CompiledKernelTest, testing::Values(75, 90, 120));

TEST(Cubin, isRefusedWhenCutOffAnywhere) {
    const std::string whole = readFile(WARPLENS_CUBIN_90);
    for (std::size_t length = 0; length < whole.size(); length += 997) {
        try {
            (void)functionsOf(std::span(whole).first(length));
        } catch (const std::runtime_error&) {
        }
    }
    EXPECT_THROW((void)functionsOf(std::span(whole).first(100)), std::runtime_error);
}

}  // namespace
}  // namespace warplens
