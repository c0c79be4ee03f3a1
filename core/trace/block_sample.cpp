#include "core/trace/block_sample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <random>

#include "core/trace/axis_runs.h"

namespace warplens::trace {
namespace {

constexpr std::size_t quantities = 11;
using Quantities = std::array<double, quantities>;

/// What a launch is told by, and a sample's error is therefore stated of.
Quantities quantitiesOf(const LineTallies& lines) {
    Quantities sums{};
    for (const LineTally& line : lines.sorted()) {
        const auto add = [&](std::size_t at, std::uint64_t count) {
            sums.at(at) += static_cast<double>(count);
        };
        const LineCost& cost = line.cost;
        if (line.kind == AccessKind::branch) {
            add(6, cost.requests);
            add(7, cost.divergent);
            add(8, cost.activeLanes);
        } else if (isShared(line.kind)) {
            add(4, cost.requests);
            add(5, cost.wavefronts);
        } else if (!isAtomic(line.kind)) {
            const std::size_t at = line.kind == AccessKind::store ? 2 : 0;
            add(at, cost.requests);
            add(at + 1, cost.sectors);
        }
        if (isAtomic(line.kind)) {
            add(9, cost.requests);
            add(10, cost.sameAddress);
        }
    }
    return sums;
}

/// Blocks that are sampled together.
class Stratum final {
  public:
    explicit Stratum(const BlockSet& blocks) : set_(blocks), size_(blocks.count()) {}

    [[nodiscard]] bool isDrawn() const { return drawn_.size() == size_; }
    /// A block that was not drawn before.
    Index3 draw(std::mt19937_64& random) {
        std::uint64_t rank = random() % size_;
        while (!drawn_.insert(rank).second) rank = (rank + 1) % size_;
        return set_.ranked(rank);
    }
    void add(const RequestGroups& groups) {
        blocks_.emplace_back();
        addTo(blocks_.back(), groups);
        const Quantities found = quantitiesOf(blocks_.back());
        for (std::size_t i = 0; i < quantities; ++i) values_[i].add(found[i]);
    }
    /// What all of its blocks do, by those drawn.
    void addInto(LineTallies& total) const {
        const std::uint64_t drawn = blocks_.size();
        for (std::uint64_t i = 0; i < drawn; ++i) {
            total.add(blocks_[i], set_.times * (size_ / drawn + (i < size_ % drawn ? 1 : 0)));
        }
    }
    /// Its share of the sums, and the squares of what both kinds of error come to.
    void addInto(Quantities& sums, Quantities& spreads, Quantities& tails) const {
        const auto times = static_cast<double>(set_.times);
        for (std::size_t i = 0; i < quantities; ++i) {
            sums[i] += values_[i].mean() * static_cast<double>(size_) * times;
            const double spread = times * values_[i].spreadError(size_);
            const double tail = times * values_[i].tailError(size_);
            spreads[i] += spread * spread;
            tails[i] += tail * tail;
        }
    }

  private:
    BlockSet set_;
    std::uint64_t size_;
    std::unordered_set<std::uint64_t> drawn_;
    std::vector<LineTallies> blocks_;
    std::array<SampledValue, quantities> values_{};
};

constexpr std::size_t mostStrata = 512;
/// Blocks that are drawn in any case, of all strata together: enough to tell how they differ.
constexpr std::uint64_t fewestDrawn = 1024;
/// More are drawn until the error is no larger, or the time is up.
constexpr double enoughPercent = 0.1;
constexpr std::uint64_t mostAtOnce = 64;

}  // namespace

std::vector<BlockSet> strataOf(const TracedLaunch& launch, BlockReader& reader) {
    const std::array<std::uint32_t, 3> extents{launch.grid.x, launch.grid.y, launch.grid.z};
    std::array<std::vector<AxisPart>, 3> parts;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto controlAt = [&](std::uint32_t x) {
            std::array<std::uint32_t, 3> at{};
            at[axis] = x;
            return reader.read({{at[0], at[1], at[2]}, BlockPart::Which::all, {}}).control();
        };
        const std::optional<std::vector<AxisRun>> runs = runsAlong(extents[axis], 8, {}, controlAt);
        parts[axis] = runs ? partsOf(*runs) : std::vector<AxisPart>{{0, 1, extents[axis]}};
    }
    if (parts[0].size() * parts[1].size() * parts[2].size() > mostStrata) {
        for (std::size_t axis = 0; axis < 3; ++axis) parts[axis] = {{0, 1, extents[axis]}};
    }
    std::vector<BlockSet> strata;
    for (const AxisPart& z : parts[2]) {
        for (const AxisPart& y : parts[1]) {
            for (const AxisPart& x : parts[0]) strata.push_back({{x, y, z}});
        }
    }
    return strata;
}

SampleTotals sampleBlocks(std::span<const BlockSet> sets, const LineTallies& known,
                          BlockReader& reader, std::chrono::steady_clock::time_point end) {
    std::vector<Stratum> strata(sets.begin(), sets.end());
    std::mt19937_64 random(1);
    const auto drawFromEach = [&](std::uint64_t blocks) {
        std::vector<BlockPart> parts;
        std::vector<Stratum*> from;
        for (Stratum& stratum : strata) {
            for (std::uint64_t i = 0; i < blocks && !stratum.isDrawn(); ++i) {
                parts.push_back({stratum.draw(random), BlockPart::Which::all, {}});
                from.push_back(&stratum);
            }
        }
        const std::vector<RequestGroups> groups = reader.readAll(parts);
        for (std::size_t i = 0; i < groups.size(); ++i) from[i]->add(groups[i]);
        return parts.size();
    };
    const Quantities certain = quantitiesOf(known);
    const auto errorNow = [&] {
        Quantities sums = certain;
        Quantities spreads{};
        Quantities tails{};
        for (const Stratum& stratum : strata) stratum.addInto(sums, spreads, tails);
        double most = 0;
        for (std::size_t i = 0; i < quantities; ++i) {
            if (sums[i] == 0) continue;
            most = std::max(most, (std::sqrt(spreads[i]) + std::sqrt(tails[i])) / sums[i]);
        }
        return 100 * most;
    };
    std::uint64_t blocks = std::clamp<std::uint64_t>(fewestDrawn / strata.size(), 2, mostAtOnce);
    SampleTotals totals{.lines = known};
    bool isMore = true;
    std::uint64_t drawn = 0;
    do {
        const std::uint64_t added = drawFromEach(std::min(blocks, mostAtOnce));
        isMore = added != 0;
        drawn += added;
        blocks *= 2;
        totals.errorPercent = errorNow();
    } while (isMore && (drawn < fewestDrawn || totals.errorPercent > enoughPercent) &&
             std::chrono::steady_clock::now() < end);
    for (const Stratum& stratum : strata) stratum.addInto(totals.lines);
    return totals;
}

}  // namespace warplens::trace
