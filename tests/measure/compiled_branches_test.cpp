#include "kernels/measure/code/compiled_branches.h"

#include <gtest/gtest.h>
#include <map>

#include "core/text/atomic_file.h"
#include "kernels/bodies/body_text.h"

namespace warplens {
namespace {

/// The cubins that CMake compiles from the plain kernels for this test, by compute capability.
const std::map<int, std::string> cubinFiles{
    {75, WARPLENS_CUBIN_75}, {90, WARPLENS_CUBIN_90}, {120, WARPLENS_CUBIN_120}};

std::map<std::string, BranchForm> formsOf(int capability, const char* scenario) {
    const std::string cubin = readFile(cubinFiles.at(capability));
    std::map<std::string, BranchForm> forms;
    for (const CompiledBranch& branch : compiledBranches(
             CuptiLibrary::open(), cubin, initialExperiment(scenarioNamed(scenario)))) {
        forms[branch.branch] = branch.form;
    }
    return forms;
}

class CompiledBranchesTest : public testing::TestWithParam<int> {
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
        EXPECT_FALSE(bodyText(kernel).empty()) << kernel.name;
        for (const KernelBranch& branch : kernel.branches) {
            EXPECT_GT(markLine(kernel, branch.name), 0u) << kernel.name << ' ' << branch.name;
        }
        EXPECT_EQ(markLine(kernel, "no_such_mark"), 0u);
    }
}

// The puzzle of the odd-even branch, whose branch efficiency profilers give as 100 %.
TEST_P(CompiledBranchesTest, shortArmsArePredicatedAway) {
    EXPECT_EQ(formsOf(GetParam(), "branch-odd-even").at("even"), BranchForm::predicated);
    EXPECT_EQ(formsOf(GetParam(), "branch-predicate").at("even"), BranchForm::predicated);
    EXPECT_EQ(formsOf(GetParam(), "branch-predicate").at("odd"), BranchForm::predicated);
}

TEST_P(CompiledBranchesTest, longArmsStayABranch) {
    EXPECT_EQ(formsOf(GetParam(), "branch-long-arms").at("odd"), BranchForm::branch);
    EXPECT_EQ(formsOf(GetParam(), "branch-loop-trips").at("again"), BranchForm::branch);
}

TEST_P(CompiledBranchesTest, theGuardOfAWholeBodyIsAnExit) {
    EXPECT_EQ(formsOf(GetParam(), "matadd-coalesced").at("inside"), BranchForm::exit);
}

TEST_P(CompiledBranchesTest, everyScenarioIsFoundInItsCubin) {
    for (const Scenario& scenario : allScenarios()) {
        EXPECT_NO_THROW((void)formsOf(GetParam(), std::string(scenario.id).c_str())) << scenario.id;
    }
}

INSTANTIATE_TEST_SUITE_P(Capability, CompiledBranchesTest, testing::Values(75, 90, 120));

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
