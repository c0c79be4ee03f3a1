#include "core/program/source_edit.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/text/encoding.h"

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

SourceEdit::SourceEdit(std::string_view text, std::string file)
    : text_(text), file_(std::move(file)), masked_(maskedText(text)), tokens_(cudaTokens(text)) {}

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

std::vector<TextSpan> SourceEdit::partsOf(TextSpan span, char separator) const {
    std::vector<TextSpan> parts;
    int depth = 0;
    std::size_t begin = span.begin;
    for (std::size_t at = begin; at < span.end; ++at) {
        const char c = masked_[at];
        depth += isOpening(c) ? 1 : isClosing(c) ? -1 : 0;
        if (c != separator || depth != 0) continue;
        parts.push_back(trimmedSpan(text_, {begin, at}));
        begin = at + 1;
    }
    parts.push_back(trimmedSpan(text_, {begin, span.end}));
    return parts;
}

std::vector<TextSpan> SourceEdit::argumentsAt(std::size_t open) const {
    const std::size_t closed = closing(masked_, open);
    if (closed == nowhere) return {};
    std::vector<TextSpan> all = partsOf({open + 1, closed - 1}, ',');
    if (all.size() == 1 && all.front().size() == 0) all.clear();
    return all;
}

std::optional<TextSpan> SourceEdit::bodyAt(std::size_t at) const {
    std::size_t open = nowhere;
    int depth = 0;
    // Token by token: a brace of a macro closes nothing.
    for (const CudaToken& token : tokens_) {
        if (token.is("{") && depth++ == 0) open = token.begin;
        if (!token.is("}") || --depth != 0) continue;
        if (open < at && at <= token.begin) return TextSpan{open + 1, token.begin};
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

std::vector<SourceCall> SourceEdit::callsOf(std::string_view name, TextSpan within) const {
    std::vector<SourceCall> found;
    for (std::size_t at = findWord(masked_, name, within.begin); at < within.end;
         at = findWord(masked_, name, at + 1)) {
        const std::size_t open = skipBlanks(masked_, at + name.size());
        if (open >= masked_.size() || masked_[open] != '(') continue;
        const std::size_t closed = closing(masked_, open);
        if (closed != nowhere) found.push_back({at, closed, argumentsAt(open)});
    }
    return found;
}

std::vector<TextSpan> SourceEdit::indicesOf(std::string_view array, TextSpan within) const {
    std::vector<TextSpan> found;
    for (std::size_t at = findWord(masked_, array, within.begin); at < within.end;
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

SourceEdit& SourceEdit::replace(TextSpan span, std::string with) {
    changes_.push_back({span, std::move(with)});
    return *this;
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

std::optional<std::int64_t> wholeNumber(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const auto read = static_cast<std::size_t>(end - text.data());
    const bool isWhole =
        error == std::errc() && text.find_first_not_of("uUlL", read) == std::string_view::npos;
    return isWhole ? std::optional(value) : std::nullopt;
}

std::optional<NamedNumber> definedNumber(const CudaToken& token) {
    if (token.kind != CudaTokenKind::directive || directiveName(token) != "define")
        return std::nullopt;
    const std::vector<CudaToken> words = directiveTokens(token);
    const auto value = words.size() == 3 ? wholeNumber(words[2].text) : std::nullopt;
    return value ? std::optional(NamedNumber(words[1].text, *value)) : std::nullopt;
}

std::string unifiedDiff(const std::string& file, std::string_view before, std::string_view after) {
    constexpr std::size_t around = 2;
    const std::vector<std::string_view> a = splitLines(before);
    const std::vector<std::string_view> b = splitLines(after);
    if (a == b) return {};
    std::size_t first = 0;
    while (first < std::min(a.size(), b.size()) && a[first] == b[first]) ++first;
    std::size_t last = 0;
    while (last < std::min(a.size(), b.size()) - first &&
           a[a.size() - 1 - last] == b[b.size() - 1 - last])
        ++last;
    // The most lines that both have, from each place to the end; none where that is too much.
    const std::size_t rows = a.size() - first - last;
    const std::size_t columns = b.size() - first - last;
    const bool isCompared = rows * columns < (16u << 20);
    std::vector<std::vector<std::uint32_t>> same(
        rows + 1, std::vector<std::uint32_t>(isCompared ? columns + 1 : 0));
    for (std::size_t i = isCompared ? rows : 0; i-- > 0;) {
        for (std::size_t j = columns; j-- > 0;)
            same[i][j] = a[first + i] == b[first + j] ? same[i + 1][j + 1] + 1
                                                      : std::max(same[i + 1][j], same[i][j + 1]);
    }
    std::vector<std::pair<char, std::string_view>> all;
    for (std::size_t i = 0; i < first; ++i) all.emplace_back(' ', a[i]);
    for (std::size_t i = 0, j = 0; i < rows || j < columns;) {
        const bool isBoth = isCompared && i < rows && j < columns && a[first + i] == b[first + j];
        const bool isGone =
            i < rows && (j == columns || !isCompared || same[i + 1][j] >= same[i][j + 1]);
        if (isBoth)
            all.emplace_back(' ', a[first + i]);
        else
            all.emplace_back(isGone ? '-' : '+', isGone ? a[first + i] : b[first + j]);
        i += isBoth || isGone ? 1 : 0;
        j += isBoth || !isGone ? 1 : 0;
    }
    for (std::size_t i = a.size() - last; i < a.size(); ++i) all.emplace_back(' ', a[i]);
    const auto isShown = [&](std::size_t at) {
        const std::size_t from = at - std::min(at, around);
        const std::size_t to = std::min(at + around + 1, all.size());
        return std::any_of(all.begin() + static_cast<std::ptrdiff_t>(from),
                           all.begin() + static_cast<std::ptrdiff_t>(to),
                           [](const auto& row) { return row.first != ' '; });
    };
    std::string text = "--- " + file + "\n+++ " + file + '\n';
    std::array<std::size_t, 2> line{1, 1};
    for (std::size_t at = 0; at < all.size();) {
        std::array<std::size_t, 2> count{};
        std::string hunk;
        for (; at < all.size() && isShown(at); ++at) {
            count[0] += all[at].first != '+' ? 1 : 0;
            count[1] += all[at].first != '-' ? 1 : 0;
            hunk += all[at].first + std::string(all[at].second) + '\n';
        }
        if (!hunk.empty())
            text += "@@ -" + std::to_string(line[0]) + ',' + std::to_string(count[0]) + " +" +
                    std::to_string(line[1]) + ',' + std::to_string(count[1]) + " @@\n" + hunk;
        const std::size_t skipped = hunk.empty() ? 1 : 0;
        at += skipped;
        line = {line[0] + count[0] + skipped, line[1] + count[1] + skipped};
    }
    return text;
}

}  // namespace warplens::source
