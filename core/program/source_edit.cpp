#include "core/program/source_edit.h"

#include <algorithm>
#include <array>

#include "core/program/masked_text.h"
#include "core/text/lines.h"

namespace warplens::source {
namespace {

TextSpan trimmedSpan(std::string_view text, TextSpan span) {
    const auto isBlank = [&](std::size_t at) {
        return text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r';
    };
    while (span.begin < span.end && isBlank(span.begin)) ++span.begin;
    while (span.begin < span.end && isBlank(span.end - 1)) --span.end;
    return span;
}

bool isOpening(char c) {
    return c == '(' || c == '[' || c == '{';
}
bool isClosing(char c) {
    return c == ')' || c == ']' || c == '}';
}

}  // namespace

SourceEdit::SourceEdit(std::string_view text)
    : text_(text), masked_(maskedText(text)), tokens_(cudaTokens(text)) {}

std::string_view SourceEdit::textOf(TextSpan span) const {
    return text_.substr(span.begin, span.size());
}

std::vector<CudaToken> SourceEdit::tokensIn(TextSpan span) const {
    std::vector<CudaToken> found;
    for (const CudaToken& token : tokens_) {
        if (span.begin <= token.begin && token.end <= span.end) found.push_back(token);
    }
    return found;
}

TextSpan SourceEdit::line(std::uint32_t number) const {
    std::size_t begin = 0;
    for (std::uint32_t at = 1; at < number; ++at) {
        begin = text_.find('\n', begin);
        if (begin == nowhere) return {};
        ++begin;
    }
    return {begin, std::min(text_.find('\n', begin), text_.size())};
}

TextSpan SourceEdit::statementAt(std::size_t at) const {
    int depth = 0;
    std::size_t begin = at;
    while (begin > 0) {
        const char c = masked_[begin - 1];
        if (c == ')' || c == ']') ++depth;
        if (c == '(' || c == '[') --depth;
        if (depth <= 0 && (c == ';' || c == '{' || c == '}')) {
            // Within the header of a for, whose bracket opens further left.
            std::size_t open = begin - 1;
            for (int left = 0; c == ';' && open > 0; --open) {
                if (masked_[open] == ')') ++left;
                if (masked_[open] == '(' && --left < 0) break;
                if (masked_[open] == '{' || masked_[open] == '}') open = 1;
            }
            if (c != ';' || open == 0) break;
            begin = open;
            depth = 0;
            continue;
        }
        --begin;
    }
    begin = skipBlanks(masked_, begin);
    depth = 0;
    std::size_t end = begin;
    for (; end < masked_.size(); ++end) {
        const char c = masked_[end];
        if (isOpening(c)) ++depth;
        if (isClosing(c)) --depth;
        if (depth < 0) break;
        if (depth == 0 && end >= at && (c == ';' || c == '}')) {
            ++end;
            break;
        }
    }
    return {begin, end};
}

TextSpan SourceEdit::ruledAt(TextSpan statement, std::size_t at) const {
    constexpr std::array<std::string_view, 3> rulers{"if", "for", "while"};
    for (;;) {
        const std::string_view rest =
            std::string_view(masked_).substr(statement.begin, statement.size());
        const bool rules = std::ranges::any_of(rulers, [&](std::string_view word) {
            return rest.starts_with(word) && rest.size() > word.size() &&
                   !isNameCharacter(rest[word.size()]);
        });
        const std::size_t open = masked_.find('(', statement.begin);
        if (!rules || open == nowhere || open > at) return statement;
        const std::size_t closed = closing(masked_, open);
        if (closed == nowhere || closed > at) return statement;
        const std::size_t next = skipBlanks(masked_, closed);
        if (next >= statement.end || masked_[next] == '{') return statement;
        statement.begin = next;
    }
}

std::vector<TextSpan> SourceEdit::argumentsAt(std::size_t open) const {
    std::vector<TextSpan> all;
    const std::size_t closed = closing(masked_, open);
    if (closed == nowhere) return all;
    int depth = 0;
    std::size_t begin = open + 1;
    for (std::size_t at = open + 1; at < closed; ++at) {
        const char c = masked_[at];
        if (isOpening(c)) ++depth;
        const bool isEnd = at + 1 == closed;
        if ((c == ',' && depth == 0) || isEnd) {
            all.push_back(trimmedSpan(text_, {begin, at}));
            begin = at + 1;
        }
        if (isClosing(c)) --depth;
    }
    if (all.size() == 1 && all.front().size() == 0) all.clear();
    return all;
}

std::optional<TextSpan> SourceEdit::bodyAt(std::size_t at) const {
    std::size_t open = nowhere;
    int depth = 0;
    for (std::size_t i = 0; i < masked_.size(); ++i) {
        if (masked_[i] == '{' && depth++ == 0) open = i;
        if (masked_[i] != '}') continue;
        if (--depth == 0 && open != nowhere && open < at && at <= i) return TextSpan{open + 1, i};
    }
    return std::nullopt;
}

std::optional<TextSpan> SourceEdit::valueOf(std::string_view name, std::size_t at) const {
    std::optional<TextSpan> found;
    for (const CudaToken& token : tokens_) {
        if (token.kind == CudaTokenKind::directive && directiveName(token) == "define") {
            const std::vector<CudaToken> words = directiveTokens(token);
            if (words.size() < 3 || !words[1].is(name)) continue;
            const auto offset = [&](const char* from) {
                return static_cast<std::size_t>(from - text_.data());
            };
            found = TextSpan{offset(words[2].text.data()),
                             offset(words.back().text.data()) + words.back().text.size()};
        }
        if (token.begin >= at || !token.is(name)) continue;
        std::size_t next = skipBlanks(masked_, token.end);
        if (next + 1 >= masked_.size()) continue;
        const TextSpan statement = statementAt(token.begin);
        const std::string_view words = textOf(statement);
        const bool isDim = words.find("dim3") < token.begin - statement.begin;
        if (isDim && (masked_[next] == '(' || masked_[next] == '{')) {
            const std::size_t closed = closing(masked_, next);
            if (closed != nowhere) found = TextSpan{next, closed};
            continue;
        }
        if (masked_[next] != '=' || masked_[next + 1] == '=') continue;
        const std::size_t begin = skipBlanks(masked_, next + 1);
        int depth = 0;
        std::size_t end = begin;
        for (; end < masked_.size(); ++end) {
            const char c = masked_[end];
            if (depth == 0 && (c == ',' || c == ';')) break;
            if (isOpening(c)) ++depth;
            if (isClosing(c)) --depth;
            if (depth < 0) break;
        }
        found = trimmedSpan(text_, {begin, end});
    }
    return found;
}

std::vector<std::size_t> SourceEdit::callsOf(std::string_view name) const {
    std::vector<std::size_t> found;
    for (std::size_t at = findWord(masked_, name); at != nowhere;
         at = findWord(masked_, name, at + 1)) {
        const std::size_t open = skipBlanks(masked_, at + name.size());
        if (open < masked_.size() && masked_[open] == '(') found.push_back(at);
    }
    return found;
}

std::vector<TextSpan> SourceEdit::indicesOf(std::string_view array, TextSpan within) const {
    std::vector<TextSpan> found;
    for (std::size_t at = findWord(masked_, array, within.begin); at != nowhere && at < within.end;
         at = findWord(masked_, array, at + 1)) {
        const std::size_t open = skipBlanks(masked_, at + array.size());
        if (open >= within.end || masked_[open] != '[') continue;
        const std::size_t closed = closing(masked_, open);
        if (closed != nowhere) found.push_back({open + 1, closed - 1});
    }
    return found;
}

std::string SourceEdit::indentAt(std::size_t at) const {
    const std::size_t before = text_.substr(0, at).rfind('\n');
    const std::size_t begin = before == nowhere ? 0 : before + 1;
    const std::size_t end = std::min(text_.find_first_not_of(" \t", begin), at);
    return std::string(text_.substr(begin, end - begin));
}

void SourceEdit::insertLineBefore(std::size_t at, const std::string& code) {
    insert(at, code + '\n' + indentAt(at));
}

void SourceEdit::insertLineAfter(std::size_t at, const std::string& code) {
    const std::size_t last = at == 0 ? 0 : at - 1;
    insert(at, '\n' + indentAt(statementAt(last).begin) + code);
}

std::string SourceEdit::result() const {
    std::vector<Change> ordered = changes_;
    std::ranges::stable_sort(ordered, {}, [](const Change& change) { return change.span.begin; });
    std::string all;
    std::size_t at = 0;
    for (const Change& change : ordered) {
        if (change.span.begin < at) continue;  // within one that is made
        all += text_.substr(at, change.span.begin - at);
        all += change.with;
        at = change.span.end;
    }
    return all + std::string(text_.substr(at));
}

std::string unifiedDiff(const std::string& file, std::string_view before, std::string_view after) {
    constexpr std::size_t around = 2;
    const std::vector<std::string_view> a = splitLines(before);
    const std::vector<std::string_view> b = splitLines(after);
    std::size_t first = 0;
    while (first < std::min(a.size(), b.size()) && a[first] == b[first]) ++first;
    std::size_t last = 0;
    while (last < std::min(a.size(), b.size()) - first &&
           a[a.size() - 1 - last] == b[b.size() - 1 - last])
        ++last;
    const std::size_t rows = a.size() - first - last;
    const std::size_t columns = b.size() - first - last;
    if (rows + columns == 0) return {};
    // The most lines that both have, from each place to the end; none where that is too much.
    constexpr std::size_t most = 16u << 20;
    const bool isCompared = rows * columns < most;
    std::vector<std::vector<std::uint32_t>> same(
        rows + 1, std::vector<std::uint32_t>(isCompared ? columns + 1 : 0));
    for (std::size_t i = isCompared ? rows : 0; i-- > 0;) {
        for (std::size_t j = columns; j-- > 0;)
            same[i][j] = a[first + i] == b[first + j] ? same[i + 1][j + 1] + 1
                                                      : std::max(same[i + 1][j], same[i][j + 1]);
    }
    struct Row final {
        char mark;
        std::string_view text;
        std::size_t old, now;  ///< lines before it
    };
    std::vector<Row> all;
    std::size_t i = 0;
    std::size_t j = 0;
    const std::size_t lead = std::min(first, around);
    for (std::size_t at = first - lead; at < first; ++at) all.push_back({' ', a[at], at, at});
    while (i < rows || j < columns) {
        const std::size_t old = first + i;
        const std::size_t now = first + j;
        if (isCompared && i < rows && j < columns && a[old] == b[now] &&
            same[i][j] == same[i + 1][j + 1] + 1) {
            all.push_back({' ', a[old], old, now});
            ++i, ++j;
        } else if (i < rows && (j == columns || !isCompared || same[i + 1][j] >= same[i][j + 1])) {
            all.push_back({'-', a[old], old, now});
            ++i;
        } else {
            all.push_back({'+', b[now], old, now});
            ++j;
        }
    }
    for (std::size_t at = 0; at < std::min(last, around); ++at)
        all.push_back({' ', a[first + rows + at], first + rows + at, first + columns + at});
    // Apart where more lines than are shown on both sides are the same.
    std::string text = "--- " + file + "\n+++ " + file + '\n';
    const auto nextChange = [&](std::size_t from) {
        while (from < all.size() && all[from].mark == ' ') ++from;
        return from;
    };
    std::size_t shown = 0;
    for (std::size_t change = nextChange(0); change < all.size(); change = nextChange(shown)) {
        const std::size_t begin = std::max(shown, change - std::min(change, around));
        std::size_t kept = change;
        while (nextChange(kept + 1) < std::min(all.size(), kept + 2 + 2 * around))
            kept = nextChange(kept + 1);
        const std::size_t stop = std::min(kept + 1 + around, all.size());
        const auto count = [&](char mark) {
            std::size_t lines = 0;
            for (std::size_t at = begin; at < stop; ++at)
                lines += all[at].mark == ' ' || all[at].mark == mark ? 1 : 0;
            return std::to_string(lines);
        };
        text += "@@ -" + std::to_string(all[begin].old + 1) + ',' + count('-') + " +" +
                std::to_string(all[begin].now + 1) + ',' + count('+') + " @@\n";
        for (std::size_t at = begin; at < stop; ++at)
            text += all[at].mark + std::string(all[at].text) + '\n';
        shown = stop;
    }
    return text;
}

}  // namespace warplens::source
