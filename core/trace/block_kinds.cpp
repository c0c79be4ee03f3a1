#include "core/trace/block_kinds.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace warplens::trace {
namespace {

/// Steps that looking along one axis may take.
constexpr std::uint64_t mostSearchSteps = 100'000'000;
constexpr std::uint64_t mostKinds = 1 << 14;
constexpr std::uint32_t smallestWindow = 8;
constexpr std::uint32_t largestWindow = 2048;
/// Of all blocks that read data which decides what is accessed, until they are traced one by one.
constexpr std::uint64_t kindThatReadsData = 0;
/// Times that a block which is not of its kind leads to a new look.
constexpr int mostLooks = 8;

std::array<std::uint32_t, 3> coordinatesOf(Index3 index) {
    return {index.x, index.y, index.z};
}
Index3 indexOf(const std::array<std::uint32_t, 3>& coordinates) {
    return {coordinates[0], coordinates[1], coordinates[2]};
}

/// `count` blocks, the addresses of each `bytes` further on than those of the one before.
PlaceCounts shiftsAlong(std::uint64_t bytes, std::uint64_t count) {
    PlaceCounts shifts{};
    const std::uint64_t step = bytes % bytesPerSector;
    const std::uint64_t period = bytesPerSector / std::gcd(step, std::uint64_t{bytesPerSector});
    for (std::uint64_t i = 0; i < period; ++i) {
        shifts[step * i % bytesPerSector] += count / period + (i < count % period ? 1 : 0);
    }
    return shifts;
}

PlaceCounts combined(const PlaceCounts& a, const PlaceCounts& b) {
    PlaceCounts both{};
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] == 0) continue;
        for (std::size_t j = 0; j < b.size(); ++j) both[(i + j) % both.size()] += a[i] * b[j];
    }
    return both;
}

/// Shifts the sites' addresses as they differ between two looks. False where a site was not seen.
bool shift(RequestGroups& groups, const RequestGroups& from, const RequestGroups& to) {
    for (SiteRequests& requests : groups.sites) {
        if (!requests.accessesMemory()) continue;
        const SiteRequests* const before = from.find(requests.site);
        const SiteRequests* const after = to.find(requests.site);
        if (before == nullptr || after == nullptr) return false;
        requests.shift(after->anchor - before->anchor);
    }
    return true;
}

}  // namespace

bool BlockKinds::Kind::accessesMemory() const {
    return std::ranges::any_of(parts, [](const RequestGroups& part) {
        return std::ranges::any_of(part.sites, &SiteRequests::accessesMemory);
    });
}

const BlockKinds::Shift* BlockKinds::Kind::shiftOf(const RequestSite& site) const {
    const auto found = std::ranges::find(shifts, site, &Shift::site);
    return found == shifts.end() ? nullptr : &*found;
}

BlockKinds::BlockKinds(const TracedLaunch& launch, BlockReader& reader, std::uint64_t costPerBlock,
                       Way way)
    : launch_(launch),
      reader_(reader),
      costPerBlock_(std::max<std::uint64_t>(1, costPerBlock)),
      byWarps_(way == Way::byWarps),
      placed_(way == Way::placed),
      partsPerBlock_(byWarps_ ? warpCountPerBlock(launch.block) : 1) {}

std::optional<KindTotals> BlockKinds::find() {
    Index3 from{};
    for (int looks = 0; looks < mostLooks && look(from); ++looks) {
        std::optional<std::vector<Kind>> found = kinds();
        if (!found) return std::nullopt;
        std::vector<BlockSet> readData = takeThoseThatReadData(*found);
        traceFirsts(*found);
        // Of a block of many steps it may be seen only now.
        std::ranges::move(takeThoseThatReadData(*found), std::back_inserter(readData));
        contradiction_.reset();
        if (!learnShifts(*found)) return std::nullopt;
        if (!contradiction_) tryKinds(*found);
        if (!contradiction_) {
            KindTotals totals{{}, found->size(), std::move(readData)};
            for (const Kind& kind : *found) add(totals.lines, kind);
            return totals;
        }
        from = *contradiction_;
    }
    return std::nullopt;
}

