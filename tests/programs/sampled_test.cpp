// Totals of launches of which a sample is traced, against those of every block.
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

#include "kernels/programs/trace_program.h"
#include "tests/programs/own_cache.h"

namespace warplens {
namespace {

/// Of skewed_blocks.cu: no bound is of what a single block does that was not traced.
constexpr int oneHeavyBlock = 5;

LaunchReport launchOf(int family, int seed, double seconds) {
    TraceRequest request;
    request.source.files = {std::filesystem::path(PROGRAM_FOLDER) / "more" / "skewed_blocks.cu"};
    request.arguments = {std::to_string(family), std::to_string(seed), "12000"};
    request.secondsPerLaunch = seconds;
    const ProgramTrace trace = traceProgram(request).trace;
    EXPECT_EQ(trace.exit.status, 0) << trace.exit.output;
    return trace.launches.empty() ? LaunchReport{} : trace.launches.front();
}

double totalOf(const LaunchReport& launch, Metric metric) {
    for (const Value& value : launch.values) {
        if (value.metric == metric && value.number() != nullptr) return *value.number();
    }
    return 0;
}

class SampledPrograms : public testing::TestWithParam<int> {};

/// Of nine kinds of skew, as many programs together as the parameter says.
TEST_P(SampledPrograms, BoundsHold95TimesOutOf100) {
    useOwnCache();
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    std::size_t bounds = 0;
    std::size_t broken = 0;
    std::string which;
    for (int family = 0; family < 10; ++family) {
        if (family == oneHeavyBlock) continue;
        for (int seed = 1; seed <= GetParam() / 9; ++seed) {
            const LaunchReport sample = launchOf(family, seed, 0.02);
            const LaunchReport all = launchOf(family, seed, 100);
            ASSERT_TRUE(all.exact);
            if (sample.exact) continue;  // a fast machine
            for (const SampleBound& bound : sample.bounds) {
                const double estimate = totalOf(sample, bound.metric);
                const double truth = totalOf(all, bound.metric);
                ++bounds;
                if (std::abs(estimate - truth) <= bound.percent / 100 * estimate + 1) continue;
                ++broken;
                which += std::to_string(family) + '/' + std::to_string(seed) + ' ' +
                         std::string(metricInfo(bound.metric).id) + ": " +
                         std::to_string(estimate) + " for " + std::to_string(truth) + ", within " +
                         std::to_string(bound.percent) + " %\n";
            }
        }
    }
    EXPECT_GE(bounds, 50u);
    EXPECT_LE(broken, bounds / 20) << which;
}

INSTANTIATE_TEST_SUITE_P(More, SampledPrograms, testing::Values(54));

}  // namespace
}  // namespace warplens
