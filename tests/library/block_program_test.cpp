// What a block executes, and what the model of an SM makes of it beside the recorded launches.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <map>

#include "app/recordings/library.h"
#include "core/measurement/measurement.h"
#include "core/occupancy/occupancy.h"
#include "kernels/library/prepared_launch.h"
#include "kernels/library/traced_kernel.h"

namespace warplens {
namespace {

SmRun modelOf(const Measurement& measurement) {
    const BlockProgram program = blockProgramOf(measurement.experiment, {});
    EXPECT_EQ(program.cut, "");
    const auto limits =
        std::ranges::find(allSmLimits(), ComputeCapability{9, 0}, &SmLimits::capability);
    const StatedDemand demand = demandOf(measurement.experiment, &measurement);
    const SmModel model;
    const std::uint64_t sms = model.multiprocessors;
    return runModel(program, model, (measurement.experiment.launch.grid.count() + sms - 1) / sms,
                    occupancyOf(*limits, demand.block).residentBlocks);
}

std::size_t countOf(const BlockProgram& program, IssueUnit unit) {
    std::size_t count = 0;
    for (const ModelStep& step : program.warps.front()) {
        count += program.instructions[step.instruction].unit == unit ? 1U : 0U;
    }
    return count;
}

TEST(BlockProgram, HasEveryAccessOfAWarpInItsOrder) {
    const BlockProgram program =
        blockProgramOf(initialExperiment(scenarioNamed("matadd-coalesced")), {});
    EXPECT_EQ(program.warps.size(), 8u);
    EXPECT_EQ(countOf(program, IssueUnit::load), 2u);
    EXPECT_EQ(countOf(program, IssueUnit::store), 1u);
    for (const ModelStep& step : program.warps.front()) {
        const IssueUnit unit = program.instructions[step.instruction].unit;
        const bool isAccess = unit == IssueUnit::load || unit == IssueUnit::store;
        EXPECT_EQ(step.sectors, isAccess ? 4u : 0u);
    }
}

TEST(BlockProgram, HasTheBarriersAndWhatSharedMemoryTakes) {
    const BlockProgram program =
        blockProgramOf(initialExperiment(scenarioNamed("matmul-tiled")), {});
    EXPECT_GT(countOf(program, IssueUnit::barrier), 2u);
    EXPECT_GT(countOf(program, IssueUnit::sharedAccess), countOf(program, IssueUnit::load));
}

TEST(BlockProgram, OfALoopUnrolledByTwoWaitsForMemoryHalfAsOften) {
    const auto waits = [](std::string_view scenario) {
        return memoryWaits(blockProgramOf(initialExperiment(scenarioNamed(scenario)), {}));
    };
    EXPECT_EQ(waits("row-sum"), 128u);
    EXPECT_EQ(waits("row-sum-unrolled"), 65u) << "the odd round is waited for alone";
    EXPECT_EQ(waits("matadd-coalesced"), 1u) << "two loads are waited for together";
}

/// docs/sm-model.md has these numbers.
TEST(SmModel, PutsTheRecordedLaunchesInTheirOrderAndIsWithin15PercentInTheMedian) {
    std::map<std::string, std::vector<std::pair<double, double>>> times;  // recorded, modelled
    std::vector<double> errors;
    const RecordingLibrary library = builtInRecordings();
    for (const Recording& recording : library.recordings) {
        const Measurement& measurement = recording.measurement;
        if (!measurement.schedule) continue;
        const double recorded = measurement.timing.medianSeconds;
        const double modelled = modelOf(measurement).seconds();
        times[measurement.experiment.scenario].emplace_back(recorded, modelled);
        errors.push_back(std::abs(modelled / recorded - 1));
        // The rows of docs/sm-model.md.
        std::printf("| %s | %s | %s | %+.0f %% |\n", recording.name.c_str(),
                    formatNumber(recorded, Unit::seconds).c_str(),
                    formatNumber(modelled, Unit::seconds).c_str(), 100 * (modelled / recorded - 1));
    }
    ASSERT_EQ(errors.size(), 7u);
    std::ranges::sort(errors);
    EXPECT_LT(errors[errors.size() / 2], 0.15);
    EXPECT_LT(errors.back(), 0.20);
    for (auto& [scenario, launches] : times) {
        std::ranges::sort(launches);
        for (std::size_t i = 1; i < launches.size(); ++i) {
            // What differs by less than the runs of one launch do has no order.
            const bool isApart = launches[i].first > 1.02 * launches[i - 1].first;
            if (isApart) {
                EXPECT_GT(launches[i].second, launches[i - 1].second) << scenario;
            } else {
                EXPECT_NEAR(launches[i].second / launches[i - 1].second, 1, 0.02) << scenario;
            }
        }
    }
}

}  // namespace
}  // namespace warplens