std::uint64_t BlockKinds::kindOf(Index3 block) {
    const std::uint64_t rank = blockRankInGrid(block, launch_.grid);
    const auto known = known_.find(rank);
    if (known != known_.end()) return known->second;
    const auto which = byWarps_ ? BlockPart::Which::corners : BlockPart::Which::all;
    const RequestGroups groups = reader_.read({block, which, {}});
    const std::uint64_t kind = groups.touch(launch_.dataArrays) ? kindThatReadsData
                               : placed_                        ? groups.placedKind()
                                                                : groups.kind();
    return known_.emplace(rank, kind).first->second;
}

bool BlockKinds::readsData(const Kind& kind) const {
    return std::ranges::any_of(
        kind.parts, [&](const RequestGroups& part) { return part.touch(launch_.dataArrays); });
}

std::vector<BlockSet> BlockKinds::takeThoseThatReadData(std::vector<Kind>& kinds) {
    std::vector<BlockSet> taken;
    if (launch_.dataArrays.empty()) return taken;
    std::erase_if(kinds, [&](const Kind& kind) {
        const bool reads =
            kind.parts.empty() ? kindOf(kind.blocks.at({})) == kindThatReadsData : readsData(kind);
        if (reads) taken.push_back(kind.blocks);
        return reads;
    });
    return taken;
}

bool BlockKinds::look(Index3 from) {
    const std::uint64_t steps =
        byWarps_ ? costPerBlock_ * reader_.corners().size() / launch_.block.count() + 1
                 : costPerBlock_;
    const auto extents = coordinatesOf({launch_.grid.x, launch_.grid.y, launch_.grid.z});
    bool isNew = false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        auto at = coordinatesOf(from);
        suspects_[axis].push_back(at[axis]);
        const auto kindAt = [&](std::uint32_t x) {
            at[axis] = x;
            return kindOf(indexOf(at));
        };
        std::optional<std::vector<AxisRun>> runs;
        for (std::uint32_t window = smallestWindow; !runs; window *= 4) {
            if (window > smallestWindow &&
                (window > largestWindow || 2 * window * steps > mostSearchSteps)) {
                return false;
            }
            runs = runsAlong(extents[axis], window, suspects_[axis], kindAt, byWarps_ ? 8 : 32);
            if (window >= extents[axis] && !runs) return false;
        }
        std::vector<AxisRun> both = runs_[axis].empty() ? *runs : commonRuns(runs_[axis], *runs);
        isNew = isNew || both != runs_[axis];
        runs_[axis] = std::move(both);
    }
    return isNew;
}

std::optional<std::vector<BlockKinds::Kind>> BlockKinds::kinds() const {
    const std::vector<AxisPart> alongX = partsOf(runs_[0]);
    const std::vector<AxisPart> alongY = partsOf(runs_[1]);
    const std::vector<AxisPart> alongZ = partsOf(runs_[2]);
    const std::uint64_t count = std::uint64_t{alongX.size()} * alongY.size() * alongZ.size();
    if (count > mostKinds) return std::nullopt;
    std::vector<Kind> found;
    for (const AxisPart& z : alongZ) {
        for (const AxisPart& y : alongY) {
            for (const AxisPart& x : alongX) found.push_back({.blocks = {{x, y, z}}});
        }
    }
    return found;
}

void BlockKinds::traceFirsts(std::vector<Kind>& kinds) {
    if (byWarps_) return traceFirstsByWarps(kinds);
    std::vector<BlockPart> parts;
    for (const Kind& kind : kinds) parts.push_back({kind.blocks.at({}), BlockPart::Which::all, {}});
    std::vector<RequestGroups> groups = reader_.readAll(parts);
    for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i].parts.push_back(std::move(groups[i]));
}

std::uint64_t BlockKinds::shapeOf(WarpRank warp) const {
    const Extents block = launch_.block;
    const Index3 first = threadIndexInBlock(firstThreadOfWarp(warp), block);
    // Rows may end within warps, lanes drop out of rows: what begins elsewhere in its 32 threads
    // of a row is told apart.
    std::uint64_t shape = first.x % lanesPerWarp;
    for (std::uint32_t lane = 0; lane < threadCountInWarp(warp, block); ++lane) {
        const Index3 thread = threadIndexInBlock({firstThreadOfWarp(warp).value + lane}, block);
        for (const std::uint32_t step :
             {thread.x - first.x, thread.y - first.y, thread.z - first.z}) {
            shape = (shape ^ step) * 0x9e3779b97f4a7c15u + (shape >> 29);
        }
    }
    return shape;
}

