#include "kernels/trace/source/compound_assignments.h"

#include "core/program/masked_text.h"

namespace warplens::source {

std::set<std::pair<std::uint32_t, std::uint32_t>> compoundAssignmentsIn(std::string_view text) {
    const std::string masked = maskedText(text);
    std::set<std::pair<std::uint32_t, std::uint32_t>> found;
    std::uint32_t line = 1;
    std::size_t lineBegin = 0;
    for (std::size_t at = 0; at < masked.size(); ++at) {
        if (masked[at] == '\n') {
            ++line;
            lineBegin = at + 1;
        }
        if (masked[at] != '=' || at == lineBegin) continue;
        std::size_t begin = at - 1;
        if (masked[begin] == '<' || masked[begin] == '>') {
            if (begin == lineBegin || masked[begin - 1] != masked[begin]) continue;
            --begin;
        } else if (std::string_view("+-*/%&|^").find(masked[begin]) == std::string_view::npos) {
            continue;
        }
        found.emplace(line, static_cast<std::uint32_t>(begin - lineBegin + 1));
    }
    return found;
}

}  // namespace warplens::source
