#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "core/trace/block_sample.h"

namespace warplens::trace {
namespace {

TEST(SampleError, AtMostSoManyBlocksAreHeavierThanAnyThatWasDrawn) {
    EXPECT_EQ(mostHeavierBlocks(0, 100), 100u);
    EXPECT_EQ(mostHeavierBlocks(100, 100), 0u);
    EXPECT_EQ(mostHeavierBlocks(99, 100), 1u);
    // Whoever draws n of N misses all of K with the probability (N-K choose n) / (N choose n),
    // which is just below one in twenty.
    for (const std::uint64_t of : {50, 1000, 30000}) {
        for (const std::uint64_t drawn : {2, 16, 40}) {
            const std::uint64_t most = mostHeavierBlocks(drawn, of);
            const auto missing = [&](std::uint64_t heavy) {
                double chance = 1;
                for (std::uint64_t i = 0; i < drawn; ++i) {
                    chance *= static_cast<double>(of - heavy - i) / static_cast<double>(of - i);
                }
                return chance;
            };
            EXPECT_LE(missing(most), 0.05) << drawn << " of " << of;
            EXPECT_GE(missing(most - 2), 0.05) << drawn << " of " << of;
        }
    }
}

TEST(SampleError, OfBlocksThatAreAllDrawnIsNone) {
    SampledValue value;
    for (const double one : {1.0, 5.0, 9.0}) value.add(one);
    EXPECT_EQ(value.mean(), 5);
    EXPECT_EQ(value.most(), 9);
    EXPECT_EQ(value.spreadError(3), 0);
    EXPECT_EQ(value.tailError(3), 0);
    // Student's t of two degrees; the spread is 4.
    EXPECT_NEAR(value.spreadError(300), 300 * 4.303 * 4 / std::sqrt(3) * std::sqrt(0.99), 1e-6);
}

/// A launch whose blocks do very different amounts of work.
struct Skewed final {
    std::string name;
    std::vector<double> blocks{};
};

std::vector<Skewed> skewedLaunches() {
    std::mt19937_64 random(7);
    const auto uniform = [&] { return std::uniform_real_distribution<double>(0, 1)(random); };
    std::vector<Skewed> all;
    const auto add = [&](const std::string& name, std::size_t blocks, auto valueOf) {
        Skewed& launch = all.emplace_back(Skewed{name});
        for (std::size_t i = 0; i < blocks; ++i) launch.blocks.push_back(valueOf(i));
    };
    for (const std::size_t blocks : {2000, 20000}) {
        for (const double width : {0.5, 1.0, 1.5, 2.0}) {
            add("lognormal " + std::to_string(width), blocks, [&](std::size_t) {
                return std::exp(width * std::normal_distribution<double>()(random));
            });
        }
        for (const double power : {1.2, 1.5, 2.0, 3.0}) {
            add("degrees of a graph, power " + std::to_string(power), blocks,
                [&](std::size_t) { return std::pow(1 - uniform(), -1 / power); });
        }
        for (const auto& [share, weight] :
             {std::pair{0.1, 10.0}, {0.01, 100.0}, {0.02, 20.0}, {0.003, 300.0}, {0.001, 1000.0}}) {
            add("few heavy", blocks, [&](std::size_t) { return uniform() < share ? weight : 1.0; });
        }
        // One block does so much of all the work.
        for (const double share : {0.0144, 0.1, 0.5, 0.9}) {
            add("one heavy", blocks, [&](std::size_t i) {
                return i == blocks / 3 ? share / (1 - share) * static_cast<double>(blocks) : 1.0;
            });
        }
        for (const double from : {0.0, 10.0}) {
            add("rows that get longer", blocks,
                [&](std::size_t i) { return from + static_cast<double>(i); });
            add("rows that get shorter, squared", blocks, [&](std::size_t i) {
                const auto left = static_cast<double>(blocks - i);
                return from + left * left;
            });
        }
        add("exponential", blocks, [&](std::size_t) { return -std::log(1 - uniform()); });
        add("mostly nothing", blocks, [&](std::size_t i) { return i % 40 == 3 ? 7.0 : 0.0; });
        add("nearly even", blocks, [&](std::size_t) { return 100 + std::floor(3 * uniform()); });
        add("a heavy stretch", blocks, [&](std::size_t i) { return i < blocks / 50 ? 50.0 : 1.0; });
        add("two of a thousand", blocks, [&](std::size_t i) { return i % 500 == 7 ? 200.0 : 1.0; });
        add("from 0 to 64", blocks,
            [&](std::size_t) { return std::floor(65 * std::pow(uniform(), 8)); });
    }
    return all;
}

/// What came of one sample.
struct Outcome final {
    bool countHolds = false;  ///< of blocks that do more than any that was drawn
    bool totalHolds = false;  ///< of all blocks, these being like the heaviest that was drawn
};

/// Draws one block of each stretch, as who runs blocks in order does.
Outcome outcomeOf(const Skewed& launch, std::size_t drawn, std::mt19937_64& random) {
    const std::size_t of = launch.blocks.size();
    SampledValue value;
    for (std::size_t stretch = 0; stretch < drawn; ++stretch) {
        const std::size_t from = of * stretch / drawn;
        const std::size_t to = of * (stretch + 1) / drawn;
        value.add(launch.blocks[from + random() % (to - from)]);
    }
    std::uint64_t heavier = 0;
    double total = 0;
    for (const double block : launch.blocks) {
        heavier += block > value.most() ? 1 : 0;
        total += std::min(block, value.most());
    }
    const double error = value.spreadError(of) + value.tailError(of);
    return {.countHolds = heavier <= mostHeavierBlocks(drawn, of),
            .totalHolds =
                std::abs(value.mean() * static_cast<double>(of) - total) <= error + 1e-9 * total};
}

TEST(SampleError, HoldsOfFiftySkewedLaunches95TimesOutOf100) {
    const std::vector<Skewed> launches = skewedLaunches();
    ASSERT_GE(launches.size(), 50u);
    std::mt19937_64 random(11);
    constexpr std::size_t rounds = 40;
    for (const std::size_t drawn : {16, 64, 256}) {
        const double all = static_cast<double>(rounds * launches.size()) / 100;
        std::size_t counts = 0;
        std::size_t totals = 0;
        for (const Skewed& launch : launches) {
            std::size_t own = 0;
            for (std::size_t i = 0; i < rounds; ++i) {
                const Outcome outcome = outcomeOf(launch, drawn, random);
                counts += outcome.countHolds ? 1 : 0;
                own += outcome.totalHolds ? 1 : 0;
            }
            totals += own;
            EXPECT_GE(own, rounds * 8 / 10) << launch.name << ", " << drawn << " drawn";
        }
        EXPECT_GE(static_cast<double>(counts) / all, 95) << drawn << " drawn";
        EXPECT_GE(static_cast<double>(totals) / all, 95) << drawn << " drawn";
    }
}

/// A sample that has missed the one heavy block says that it may have.
TEST(SampleError, TellsThatABlockMayBeMissed) {
    SampledValue value;
    for (int i = 0; i < 300; ++i) value.add(4);
    EXPECT_EQ(value.spreadError(30000) + value.tailError(30000), 0);
    EXPECT_EQ(mostHeavierBlocks(value.drawn(), 30000), 297u);
}

}  // namespace
}  // namespace warplens::trace
