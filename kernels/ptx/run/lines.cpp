#include <algorithm>
#include <map>
#include <tuple>

#include "kernels/ptx/run/grid.h"

namespace warplens::ptx {

namespace {

LineKind kindOf(SiteKind kind) {
    switch (kind) {
        case SiteKind::globalLoad:
            return LineKind::load;
        case SiteKind::globalStore:
            return LineKind::store;
        case SiteKind::globalAtomic:
        case SiteKind::sharedAtomic:
            return LineKind::atomic;
        case SiteKind::sharedLoad:
            return LineKind::sharedLoad;
        case SiteKind::sharedStore:
            return LineKind::sharedStore;
        default:
            return LineKind::branch;
    }
}

}  // namespace

SourcePlace sourcePlace(const Program& program, const Origin& origin) {
    const auto& files = program.moduleOf(*origin.function).files;
    const auto file = files.find(origin.place.file);
    return {file == files.end() ? std::string() : file->second, origin.place.line,
            origin.place.column};
}

std::vector<ProgramLine> linesOf(
    const Program& program, const LaunchResult& result, Source source,
    const std::function<std::string(std::uint32_t array)>& nameOf,
    const std::function<void(ProgramLine&, const ArrayCounts&)>& addTo) {
    std::map<std::tuple<std::string, std::uint32_t, std::uint32_t, LineKind, std::string>,
             ProgramLine>
        lines;
    std::vector<std::pair<ProgramLine*, const ArrayCounts*>> parts;
    for (const ArrayCounts& entry : result.counts) {
        const Site& site = program.sites()[entry.site];
        if (site.kind == SiteKind::localLoad || site.kind == SiteKind::localStore || site.isPart)
            continue;
        const SourcePlace place = sourcePlace(program, site.origin);
        const LineKind kind = kindOf(site.kind);
        const std::string array = kind == LineKind::branch ? std::string() : nameOf(entry.array);
        ProgramLine& line = lines[{place.file, place.line, place.column, kind, array}];
        line.place = place;
        line.kind = kind;
        line.array = array;
        line.source = source;
        const SiteCounts& counts = entry.counts;
        line.requests += counts.requests;
        line.sectors += counts.sectors;
        line.idealSectors += counts.idealSectors;
        line.cacheLines += counts.lines;
        line.wavefronts += counts.wavefronts;
        line.idealWavefronts += counts.idealWavefronts;
        line.uniqueBytes += counts.uniqueBytes;
        line.activeLanes += counts.lanes;
        line.divergent += counts.divergent;
        line.mostSameAddress = std::max(line.mostSameAddress, counts.mostSameAddress);
        if (addTo) parts.emplace_back(&line, &entry);
    }
    std::ranges::stable_sort(parts, {}, [](const auto& part) {
        const SiteCounts& counts = part.second->counts;
        return counts.sectors - counts.idealSectors + counts.wavefronts - counts.idealWavefronts +
               counts.divergent;
    });
    for (const auto& [line, entry] : parts) addTo(*line, *entry);
    std::vector<ProgramLine> all;
    for (auto& [key, line] : lines) all.push_back(std::move(line));
    return all;
}

}  // namespace warplens::ptx
