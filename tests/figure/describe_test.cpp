#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <set>

#include "app/drawing/warp_trace.h"
#include "app/figure/compose.h"
#include "core/access/line_cost.h"

namespace warplens::figure {
namespace {

const Description::Part& partNamed(const Description& description, std::string_view heading) {
    const auto found = std::ranges::find_if(description.parts, [&](const Description::Part& part) {
        return part.heading.starts_with(heading);
    });
    EXPECT_NE(found, description.parts.end()) << heading;
    return *found;
}

Subject subjectSeen(const char* scenario, PictureKind picture) {
    return {.view = {.experiment = initialExperiment(scenarioNamed(scenario)), .picture = picture}};
}

TEST(Describe, TellsOfEveryWarpAndItsIdleLanes) {
    Subject subject = subjectSeen("warp-grouping", PictureKind::threads);
    subject.view.experiment.launch.block = {5, 7, 3};
    subject.view.experiment.launch.grid = {1, 1, 1};
    const Description description = describe(subject);
    EXPECT_TRUE(description.parts.front().heading.empty());
    const std::vector<std::string>& lines = partNamed(description, "Threads").lines;
    ASSERT_EQ(lines.size(), 5u);
    EXPECT_EQ(lines[0],
              "The grid has 1 block; a block has 105 threads, 5 x 7 x 3, in 4 warps of 32 "
              "lanes.");
    EXPECT_EQ(lines[1], "Warp 0: threads (0, 0, 0) to (1, 6, 0).");
    EXPECT_EQ(lines[4], "Warp 3: threads (1, 5, 2) to (4, 6, 2), 23 lanes idle.");
}

// Each step names the sectors that the laws of access count, and every active lane in one of them.
TEST(Describe, NamesTheSectorsOfEachStep) {
    for (const char* scenario : {"matadd-coalesced", "matadd-swapped", "access-offset"}) {
        const Subject subject = subjectSeen(scenario, PictureKind::request);
        const WarpTrace trace = traceWarp({subject.view.experiment, {}, {}});
        std::vector<std::size_t> named;
        const Description description = describe(subject);
        for (const std::string& line : partNamed(description, "Warp 0").lines) {
            if (line.starts_with("Step ")) named.push_back(0);
            if (line.starts_with("  Sector at byte ")) ++named.back();
        }
        ASSERT_EQ(named.size(), trace.steps.size()) << scenario;
        for (std::size_t i = 0; i < named.size(); ++i) {
            if (trace.steps[i].kind == StepKind::branch) continue;
            EXPECT_EQ(named[i], costOf(trace.steps[i]).sectors) << scenario;
        }
    }
}

TEST(Describe, AsTextHasAnEmptyLineBeforeEachHeading) {
    const Description description{{{"", {"a", "b"}}, {"C", {"d"}}}};
    EXPECT_EQ(toText(description), "a\nb\n\nC\nd\n");
}

}  // namespace
}  // namespace warplens::figure
