#include "app/drawing/judged_lines.h"

#include <algorithm>

#include "core/program/line_costs.h"
#include "core/text/format.h"

namespace warplens {

std::vector<LineJudges> judgesOfStatements(const ProgramLaunch& launch,
                                           const ProgramMeasurement& measured,
                                           const std::string& file,
                                           const std::vector<std::uint32_t>& statements) {
    const auto ofThisFile = [&](const std::vector<ProgramLine>& lines) {
        std::vector<ProgramLine> found;
        for (const ProgramLine& one : lines) {
            const std::uint32_t at = one.place.line;
            if (at == 0 || at > statements.size() || !sameFile(one.place.file, file)) continue;
            found.push_back(one);
            found.back().place.file = file;
            found.back().place.line = statements[at - 1];
        }
        return found;
    };
    return judgesOf(ofThisFile(launch.lines), ofThisFile(measured.lines));
}

void add(std::vector<LineJudges>& all, const std::vector<LineJudges>& more) {
    for (const LineJudges& one : more) {
        const auto known = std::ranges::find_if(all, [&](const LineJudges& other) {
            return other.line == one.line && other.kind == one.kind && other.file == one.file;
        });
        if (known == all.end()) {
            all.push_back(one);
            continue;
        }
        for (std::size_t judge = 0; judge < one.counts.size(); ++judge) {
            const auto& counts = one.counts.at(judge);
            if (!counts) continue;
            JudgedCounts sum = known->counts.at(judge).value_or(JudgedCounts{});
            sum.requests += counts->requests;
            sum.units += counts->units;
            known->counts.at(judge) = sum;
        }
    }
}

std::map<std::uint32_t, JudgedLine> judgedLines(const std::vector<LineJudges>& all,
                                                const std::vector<LineDifference>& differences,
                                                const std::string& file) {
    std::map<std::uint32_t, JudgedLine> lines;
    std::map<std::uint32_t, std::uint64_t> most;  // of what is shown
    for (const LineJudges& judges : all) {
        const auto difference = std::ranges::find_if(differences, [&](const LineDifference& one) {
            return one.line == judges.line && one.kind == judges.kind && sameFile(one.file, file);
        });
        const bool differs = difference != differences.end();
        const bool requests =
            (differs && difference->quantity == "requests") || judges.kind == LineKind::atomic;
        JudgedLine line{.unit = std::string(requests ? "requests" : unitOf(judges.kind)),
                        .differs = differs};
        std::uint64_t weight = 0;
        for (std::size_t judge = 0; judge < line.numbers.size(); ++judge) {
            const auto& counts = judges.counts.at(judge);
            if (!counts) continue;
            line.numbers.at(judge) = requests ? counts->requests : counts->units;
            weight = std::max(weight, *line.numbers.at(judge));
        }
        // Branches are not the same thing to the three: they give way to what is.
        if (judges.kind == LineKind::branch) weight = 0;
        const auto [shown, isFirst] = lines.try_emplace(judges.line);
        const bool better = differs != shown->second.differs ? differs : weight > most[judges.line];
        if (!isFirst && !better) continue;
        shown->second = std::move(line);
        most[judges.line] = weight;
    }
    return lines;
}

std::string inWords(const JudgedLine& line) {
    const auto& numbers = line.numbers;
    const auto says = [](const std::optional<std::uint64_t>& number) {
        return number.value_or(0) != 0;
    };
    if (std::ranges::none_of(numbers, says)) return {};
    std::string all;
    const bool isOne = std::ranges::all_of(
        numbers, [&](const auto& number) { return number && number == numbers.front(); });
    if (isOne)
        return groupedDigits(*numbers.front()) + ' ' + line.unit + ", predicted = compiled = counted";
    for (std::size_t judge = 0; judge < numbers.size(); ++judge) {
        if (!numbers.at(judge)) continue;
        const bool first = all.empty();
        all += (first ? "" : ", ") + groupedDigits(*numbers.at(judge)) +
               (first ? ' ' + line.unit : std::string()) + ' ' +
               std::string(namesOfLineSources.at(judge));
    }
    return all;
}

}  // namespace warplens
