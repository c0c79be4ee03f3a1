#include "kernels/ptx/run/launch_lines.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace warplens::ptx {
namespace {

/// Of each branch, by its site: which it is of those of its function at its place,
/// from 1; 0 where it is alone.
std::map<u32, u32> branchNumbers(const Program& program) {
    std::map<Origin, std::vector<u32>> atPlace;
    for (u32 at = 0; at < program.sites().size(); ++at) {
        const Site& site = program.sites()[at];
        if (site.kind == AccessKind::branch && !site.isPart) atPlace[site.origin].push_back(at);
    }
    std::map<u32, u32> numbers;
    for (const auto& [origin, sites] : atPlace) {
        for (u32 nth = 0; nth < sites.size(); ++nth)
            numbers[sites[nth]] = sites.size() == 1 ? 0 : nth + 1;
    }
    return numbers;
}

/// Parts one of the ways as a further branch parts its lanes; false where those are not of one way.
bool part(std::vector<u32>& ways, const std::optional<DivergingLanes>& lanes) {
    if (!lanes || lanes->oneWay == 0 || lanes->otherWay == 0) return false;
    const u32 both = lanes->oneWay | lanes->otherWay;
    const auto way = std::ranges::find_if(ways, [&](u32 each) { return (each & both) == both; });
    if (way == ways.end()) return false;
    *way &= ~lanes->otherWay;
    ways.insert(way + 1, lanes->otherWay);
    std::ranges::sort(ways, {}, [](u32 each) { return lowest(each); });
    return true;
}

}  // namespace

std::vector<ProgramLine> linesOf(
    const Program& program, const LaunchResult& result, Source source,
    const std::function<std::string(u32 array)>& nameOf,
    const std::function<void(ProgramLine&, const ArrayCounts&)>& addTo) {
    std::map<std::tuple<std::string, u32, u32, AccessKind, std::string, u32>, ProgramLine> lines;
    const auto isReserved = [](const ArrayCounts& entry) {
        return entry.array == (inShared | u32(reservedShared + 1));
    };
    const std::map<u32, u32> numbers = branchNumbers(program);
    // What is below a shared array, where an index of its own leads, is told of that array.
    const auto besides = [&](const ArrayCounts& entry) {
        const auto other = std::ranges::find_if(result.counts, [&](const ArrayCounts& one) {
            return one.site == entry.site && !isReserved(one);
        });
        return other == result.counts.end() ? entry.array : other->array;
    };
    std::vector<std::pair<ProgramLine*, const ArrayCounts*>> parts;
    for (const ArrayCounts& entry : result.counts) {
        const Site& site = program.sites()[entry.site];
        // What is not optimised has every variable there.
        const bool isLocalHere = isLocal(site.kind);
        if ((isLocalHere && source != Source::compiled) || site.isPart) continue;
        const SourcePlace place = sourcePlace(program, site.origin);
        const AccessKind kind = entry.isConstant ? AccessKind::constantLoad : site.kind;
        const std::string array = kind == AccessKind::branch || isLocalHere
                                      ? std::string()
                                      : nameOf(isReserved(entry) ? besides(entry) : entry.array);
        const auto number = numbers.find(entry.site);
        const u32 nth = number == numbers.end() ? 0 : number->second;
        ProgramLine& line = lines[{place.file, place.line, place.column, kind, array, nth}];
        line.nth = nth;
        line.place = place;
        line.kind = kind;
        line.array = array;
        line.source = source;
        line.isJoined = site.countsLanes && (line.requests == 0 || line.isJoined);
        line.triesAgain |= site.triesAgain;
        line.atOnce = std::max<u32>(line.atOnce, site.atOnce);
        line.add(entry.counts);
        if (site.countsLanes) {
            line.sameAddress += entry.counts.requests;
            line.mostSameAddress = std::max(line.mostSameAddress, 1u);
        }
        if (addTo) parts.emplace_back(&line, &entry);
    }
    std::ranges::stable_sort(parts, {}, [](const auto& part) {
        const LineCost& counts = part.second->counts;
        return counts.sectors - counts.idealSectors + counts.wavefronts - counts.idealWavefronts +
               counts.divergent;
    });
    for (const auto& [line, entry] : parts) addTo(*line, *entry);
    std::vector<ProgramLine> all;
    for (auto& [key, line] : lines) all.push_back(std::move(line));
    return all;
}

void joinBranches(std::vector<ProgramLine>& lines) {
    std::vector<ProgramLine> all;
    std::vector<std::uint64_t> most;  // that one of them diverges
    std::vector<std::vector<u32>> waysOf;
    for (const ProgramLine& line : lines) {
        const auto alike = std::ranges::find_if(all, [&](const ProgramLine& other) {
            return line.nth != 0 && other.place == line.place && other.kind == line.kind &&
                   (other.divergent == 0) == (line.divergent == 0);
        });
        if (alike == all.end()) {
            all.push_back(line);
            most.push_back(line.divergent);
            waysOf.push_back({line.lanes ? line.lanes->oneWay | line.lanes->otherWay : 0});
            if (!part(waysOf.back(), line.lanes)) waysOf.back().clear();
            continue;
        }
        if (line.inOtherOrder || alike->inOtherOrder) {
            const auto of = [](const ProgramLine& one) {
                return one.inOtherOrder.value_or(CountsInOtherOrder{one.requests, one.divergent});
            };
            alike->inOtherOrder = {of(*alike).requests + of(line).requests,
                                   of(*alike).units + of(line).units};
        }
        const auto at = static_cast<std::size_t>(alike - all.begin());
        if (line.divergent >= most[at]) alike->lanes = line.lanes;
        most[at] = std::max(most[at], line.divergent);
        std::vector<u32>& ways = waysOf[at];
        if (!part(ways, line.lanes))
            ways.clear();
        else
            alike->lanes = DivergingLanes{.ways = ways};
        alike->add(line);
    }
    for (ProgramLine& line : all) {
        const bool isAlone = std::ranges::none_of(all, [&](const ProgramLine& other) {
            return other.nth != line.nth && other.nth != 0 && other.place == line.place;
        });
        if (isAlone) line.nth = 0;
    }
    lines = std::move(all);
}

}  // namespace warplens::ptx
