#include "core/program/line_judges.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace warplens {
namespace {

std::uint64_t unitsOf(const ProgramLine& line) {
    if (line.kind == AccessKind::branch) return line.divergent;
    return isShared(line.kind) ? line.wavefronts : line.sectors;
}

}  // namespace

std::string_view unitOf(AccessKind kind) {
    if (kind == AccessKind::branch) return "divergent";
    return isShared(kind) ? "wavefronts" : "sectors";
}

std::vector<LineJudges> judgesOf(const std::vector<ProgramLine>& predicted,
                                 const std::vector<ProgramLine>& measured) {
    std::map<std::tuple<std::string, std::uint32_t, AccessKind>, LineJudges> byLine;
    std::array<bool, lineSources.size()> looked{};
    for (const auto* const list : {&predicted, &measured}) {
        for (const ProgramLine& line : *list) {
            const auto judge = static_cast<std::size_t>(
                std::ranges::find(lineSources, line.source) - lineSources.begin());
            if (judge == lineSources.size()) continue;
            looked.at(judge) = true;
            LineJudges& judges = byLine[{line.place.file, line.place.line, line.kind}];
            std::optional<JudgedCounts>& counts = judges.counts.at(judge);
            if (!counts) counts.emplace();
            counts->requests += line.requests;
            counts->units += unitsOf(line);
        }
    }
    std::vector<LineJudges> all;
    for (auto& [key, judges] : byLine) {
        std::tie(judges.file, judges.line, judges.kind) = key;
        for (std::size_t judge = 0; judge < looked.size(); ++judge) {
            if (looked.at(judge) && !judges.counts.at(judge)) judges.counts.at(judge).emplace();
        }
        all.push_back(std::move(judges));
    }
    return all;
}

}  // namespace warplens
