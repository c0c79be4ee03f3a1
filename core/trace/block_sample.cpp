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
        const std::size_t at = line.kind == EventKind::store ? 2 : 0;
        sums[at] += static_cast<double>(line.access.requests);
        sums[at + 1] += static_cast<double>(line.access.sectors);
        sums[4] += static_cast<double>(line.shared.requests);
        sums[5] += static_cast<double>(line.shared.wavefronts);
        sums[6] += static_cast<double>(line.branch.executed);
        sums[7] += static_cast<double>(line.branch.divergent);
        sums[8] += static_cast<double>(line.branch.lanes);
        sums[9] += static_cast<double>(line.atomic.requests);
        sums[10] += static_cast<double>(line.atomic.turns);
    }
    return sums;
}

/// Blocks that are sampled together.
class Stratum final {
  public:
    explicit Stratum(const std::array<AxisPart, 3>& axes)
        : axes_(axes), size_(std::uint64_t{axes[0].count} * axes[1].count * axes[2].count) {}

    [[nodiscard]] bool isDrawn() const { return drawn_.size() == size_; }
    /// A block that was not drawn before.
    Index3 draw(std::mt19937_64& random) {
        std::uint64_t rank = random() % size_;
        while (!drawn_.insert(rank).second) rank = (rank + 1) % size_;
        const Index3 at = blockIndexInGrid(rank, {axes_[0].count, axes_[1].count, axes_[2].count});
        return {axes_[0].first + at.x * axes_[0].step, axes_[1].first + at.y * axes_[1].step,
                axes_[2].first + at.z * axes_[2].step};
    }
    void add(const RequestGroups& groups) {
        blocks_.emplace_back();
        addTo(blocks_.back(), groups);
        const Quantities found = quantitiesOf(blocks_.back());
        for (std::size_t i = 0; i < quantities; ++i) {
            sums_[i] += found[i];
            squares_[i] += found[i] * found[i];
        }
    }
    void addInto(LineTallies& total, Quantities& sums, Quantities& variances) const {
        const std::uint64_t drawn = blocks_.size();
        for (std::uint64_t i = 0; i < drawn; ++i) {
            total.add(blocks_[i], size_ / drawn + (i < size_ % drawn ? 1 : 0));
        }
        const auto n = static_cast<double>(drawn);
        const auto all = static_cast<double>(size_);
        for (std::size_t i = 0; i < quantities; ++i) {
            sums[i] += sums_[i] / n * all;
            if (drawn < 2) continue;
            const double spread = std::max(0.0, (squares_[i] - sums_[i] * sums_[i] / n) / (n - 1));
            variances[i] += all * all * spread / n * (1 - n / all);
        }
    }

  private:
    std::array<AxisPart, 3> axes_;
    std::uint64_t size_;
    std::unordered_set<std::uint64_t> drawn_;
    std::vector<LineTallies> blocks_;
    Quantities sums_{};
    Quantities squares_{};
};

constexpr std::size_t mostStrata = 512;

std::vector<Stratum> strataOf(const TracedLaunch& launch, BlockReader& reader) {
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
    std::vector<Stratum> strata;
    for (const AxisPart& z : parts[2]) {
        for (const AxisPart& y : parts[1]) {
            for (const AxisPart& x : parts[0]) strata.emplace_back(std::array{x, y, z});
        }
    }
    return strata;
}

constexpr double deviationsFor95Percent = 1.96;

}  // namespace

SampleTotals sampleBlocks(const TracedLaunch& launch, BlockReader& reader,
                          std::chrono::steady_clock::time_point end) {
    std::vector<Stratum> strata = strataOf(launch, reader);
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
        return !parts.empty();
    };
    bool more = drawFromEach(2);
    for (std::uint64_t blocks = 2; more && std::chrono::steady_clock::now() < end; blocks *= 2) {
        more = drawFromEach(std::min<std::uint64_t>(blocks, 64));
    }
    SampleTotals totals;
    Quantities sums{};
    Quantities variances{};
    for (const Stratum& stratum : strata) stratum.addInto(totals.lines, sums, variances);
    for (std::size_t i = 0; i < quantities; ++i) {
        if (sums[i] == 0) continue;
        totals.errorPercent = std::max(
            totals.errorPercent, 100 * deviationsFor95Percent * std::sqrt(variances[i]) / sums[i]);
    }
    return totals;
}

}  // namespace warplens::trace
