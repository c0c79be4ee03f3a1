#include "app/window/state/program_text.h"

#include <algorithm>
#include <numeric>

namespace warplens::window {

std::vector<std::uint32_t> matchedLines(const std::vector<std::string>& lines,
                                        const std::vector<std::string>& traced) {
    std::vector<std::uint32_t> matched(lines.size());
    if (&lines == &traced || lines == traced) {
        std::iota(matched.begin(), matched.end(), 1U);
        return matched;
    }
    // Whoever edits a file changes it in one place: what stands before and behind it is the same.
    const auto begin =
        static_cast<std::size_t>(std::ranges::mismatch(lines, traced).in1 - lines.begin());
    for (std::size_t i = 0; i < begin; ++i) matched[i] = static_cast<std::uint32_t>(i) + 1;
    const std::size_t least = std::min(lines.size(), traced.size()) - begin;
    for (std::size_t i = 1; i <= least; ++i) {
        if (lines[lines.size() - i] != traced[traced.size() - i]) break;
        matched[lines.size() - i] = static_cast<std::uint32_t>(traced.size() - i) + 1;
    }
    return matched;
}

ShownText shownText(const ProgramState& program) {
    static const std::vector<std::string> none;
    const std::vector<std::string>& traced = program.now ? program.now->lines : none;
    const std::vector<std::string>& lines = program.text ? *program.text : traced;
    return {.lines = lines, .traced = matchedLines(lines, traced)};
}

}  // namespace warplens::window
