#include "kernels/programs/branch_statements.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>

#include "core/program/masked_text.h"
#include "core/text/utf8.h"

namespace warplens {
namespace {

constexpr std::size_t mostStatement = 80;  ///< bytes

struct SourceText final {
    std::string text;
    std::string masked;
    std::vector<std::size_t> lines;  ///< where each begins

    explicit SourceText(const std::string& path) {
        std::ifstream in(path);
        text.assign(std::istreambuf_iterator<char>(in), {});
        masked = source::maskedText(text);
        lines.push_back(0);
        for (std::size_t at = 0; at < text.size(); ++at) {
            if (text[at] == '\n') lines.push_back(at + 1);
        }
    }

    /// The line, without the blanks around it and the brace behind.
    [[nodiscard]] std::string line(std::uint32_t number) const {
        if (number == 0 || number > lines.size()) return {};
        const std::size_t begin = lines[number - 1];
        const std::string whole = text.substr(begin, text.find('\n', begin) - begin);
        const std::size_t first = whole.find_first_not_of(" \t");
        const std::size_t last = whole.find_last_not_of(" \t\r{");
        if (first == std::string::npos || last == std::string::npos || first > last) return {};
        return asUtf8(whole.substr(first, last - first + 1), mostStatement);
    }

    /// Whether a part of a condition that stands there is of an `if` behind which nothing comes but
    /// return, break, continue or goto.
    [[nodiscard]] bool leaves(const SourcePlace& place) const {
        if (place.line == 0 || place.line > lines.size()) return false;
        const std::size_t at = lines[place.line - 1] + std::max(1U, place.column) - 1;
        const std::size_t open = conditionAround(at);
        const std::size_t close = open == std::string::npos ? open : source::closing(masked, open);
        if (close == std::string::npos) return false;
        std::size_t next = source::skipBlanks(masked, close);
        if (next < masked.size() && masked[next] == '{')
            next = source::skipBlanks(masked, next + 1);
        constexpr std::array<std::string_view, 3> words{"return", "break", "continue"};
        return wordAt(next, "goto") || std::ranges::any_of(words, [&](std::string_view word) {
                   if (!wordAt(next, word)) return false;
                   const std::size_t end = source::skipBlanks(masked, next + word.size());
                   return end < masked.size() && masked[end] == ';';
               });
    }

  private:
    [[nodiscard]] bool wordAt(std::size_t at, std::string_view word) const {
        return masked.compare(at, word.size(), word) == 0 &&
               (at + word.size() >= masked.size() ||
                !source::isNameCharacter(masked[at + word.size()]));
    }
    /// The bracket behind the `if` that the place is at, or in the condition of; npos where it is
    /// of something else.
    [[nodiscard]] std::size_t conditionAround(std::size_t at) const {
        if (at >= masked.size()) return std::string::npos;
        if (wordAt(at, "if")) return masked.find('(', at);
        for (int depth = 0;; --at) {
            const char c = masked[at];
            if (c == ')') ++depth;
            if (c == '(' && depth-- == 0) {
                std::size_t before = at;
                while (before > 0 && std::isspace(static_cast<unsigned char>(masked[before - 1]))) {
                    --before;
                }
                if (before >= 2 && wordAt(before - 2, "if") &&
                    (before == 2 || !source::isNameCharacter(masked[before - 3]))) {
                    return at;
                }
                depth = 0;
            }
            if (c == ';' || c == '{' || c == '}' || at == 0) return std::string::npos;
        }
    }
};

}  // namespace

void readStatements(BlockSteps& steps) {
    std::map<std::string, SourceText> files;
    std::vector<bool> contrary;
    for (StepBranch& branch : steps.branches) {
        const SourcePlace& place = steps.places[branch.place];
        const SourceText& file = files.try_emplace(place.file, place.file).first->second;
        branch.statement = file.line(place.line);
        contrary.push_back(branch.jumpsAhead && file.leaves(place));
    }
    for (WarpSteps& warp : steps.warps) {
        for (BlockStep& step : warp.steps) {
            if (step.kind == AccessKind::branch && contrary[step.subject]) {
                step.taken = step.active & ~step.taken;
            }
        }
    }
}

}  // namespace warplens
