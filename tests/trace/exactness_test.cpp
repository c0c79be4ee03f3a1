// Predictions made from one block of each kind against whole traces of the same launches: sizes
// that are multiples of nothing, grids many times too large and too small, up to ten million steps.

#include <gtest/gtest.h>

#include "tests/support/random_experiment.h"
#include "tests/support/whole_trace.h"

namespace warplens {
namespace {

constexpr int launches = 20;
constexpr std::uint64_t mostSteps = 10'000'000;

std::uint64_t seedOf(const Scenario& scenario) {
    const char* const given = std::getenv("WARPLENS_SEED");
    const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : 20261122;
    return seed + static_cast<std::uint64_t>(&scenario - allScenarios().data());
}

class Exactness : public testing::TestWithParam<std::string> {};

TEST_P(Exactness, ofKindsEqualsTheWholeTrace) {
    const Scenario& scenario = scenarioNamed(GetParam());
    const std::uint64_t seed = seedOf(scenario);
    std::cout << "seed " << seed << '\n';
    RecordProperty("seed", std::to_string(seed));
    std::mt19937_64 random(seed);
    std::uint64_t byKind = 0;
    for (int i = 0; i < launches; ++i) {
        PredictOptions options;
        options.everyBlockUpTo = 0;
        options.timeLimit = std::chrono::minutes(10);
        // As a block of very many steps is traced, too.
        if (i % 2 != 0) options.blockWholeUpTo = 0;
        const LaunchReport p = predict(randomWideExperiment(scenario, random, mostSteps), options);
        EXPECT_TRUE(p.exact) << toLaunchSyntax(p.experiment().launch) << ' '
                             << sizesOf(p.experiment());
        EXPECT_EQ(differences(p), "");
        byKind += p.kinds != 0 ? 1 : 0;
    }
    EXPECT_GT(byKind, 0u);
}

std::vector<std::string> everyScenario() {
    std::vector<std::string> ids;
    for (const Scenario& scenario : allScenarios()) ids.emplace_back(scenario.id);
    return ids;
}

INSTANTIATE_TEST_SUITE_P(Scenario, Exactness, testing::ValuesIn(everyScenario()),
                         [](const auto& tested) {
                             std::string name = tested.param;
                             std::erase(name, '-');
                             return name;
                         });

double totalOf(const LaunchReport& prediction, Metric metric, const char* subject = "kernel") {
    const Value* value =
        findValue(prediction.values, metric, Source::predicted, Variant::none, subject);
    return value != nullptr && value->number() != nullptr ? *value->number() : -1;
}

LaunchReport predicted(const char* scenario, Extents block, Arguments set,
                       std::optional<Extents> grid = {}) {
    const LaunchReport p = predict(
        complete({.scenario = scenario, .grid = grid, .block = block, .set = std::move(set)}));
    EXPECT_TRUE(p.exact) << scenario;
    return p;
}

TEST(Exactness, ofGridsFarLargerThanTheProblem) {
    const LaunchReport vector =
        predicted("elementwise-1d", {256, 1, 1}, {{"n", 100000}}, Extents{8000000, 1, 1});
    EXPECT_EQ(totalOf(vector, Metric::globalLoadRequests), 3125);
    const LaunchReport matrix =
        predicted("matadd-coalesced", {16, 16, 1}, {{"n", 100}}, Extents{60000, 30000, 1});
    EXPECT_EQ(totalOf(matrix, Metric::globalLoadRequests, "a"), 350);
}

// Each row of c takes ceil of its own shifted ends: summed here row by row.
TEST(Exactness, ofProductsWhoseRowsAreAlignedToNothing) {
    for (const auto& [n, block] : {std::pair{3004u, 512u}, std::pair{5004u, 1024u}}) {
        double sectors = 0;
        for (std::uint64_t row = 0; row < n; ++row) {
            for (std::uint64_t col = 0; col < n; col += 32) {
                const std::uint64_t first = (row * n + col) * 4;
                const std::uint64_t last = (row * n + std::min<std::uint64_t>(n, col + 32)) * 4 - 1;
                sectors += static_cast<double>(last / 32 - first / 32 + 1);
            }
        }
        const LaunchReport p = predicted("matmul-global", {block, 1, 1}, {{"n", n}});
        EXPECT_EQ(totalOf(p, Metric::globalStoreSectors), sectors) << n;
    }
}

// Blocks differ only in which lanes take the branch, not in how many.
TEST(Exactness, ofBlocksThatOnlyTheLanesOfABranchTellApart) {
    PredictOptions options;
    options.everyBlockUpTo = 0;
    options.blockWholeUpTo = 0;
    const LaunchReport p = predict(complete({.scenario = "branch-long-arms",
                                             .grid = Extents{112, 1, 1},
                                             .block = Extents{7, 5, 1},
                                             .set = {{"n", 215}, {"shift", 1}, {"repeats", 2}}}),
                                   options);
    EXPECT_EQ(differences(p), "");
}

// Two blocks of which other keys are read are not alike, however their requests lie.
TEST(Exactness, ofBlocksThatOnlyTheirDataTellsApart) {
    struct Case final {
        const char* scenario;
        Extents grid;
        std::uint32_t block;
        Arguments set;
    };
    const std::vector<Case> cases{
        {"sparse-warp", {2, 1, 1}, 1024, {{"rows", 4}, {"length", 2}}},
        {"sparse-warp", {5, 1, 3}, 512, {{"rows", 2}, {"length", 7}}},
        {"sparse-warp", {2, 1, 1}, 1024, {{"rows", 7}, {"length", 27}}},
        {"sparse-warp", {4, 1, 1}, 1024, {{"rows", 102}, {"length", 38}}},
        {"histogram-global", {5, 1, 1}, 1024, {{"n", 108}, {"bins", 3}, {"run", 2}}},
        {"histogram-global", {5, 1, 1}, 1024, {{"n", 4424}, {"bins", 2}}},
        {"histogram-shared", {1, 1, 4}, 1024, {{"n", 189}, {"bins", 2}, {"each", 2}}},
        {"histogram-shared", {2, 1, 1}, 512, {{"n", 1322}, {"bins", 3}, {"each", 2}, {"run", 2}}},
        {"histogram-aggregated", {13, 1, 1}, 1024, {{"n", 187}, {"bins", 3}}},
        {"histogram-aggregated", {41, 1, 1}, 1024, {{"n", 1158}, {"bins", 2}, {"run", 3}}},
    };
    for (const Case& each : cases) {
        for (const std::uint64_t blockWholeUpTo : {0u, 200'000u}) {
            PredictOptions options;
            options.everyBlockUpTo = 0;
            options.blockWholeUpTo = blockWholeUpTo;
            const LaunchReport p = predict(complete({.scenario = each.scenario,
                                                     .grid = each.grid,
                                                     .block = Extents{each.block, 1, 1},
                                                     .set = each.set}),
                                           options);
            EXPECT_TRUE(p.exact);
            EXPECT_EQ(differences(p), "");
        }
    }
}

// Far more blocks than there are keys for: those without keys are of one kind, and those that
// differ along y alone, which the kernel does not read, are traced once.
TEST(Exactness, ofGridsFarLargerThanTheData) {
    const LaunchReport small = predicted("histogram-global", {256, 1, 1}, {{"n", 100'000}});
    const LaunchReport p =
        predicted("histogram-global", {256, 1, 1}, {{"n", 100'000}}, Extents{2'000'000, 1000, 1});
    EXPECT_EQ(totalOf(p, Metric::atomicTurns), 1000 * totalOf(small, Metric::atomicTurns));
    EXPECT_EQ(totalOf(p, Metric::globalLoadRequests),
              1000 * totalOf(small, Metric::globalLoadRequests));
    EXPECT_LT(p.blocksTraced, 1000u);
}

TEST(Exactness, ofMillionsOfBlocksOfOneThread) {
    const LaunchReport p = predicted("reduce-sequential", {1, 1, 1}, {});
    EXPECT_EQ(totalOf(p, Metric::globalLoadSectors), 1 << 24);
    EXPECT_LT(p.blocksTraced, 1000u);
}

TEST(Exactness, ofTwoToThe31Threads) {
    const LaunchReport p = predicted("warp-grouping", {1024, 1, 1}, {}, Extents{2097151, 1, 1});
    EXPECT_EQ(totalOf(p, Metric::globalStoreSectors), 2097151.0 * 128);
}

TEST(Exactness, requestsThatShareAddressesNeverTakeFewerSectorsThanTheFewest) {
    const LaunchReport p = predicted("matmul-global", {16, 16, 1}, {{"n", 512}});
    const auto quotient = [&](Variant variant) {
        return *findValue(p.values, Metric::sectorsPerRequest, Source::predicted, variant, "a")
                    ->number();
    };
    EXPECT_EQ(quotient(Variant::load), 2);
    EXPECT_EQ(quotient(Variant::loadIdeal), 1);
}

}  // namespace
}  // namespace warplens
