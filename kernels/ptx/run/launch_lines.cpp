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

}  // namespace warplens::ptx
