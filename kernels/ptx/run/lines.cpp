#include <algorithm>
#include <map>
#include <tuple>

#include "kernels/ptx/run/grid.h"

namespace warplens::ptx {

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
    std::map<std::tuple<std::string, std::uint32_t, std::uint32_t, AccessKind, std::string>,
             ProgramLine>
        lines;
    std::vector<std::pair<ProgramLine*, const ArrayCounts*>> parts;
    for (const ArrayCounts& entry : result.counts) {
        const Site& site = program.sites()[entry.site];
        if (isLocal(site.kind) || site.isPart) continue;
        const SourcePlace place = sourcePlace(program, site.origin);
        const AccessKind kind = site.kind;
        const std::string array = kind == AccessKind::branch ? std::string() : nameOf(entry.array);
        ProgramLine& line = lines[{place.file, place.line, place.column, kind, array}];
        line.place = place;
        line.kind = kind;
        line.array = array;
        line.source = source;
        line.add(entry.counts);
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
