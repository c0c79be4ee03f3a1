#include "core/program/line_judges.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace warplens {
namespace {

bool isShared(LineKind kind) {
    return kind == LineKind::sharedLoad || kind == LineKind::sharedStore;
}

std::uint64_t unitsOf(const ProgramLine& line) {
    if (line.kind == LineKind::branch) return line.divergent;
    return isShared(line.kind) ? line.wavefronts : line.sectors;
}

}  // namespace

std::string_view unitOf(LineKind kind) {
    if (kind == LineKind::branch) return "divergent";
    return isShared(kind) ? "wavefronts" : "sectors";
}

std::vector<LineJudges> judgesOf(const std::vector<ProgramLine>& predicted,
                                 const std::vector<ProgramLine>& measured) {
    std::map<std::tuple<std::string, std::uint32_t, LineKind>, LineJudges> byLine;
    std::array<bool, lineSources.size()> looked{};
    // The code that was measured is told, where it was counted, not what another compiler made.
    const bool compiledHere =
        std::ranges::find(measured, Source::compiled, &ProgramLine::source) != measured.end();
    for (const auto* const list : {&predicted, &measured}) {
        for (const ProgramLine& line : *list) {
            if (list == &predicted && compiledHere && line.source == Source::compiled) continue;
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
