#include "tests/programs/expected_trace.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "core/text/lines.h"

namespace warplens {
namespace {

std::vector<std::string> partsOf(std::string_view row) {
    std::vector<std::string> parts;
    for (std::size_t end = 0; end != row.npos; row.remove_prefix(end == row.npos ? 0 : end + 3)) {
        end = row.find(" | ");
        parts.emplace_back(trimmed(row.substr(0, end)));
    }
    return parts;
}

std::uint32_t lineWith(const std::string& part, const std::string& path) {
    std::ifstream file(path);
    std::uint32_t found = 0;
    std::uint32_t number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.find(part) == line.npos) continue;
        if (found != 0) return 0;
        found = number;
    }
    return found;
}

bool isOfKind(const Finding& finding, const std::string& kinds) {
    const std::string kind(toString(finding.kind));
    std::istringstream all(kinds);
    for (std::string one; std::getline(all, one, '/');) {
        if (kind == one || (one == "race" && kind.ends_with("_race"))) return true;
    }
    return false;
}

bool isMet(const Expectation& expectation, const Finding& finding) {
    return finding.place.line == expectation.line && isOfKind(finding, expectation.finding);
}

}  // namespace

ExpectedCounts expectedCounts(std::uint32_t line, const std::string& words) {
    std::istringstream rest(words);
    ExpectedCounts expected;
    expected.line = line;
    rest >> expected.kind >> expected.array;
    if (expected.array == "-") expected.array.clear();
    for (std::string word; rest >> word;) {
        const std::size_t equals = word.find('=');
        if (equals == word.npos) throw std::runtime_error("no count: " + words);
        expected.counts[word.substr(0, equals)] = std::stoull(word.substr(equals + 1));
    }
    return expected;
}

std::map<std::string, std::uint64_t> countsOf(const ProgramTrace& trace,
                                              const ExpectedCounts& expected) {
    std::map<std::string, std::uint64_t> counts;
    for (const LaunchReport& launch : trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            if (line.source != Source::predicted || line.place.line != expected.line ||
                nameOf(line.kind) != expected.kind || line.array != expected.array) {
                continue;
            }
            counts["requests"] += line.requests;
            counts["other"] += line.inOtherOrder ? line.inOtherOrder->requests : 0;
            counts["sectors"] += line.sectors;
            counts["ideal"] += line.idealSectors;
            counts["wavefronts"] += line.wavefronts;
            counts["lanes"] += line.activeLanes;
            counts["divergent"] += line.divergent;
            counts["same"] = std::max<std::uint64_t>(counts["same"], line.mostSameAddress);
        }
    }
    return counts;
}

std::vector<Expectation> expectationsToCome(const std::string& folder) {
    std::ifstream file(folder + "/expectations.txt");
    std::vector<Expectation> all;
    for (std::string row; std::getline(file, row);) {
        if (row.empty() || row.starts_with('#')) continue;
        const std::vector<std::string> parts = partsOf(row);
        if (parts.size() != 3) throw std::runtime_error("not three parts: " + row);
        Expectation& expectation = all.emplace_back();
        expectation.program = parts[0];
        expectation.line = lineWith(parts[1], folder + '/' + parts[0]);
        if (expectation.line == 0) throw std::runtime_error("not in one line: " + row);
        expectation.name = parts[0] + " | " + parts[1] + " | ";
        constexpr std::string_view found = "finding ";
        if (parts[2].starts_with(found)) {
            expectation.finding = parts[2].substr(found.size());
            expectation.name += parts[2];
        } else {
            expectation.counts = expectedCounts(expectation.line, parts[2]);
            expectation.name += expectation.counts.kind + ' ' + expectation.counts.array;
        }
    }
    if (all.empty()) throw std::runtime_error("no expectations in " + folder);
    return all;
}

std::string unmet(const Expectation& expectation, const ProgramTrace& trace) {
    if (!expectation.finding.empty()) {
        const bool told = std::ranges::any_of(
            trace.findings, [&](const Finding& finding) { return isMet(expectation, finding); });
        return told ? "" : "no " + expectation.finding + " is found";
    }
    std::map<std::string, std::uint64_t> counts = countsOf(trace, expectation.counts);
    std::string differs;
    for (const auto& [name, count] : expectation.counts.counts) {
        if (counts[name] == count) continue;
        differs += (differs.empty() ? "" : ", ") + name + " is " + std::to_string(counts[name]) +
                   " and not " + std::to_string(count);
    }
    return differs;
}

std::string foundBeside(const std::vector<Expectation>& expectations, const ProgramTrace& trace) {
    std::string lines;
    for (const Finding& finding : trace.findings) {
        const bool expected =
            std::ranges::any_of(expectations, [&](const Expectation& expectation) {
                return !expectation.finding.empty() && isMet(expectation, finding);
            });
        if (expected) continue;
        lines += finding.place.file + ':' + std::to_string(finding.place.line) + ": " +
                 std::string(toString(finding.kind)) + ": " + finding.words + '\n';
    }
    return lines;
}

}  // namespace warplens