void BlockKinds::traceFirstsByWarps(std::vector<Kind>& kinds) {
    std::vector<BlockPart> lanes;
    for (const Kind& kind : kinds) {
        for (std::uint32_t i = 0; i < partsPerBlock_; ++i) {
            lanes.push_back({kind.blocks.at({}), BlockPart::Which::rowEndsOfWarp, {i}});
        }
    }
    const std::vector<RequestGroups> looks = reader_.readAll(lanes);
    // The warp that stands for each: itself, or an earlier one of its block.
    std::vector<std::size_t> standsFor(lanes.size());
    std::map<std::array<std::uint64_t, 3>, std::size_t> known;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const std::array<std::uint64_t, 3> alike{i / partsPerBlock_, shapeOf(lanes[i].warp),
                                                 looks[i].kind()};
        standsFor[i] = known.emplace(alike, i).first->second;
    }
    std::vector<BlockPart> warps;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        if (standsFor[i] != i) continue;
        warps.push_back({lanes[i].block, BlockPart::Which::warp, lanes[i].warp});
        places.push_back(i);
    }
    std::vector<RequestGroups> traced = reader_.readAll(warps);
    std::vector<RequestGroups> all(lanes.size());
    for (std::size_t i = 0; i < places.size(); ++i) all[places[i]] = std::move(traced[i]);
    warps.clear();
    places.clear();
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const std::size_t from = standsFor[i];
        if (from == i) continue;
        all[i] = all[from];
        if (shift(all[i], looks[from], looks[i])) continue;
        warps.push_back({lanes[i].block, BlockPart::Which::warp, lanes[i].warp});
        places.push_back(i);
    }
    traced = reader_.readAll(warps);
    for (std::size_t i = 0; i < places.size(); ++i) all[places[i]] = std::move(traced[i]);
    tryWarps(lanes, standsFor, all);
    for (std::size_t i = 0; i < all.size(); ++i) {
        kinds[i / partsPerBlock_].parts.push_back(std::move(all[i]));
    }
}

void BlockKinds::tryWarps(std::span<const BlockPart> lanes, std::span<const std::size_t> standsFor,
                          std::vector<RequestGroups>& all) {
    const auto warpAt = [&](std::size_t i) {
        return BlockPart{lanes[i].block, BlockPart::Which::warp, lanes[i].warp};
    };
    // Of each block one of the warps that were not traced.
    std::vector<BlockPart> trials;
    std::vector<std::size_t> places;
    for (std::size_t begin = 0; begin < lanes.size(); begin += partsPerBlock_) {
        const std::size_t offset = random_() % partsPerBlock_;
        for (std::size_t i = 0; i < partsPerBlock_; ++i) {
            const std::size_t place = begin + (offset + i) % partsPerBlock_;
            if (standsFor[place] == place) continue;
            trials.push_back(warpAt(place));
            places.push_back(place);
            break;
        }
    }
    std::vector<RequestGroups> traced = reader_.readAll(trials);
    trials.clear();
    std::vector<std::size_t> again;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (traced[i].placedKind() == all[places[i]].placedKind()) continue;
        // Not even the lanes looked at tell this block's warps apart: trace them all.
        const std::size_t begin = places[i] / partsPerBlock_ * partsPerBlock_;
        for (std::size_t place = begin; place < begin + partsPerBlock_; ++place) {
            trials.push_back(warpAt(place));
            again.push_back(place);
        }
    }
    traced = reader_.readAll(trials);
    for (std::size_t i = 0; i < again.size(); ++i) all[again[i]] = std::move(traced[i]);
}

