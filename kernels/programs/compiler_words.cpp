#include "kernels/programs/compiler_words.h"

#include <algorithm>
#include <regex>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/encoding.h"

namespace warplens::programs {
namespace {

/// A file that includes itself is included 200 times: of a long chain its ends. g++ names the
/// innermost file first, and the person's own last.
std::string includedFrom(const std::vector<std::string_view>& chain) {
    constexpr std::size_t mostNamed = 6;
    std::string words;
    for (std::size_t at = 0; at < chain.size(); ++at) {
        const std::size_t left = chain.size() - at;
        if (chain.size() > mostNamed && at > 0 && left > 2) {
            words += "                 and so on, " + std::to_string(left - 2) + " times,\n";
            at += left - 3;
        } else {
            words += std::string(chain[at]) + '\n';
        }
    }
    return words;
}

/// The line with `__global__` and its like in place of what nvcc's headers make of them; where it
/// only points into the line before, it points there still.
std::string asWritten(std::string_view line, std::string_view before) {
    static const std::regex attribute(
        R"(__attribute__\(\((global|device|host|shared|constant|managed)\)\))");
    std::string text(line);
    if (const std::size_t mark = line.find('^'); trimmed(line) == "^") {
        constexpr std::size_t longer = 13;
        std::size_t left = 0;
        for (auto at = std::cregex_iterator(before.begin(), before.end(), attribute);
             at != std::cregex_iterator(); ++at) {
            const auto begin = static_cast<std::size_t>(at->position());
            if (begin < mark) left += std::min(longer, mark - begin);
        }
        text.erase(0, left);
    }
    return std::regex_replace(text, attribute, "__$1__");
}

}  // namespace

std::string withPlaces(const std::string& words) {
    constexpr std::size_t mostOfLine = 2000;  // bytes; a regular expression goes as deep
    std::string kept;
    std::vector<std::string_view> chain;
    std::string_view before;
    static const std::regex extended(R"((.*?:\d+:)\d+: error: extended character .*)");
    std::string extendedAt;  // the line of the last such error
    bool isToldAlready = false;
    for (std::string_view line : splitLines(words)) {
        line = line.substr(0, mostOfLine);
        if (line.starts_with("In file included from ") ||
            (!chain.empty() && trimmed(line).starts_with("from "))) {
            chain.push_back(line);
            continue;
        }
        // Of two typographic quotes in a line the first says enough.
        if (std::cmatch found; std::regex_match(line.begin(), line.end(), found, extended)) {
            isToldAlready = extendedAt == found.str(1);
            extendedAt = found.str(1);
        } else if (!line.starts_with(' ')) {
            isToldAlready = false;
        }
        if (isToldAlready) continue;
        kept += includedFrom(std::exchange(chain, {}));
        if (line.find(" detected in the compilation of ") != line.npos ||
            line.find("Ptx assembly aborted due to errors") != line.npos)
            continue;
        kept += asWritten(line, std::exchange(before, line)) + '\n';
    }
    // Of a quote or a launch that nothing closes come errors of its line and of those behind it.
    static const std::regex alone(
        R"re([^\n]*error: (missing closing quote|expected a ">>>")\n[^\n]*\n *\^)re");
    if (std::smatch found; std::regex_search(kept, found, alone)) kept = found.str();
    // The same once more.
    static const std::regex twice(
        R"re((error: calling a __host__ function[^\n]*\n)\n[^\n]*is undefined in device code\n)re");
    kept = std::regex_replace(kept, twice, "$1");
    // Of a brace that nothing closes come all other errors, those of headers behind it first.
    static const std::regex unclosed(
        R"re(At end of source: error: (expected a "\}")\n([^\n]*)\((\d+)\): note [^\n]*(\n[^\n]*\n *\^)?)re");
    if (std::smatch open; std::regex_search(kept, open, unclosed))
        return open.format("$2:$3: error: $1 somewhere below, to match this \"{\"$4");
    static const std::regex place(R"((^|\n)([^\n]*?)\((\d+)\): (error|warning|remark|note))");
    static const std::regex placeInPtx(R"(ptxas \S*?([^/\s]+)\.ptx, line (\d+); error *:)");
    kept = std::regex_replace(kept, placeInPtx, "$1.cu: error: line $2 of its PTX:");
    return std::regex_replace(kept, place, "$1$2:$3: $4");
}

}  // namespace warplens::programs
