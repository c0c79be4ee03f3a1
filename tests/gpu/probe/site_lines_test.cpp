#include "tests/gpu/probe/site_lines.h"

#include <array>
#include <gtest/gtest.h>

namespace warplens {
namespace {

TEST(ProbedLines, SumSitesOfOnePlaceAndKind) {
    const Site load{.function = "k",
                    .kind = SiteKind::load,
                    .space = SiteSpace::global,
                    .bytes = 4,
                    .file = "my.cu",
                    .line = 7,
                    .column = 3};
    const std::array sites{load, load};
    const SiteTally tally{
        .requests = 2, .lanes = 64, .sectors = 8, .idealSectors = 8, .uniqueBytes = 256};
    const auto lines = probedLines(sites, std::array{tally, tally});
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].source, Source::compiled);
    EXPECT_EQ(lines[0].place, (SourcePlace{"my.cu", 7, 3}));
    EXPECT_EQ(lines[0].requests, 4u);
    EXPECT_EQ(lines[0].sectors, 16u);
    EXPECT_EQ(lines[0].activeLanes, 128u);
}

TEST(ProbedLines, TellGenericAccessesByTheMemoryTheyMet) {
    const std::array sites{Site{.function = "k",
                                .kind = SiteKind::load,
                                .space = SiteSpace::generic,
                                .bytes = 4,
                                .file = "my.cu",
                                .line = 7}};
    const auto lines = probedLines(sites, std::array{SiteTally{.requests = 1,
                                                               .lanes = 16,
                                                               .sectors = 2,
                                                               .sharedRequests = 3,
                                                               .sharedLanes = 48,
                                                               .wavefronts = 5}});
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].kind, AccessKind::load);
    EXPECT_EQ(lines[0].sectors, 2u);
    EXPECT_EQ(lines[1].kind, AccessKind::sharedLoad);
    EXPECT_EQ(lines[1].requests, 3u);
    EXPECT_EQ(lines[1].wavefronts, 5u);
}

TEST(ProbedLines, LeaveOutWhatNeverRan) {
    EXPECT_TRUE(
        probedLines(std::array{Site{.kind = SiteKind::branch}}, std::array{SiteTally{}}).empty());
}

TEST(ProbedLines, KeepAtomicsOnBothMemoriesApart) {
    const Site onGlobal{
        .kind = SiteKind::atomic, .space = SiteSpace::global, .file = "a", .line = 1};
    Site onShared = onGlobal;
    onShared.space = SiteSpace::shared;
    const auto lines = probedLines(
        std::array{onGlobal, onShared},
        std::array{SiteTally{.requests = 1, .sectors = 1, .mostSameAddress = 4},
                   SiteTally{.sharedRequests = 2, .wavefronts = 9, .mostSameAddress = 32}});
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].mostSameAddress, 4u);
    EXPECT_EQ(lines[1].mostSameAddress, 32u);
    EXPECT_EQ(lines[1].wavefronts, 9u);
}

}  // namespace
}  // namespace warplens
