#include "core/text/format.h"
#include "kernels/measure/scenario_launch.h"
#include "tests/gpu/gpu_fixture.h"

namespace warplens {
namespace {

using MappingReadbackTest = GpuTest;

TEST_F(MappingReadbackTest, hardwareAgreesWithTheRuleForEveryShape) {
    for (const Extents block :
         {Extents{1}, Extents{31}, Extents{32}, Extents{33}, Extents{7, 5}, Extents{4, 2, 8},
          Extents{1, 1, 64}, Extents{5, 7, 3}, Extents{32, 32}, Extents{1024}}) {
        for (const Extents grid : {Extents{1}, Extents{3, 2}, Extents{5, 7, 2}}) {
            const Launch launch{.grid = grid, .block = block};
            const MappingReadback seen = readMappingBack(launch);
            EXPECT_EQ(seen.threads, launch.threadCount()) << toLaunchSyntax(launch);
            EXPECT_EQ(seen.mismatches, 0u) << toLaunchSyntax(launch);
            EXPECT_EQ(seen.readBack, launch.threadCount());
            EXPECT_EQ(seen.mismatchesOnHost, 0u) << toLaunchSyntax(launch);
        }
        std::cout << "block " << toString(block) << ": 0 mismatches\n";
    }
}

TEST_F(MappingReadbackTest, everyBlockOfOneToAThousandThreadsAgrees) {
    for (std::uint32_t threads = 1; threads <= 1024; ++threads) {
        const MappingReadback seen = readMappingBack({.grid = {2}, .block = {threads}});
        ASSERT_EQ(seen.mismatches + seen.mismatchesOnHost, 0u) << threads;
    }
}

}  // namespace
}  // namespace warplens