bool BlockKinds::learnShifts(std::vector<Kind>& kinds) {
    const auto which = byWarps_ ? BlockPart::Which::corners : BlockPart::Which::all;
    std::vector<Trial> trials;
    std::vector<BlockPart> parts;
    const auto tryAt = [&](Kind& kind, const Steps& steps) {
        trials.push_back({&kind, steps, {kind.blocks.at(steps), which, {}}});
        parts.push_back(trials.back().part);
    };
    for (Kind& kind : kinds) {
        if (!kind.accessesMemory() || kind.blocks.count() == 1) continue;
        if (byWarps_) tryAt(kind, {});  // the first block's corners, which the others' stand beside
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (kind.blocks.axes[axis].count == 1) continue;
            Steps steps{};
            steps[axis] = 1;
            tryAt(kind, steps);
        }
    }
    const std::vector<RequestGroups> groups = reader_.readAll(parts);
    const RequestGroups* first = nullptr;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        const Trial& trial = trials[i];
        const auto axis =
            static_cast<std::size_t>(std::ranges::find(trial.steps, 1u) - trial.steps.begin());
        if (!byWarps_) first = &trial.kind->parts[0];
        if (axis == 3) {
            first = &groups[i];
        } else if (groups[i].kind() != first->kind()) {
            contradiction_ = trial.part.block;
        } else if (!learn(*trial.kind, *first, groups[i], axis)) {
            return false;
        }
    }
    return true;
}

bool BlockKinds::learn(Kind& kind, const RequestGroups& first, const RequestGroups& next,
                       std::size_t axis) {
    for (const RequestGroups& part : kind.parts) {
        for (const SiteRequests& requests : part.sites) {
            if (!requests.accessesMemory()) continue;
            const SiteRequests* const from = first.find(requests.site);
            const SiteRequests* const to = next.find(requests.site);
            if (from == nullptr || to == nullptr) return false;
            if (kind.shiftOf(requests.site) == nullptr) kind.shifts.push_back({requests.site});
            std::ranges::find(kind.shifts, requests.site, &Shift::site)->bytes[axis] =
                to->anchor - from->anchor;
        }
    }
    return true;
}

void BlockKinds::addTrials(std::vector<Trial>& trials, Kind& kind, std::size_t atRandom) {
    for (std::size_t i = 0; i <= atRandom; ++i) {
        Steps steps{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::uint32_t count = kind.blocks.axes[axis].count;
            steps[axis] = i == 0 ? count - 1 : static_cast<std::uint32_t>(random_() % count);
        }
        const auto part = static_cast<std::uint32_t>(random_() % partsPerBlock_);
        const auto which = byWarps_ ? BlockPart::Which::warp : BlockPart::Which::all;
        trials.push_back({&kind, steps, {kind.blocks.at(steps), which, {part}}, part});
    }
}

void BlockKinds::tryKinds(std::vector<Kind>& kinds) {
    std::vector<Trial> trials;
    std::vector<BlockPart> parts;
    std::size_t atRandom = kinds.size() <= 16 ? 6 : kinds.size() <= 256 ? 2 : 1;
    if (byWarps_) atRandom = std::min<std::size_t>(atRandom, 4);
    for (Kind& kind : kinds) {
        if (kind.blocks.count() > 1) addTrials(trials, kind, atRandom);
    }
    for (const Trial& trial : trials) parts.push_back(trial.part);
    const std::vector<RequestGroups> groups = reader_.readAll(parts);
    for (std::size_t i = 0; i < trials.size(); ++i) {
        if (!asBelieved(trials[i], groups[i])) contradiction_ = trials[i].part.block;
    }
}

bool BlockKinds::asBelieved(const Trial& trial, const RequestGroups& found) {
    const RequestGroups& first = trial.kind->parts[trial.partOfKind];
    if (found.kind() != first.kind()) return false;
    for (const SiteRequests& requests : found.sites) {
        if (!requests.accessesMemory()) continue;
        std::uint64_t expected = first.find(requests.site)->anchor;
        if (const Shift* const shift = trial.kind->shiftOf(requests.site)) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                expected += shift->bytes[axis] * trial.steps[axis];
            }
        }
        if ((requests.anchor - expected) % bytesPerSector != 0) return false;
    }
    return true;
}

void BlockKinds::add(LineTallies& lines, const Kind& kind) {
    for (const RequestGroups& part : kind.parts) {
        for (const SiteRequests& requests : part.sites) {
            const Shift* const shift = kind.shiftOf(requests.site);
            PlaceCounts blocks = shiftsAlong(0, 1);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                blocks = combined(blocks, shiftsAlong(shift != nullptr ? shift->bytes[axis] : 0,
                                                      kind.blocks.axes[axis].count));
            }
            addTo(lines, requests, blocks);
        }
    }
}

}  // namespace warplens::trace
