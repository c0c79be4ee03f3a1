// Programs that are to be right with the engine that reads NVIDIA's PTX (to_come/expectations.txt).
// What this engine, which reads assembly of the host's compiler, does not get right is listed here;
// each turns red when it begins to pass, and then leaves the list.
#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

#include "kernels/trace/trace_program.h"
#include "tests/programs/expected_trace.h"
#include "tests/programs/own_cache.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

const fs::path folderToCome = fs::path(PROGRAM_FOLDER) / "to_come";

/// Names of expectations, and of programs in which more is found than there is.
const std::set<std::string> notYet{
    "struct_values.cu | pair[t] = make_float2(t, 1) | shared_store pair",
    "struct_values.cu | color[t] = make_uchar4( | shared_store color",
    "struct_values.cu | step[t] = make_short2(t, 1) | shared_store step",
    "struct_values.cu | two_s[t] = two(t) | shared_store two_s",
    "struct_values.cu | kept[t] = make_float2(t, 2) | store kept",
    "struct_values.cu | sum(pair[31 - t]) | shared_load pair",
    "struct_values.cu | sum(color[31 - t]) | shared_load color",
    "struct_values.cu | sum(two_s[31 - t]) | shared_load two_s",
    "struct_values.cu | sum(kept[t]) | load kept",
    "struct_values.cu",
    "warp_synchronous_sum.cu",
    "return_in_loop.cu | out[t] = sum; | store out",
    "return_in_nested_if.cu | out[t] = x | store out",
    "counter_of_a_block.cu | b[0]++ | finding race",
    "counter_of_a_warp.cu | b[0]++ | finding race",
    "histogram_without_atomics.cu | bins[data[i]]++ | finding race",
    "total_without_atomics.cu | *total += x[i] | finding race",
    "shift_across_warps.cu | a[i] = a[i + 1] | finding race",
    "tree_sum_without_barrier.cu | x[t] += x[t + half] | finding race",
    "tree_sum_without_barrier.cu | x[t] = x[t] + x[t + half] | finding race",
    "managed_before_synchronising.cu | early = a[0] | finding unsynchronised_read",
    "pinned_before_synchronising.cu | early = host[0] | finding unsynchronised_read",
    "shuffle_in_half_a_warp.cu | __shfl_down_sync(0xffffffff | finding barrier_mismatch",
    "local_array_out_of_bounds.cu | last[i] = in[t + i] | finding out_of_bounds",
    "local_of_another_thread.cu | = *lender | finding wild_pointer/out_of_bounds",
};

std::vector<Expectation> expectationsOf(const std::string& program) {
    std::vector<Expectation> all = expectationsToCome(folderToCome.string());
    std::erase_if(all, [&](const Expectation& one) { return one.program != program; });
    return all;
}

std::vector<std::string> programsToCome() {
    std::set<std::string> programs;
    for (const auto& entry : fs::directory_iterator(folderToCome)) {
        if (entry.path().extension() == ".cu") programs.insert(entry.path().filename().string());
    }
    return {programs.begin(), programs.end()};
}

/// Red for what is unmet, and for what is listed and met.
void judge(const std::string& name, const std::string& unmet) {
    if (isWithNvcc() || !notYet.contains(name)) {
        EXPECT_EQ(unmet, "") << name;
    } else {
        EXPECT_NE(unmet, "") << name << " is as expected now: take it off the list";
    }
}

class ProgramsToCome : public testing::TestWithParam<std::string> {};

TEST_P(ProgramsToCome, AreAsExpectedOrListed) {
    useOwnCache();
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    TraceRequest request = emptyRequest();
    request.source.files = {folderToCome / GetParam()};
    const ProgramTrace trace = traceProgram(request).trace;
    EXPECT_EQ(trace.exit.status, 0) << trace.exit.signal << trace.exit.output;
    const std::vector<Expectation> expectations = expectationsOf(GetParam());
    EXPECT_FALSE(expectations.empty());
    for (const Expectation& expectation : expectations) {
        judge(expectation.name, unmet(expectation, trace));
    }
    judge(GetParam(), foundBeside(expectations, trace));
}

TEST(ExpectationsToCome, AreAllThatIsListed) {
    std::set<std::string> names;
    for (const std::string& program : programsToCome()) names.insert(program);
    for (const Expectation& expectation : expectationsToCome(folderToCome.string())) {
        EXPECT_TRUE(names.contains(expectation.program)) << expectation.program;
        EXPECT_TRUE(names.insert(expectation.name).second) << "twice: " << expectation.name;
    }
    for (const std::string& name : notYet) EXPECT_TRUE(names.contains(name)) << name;
}

INSTANTIATE_TEST_SUITE_P(All, ProgramsToCome, testing::ValuesIn(programsToCome()),
                         [](const testing::TestParamInfo<std::string>& program) {
                             return fs::path(program.param).stem().string();
                         });

}  // namespace
}  // namespace warplens
