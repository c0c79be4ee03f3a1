#include "core/program/source_edit.h"

#include <algorithm>
#include <array>
#include <regex>

#include "core/program/program_sources.h"
#include "core/text/encoding.h"
#include "core/text/format.h"

namespace warplens::source {
namespace {

bool isOpening(char c) {
    return c == '(' || c == '[' || c == '{';
}
bool isClosing(char c) {
    return c == ')' || c == ']' || c == '}';
}
/// Whether braces that end there are of a value, within its statement; others end one.
bool goesOn(std::string_view masked, std::size_t at) {
    const std::size_t next = skipBlanks(masked, at);
    return next < masked.size() && std::string_view(";,).").find(masked[next]) != nowhere;
}

}  // namespace

SourceEdit::SourceEdit(std::string_view text, std::string file)
    : text_(text), file_(std::move(file)), masked_(maskedText(text)), tokens_(cudaTokens(text)) {
    // A brace of a macro closes nothing; what `#pragma unroll` is of stays behind it.
    for (const CudaToken& token : tokens_) {
        if (token.kind != CudaTokenKind::directive || directiveName(token) == "pragma") continue;
        for (std::size_t at = token.begin; at < token.end; ++at) {
            if (masked_[at] != '\n') masked_[at] = ' ';
        }
    }
}

std::string_view SourceEdit::textOf(TextSpan span) const {
    return text_.substr(span.begin, span.size());
}

TextSpan SourceEdit::spanOf(std::string_view part) const {
    const auto begin = static_cast<std::size_t>(part.data() - text_.data());
    return {begin, begin + part.size()};
}

std::vector<CudaToken> SourceEdit::tokensIn(TextSpan span) const {
    std::vector<CudaToken> found;
    for (const CudaToken& token : tokens_) {
        if (span.begin <= token.begin && token.end <= span.end) found.push_back(token);
    }
    return found;
}

TextSpan SourceEdit::line(std::uint32_t number) const {
    const std::string_view found = lineOf(text_, number);
    return found.data() == nullptr ? TextSpan{} : spanOf(found);
}

Statement SourceEdit::statementFrom(std::size_t begin, std::size_t at) const {
    constexpr std::array<std::string_view, 4> rulers{"if", "for", "while", "else"};
    std::size_t end = begin;
    while (end < masked_.size() && masked_[end] == '#')
        end = skipBlanks(masked_, std::min(masked_.find('\n', end), masked_.size()));
    for (const std::string_view word : rulers) {
        if (findWord(std::string_view(masked_).substr(0, end + word.size() + 1), word, end) != end)
            continue;
        Statement found;
        std::size_t behind = end + word.size();
        if (word != "else") {
            const std::size_t open = masked_.find('(', behind);
            behind = open == nowhere ? nowhere : closing(masked_, open);
            if (behind == nowhere) break;
            found.condition = {open + 1, behind - 1};
        }
        found.inside = statementFrom(skipBlanks(masked_, behind), at).whole;
        found.whole = {begin, found.inside.end};
        return found;
    }
    Statement found;
    for (int depth = 0; end < masked_.size(); ++end) {
        const char c = masked_[end];
        const std::size_t closed = c == '{' ? closing(masked_, end) : nowhere;
        if (closed != nowhere) {
            if (end < at && at < closed) found.inside = {end + 1, closed - 1};
            end = closed - 1;
        } else {
            depth += isOpening(c) ? 1 : isClosing(c) ? -1 : 0;
        }
        if (depth < 0) break;
        if (depth == 0 && (c == ';' || (closed != nowhere && !goesOn(masked_, closed))))
            return {{begin, end + 1}, {}, found.inside};
    }
    return {{begin, end}, {}, found.inside};
}

std::vector<Statement> SourceEdit::statementsAround(std::size_t at) const {
    std::vector<Statement> around;
    TextSpan rest{0, masked_.size()};
    for (;;) {
        rest.begin = skipBlanks(masked_, rest.begin);
        if (rest.begin >= rest.end || rest.begin > at) return around;
        const Statement next = statementFrom(rest.begin, at);
        rest.begin = std::max(next.whole.end, rest.begin + 1);
        if (!next.whole.holds(at)) continue;
        around.push_back(next);
        if (!next.inside.holds(at)) return around;
        rest = next.inside;
    }
}

TextSpan SourceEdit::statementAt(std::size_t at) const {
    TextSpan found{at, at};
    for (const Statement& each : statementsAround(at)) {
        if (found.size() == 0) found = each.whole;
        const bool isInBraces = each.inside.holds(at) && masked_[each.inside.begin - 1] == '{';
        if (isInBraces) found = {at, at};
    }
    return found;
}

TextSpan SourceEdit::ruledAt(std::size_t at) const {
    const std::vector<Statement> around = statementsAround(at);
    return around.empty() ? TextSpan{at, at} : around.back().whole;
}

std::vector<TextSpan> SourceEdit::partsOf(TextSpan span, char separator) const {
    std::vector<TextSpan> parts;
    const auto add = [&](std::size_t begin, std::size_t end) {
        parts.push_back(spanOf(trimmed(textOf({begin, end}))));
    };
    int depth = 0;
    std::size_t begin = span.begin;
    std::size_t at = begin;
    for (; at < span.end && depth >= 0; ++at) {
        depth += isOpening(masked_[at]) ? 1 : isClosing(masked_[at]) ? -1 : 0;
        if (masked_[at] != separator || depth != 0) continue;
        add(begin, at);
        begin = at + 1;
    }
    add(begin, depth < 0 ? at - 1 : at);
    return parts;
}

std::vector<TextSpan> SourceEdit::argumentsAt(std::size_t open) const {
    std::vector<TextSpan> all = partsOf({open + 1, masked_.size()}, ',');
    if (all.size() == 1 && all.front().size() == 0) all.clear();
    return all;
}

std::optional<TextSpan> SourceEdit::valueOf(std::string_view name, std::size_t at) const {
    std::optional<TextSpan> found;
    for (std::size_t word = 0; word + 2 < tokens_.size(); ++word) {
        const CudaToken& token = tokens_[word];
        const CudaToken& next = tokens_[word + 1];
        if (token.kind == CudaTokenKind::directive && directiveName(token) == "define") {
            const std::vector<CudaToken> words = directiveTokens(token);
            if (words.size() < 3 || !words[1].is(name)) continue;
            found = TextSpan{spanOf(words[2].text).begin, spanOf(words.back().text).end};
        }
        if (token.begin >= at || !token.is(name)) continue;
        const TextSpan statement = statementAt(token.begin);
        if (next.is("=") && !tokens_[word + 2].is("=")) {
            const TextSpan rest = partsOf({next.end, statement.end}, ';').front();
            found = partsOf(rest, ',').front();
        } else if ((next.is("(") || next.is("{")) &&
                   textOf({statement.begin, token.begin}).find("dim3") != nowhere) {
            found = TextSpan{next.begin, closing(masked_, next.begin)};
        }
    }
    return found;
}

std::vector<NamedBrackets> SourceEdit::bracketsOf(std::string_view name, char opening,
                                                  TextSpan within) const {
    std::vector<NamedBrackets> all;
    for (std::size_t at = findWord(masked_, name, within.begin); at < within.end;
         at = findWord(masked_, name, at + 1)) {
        NamedBrackets found{{at, at + name.size()}, {}};
        for (;;) {
            const std::size_t open = skipBlanks(masked_, found.whole.end);
            if (open >= masked_.size() || masked_[open] != opening) break;
            const std::size_t closed = closing(masked_, open);
            if (closed == nowhere) break;
            if (opening == '(')
                found.parts = argumentsAt(open);
            else
                found.parts.push_back({open + 1, closed - 1});
            found.whole.end = closed;
        }
        if (found.whole.size() != name.size()) all.push_back(std::move(found));
    }
    return all;
}

std::string SourceEdit::indentAt(std::size_t at) const {
    const std::size_t begin = text_.substr(0, at).rfind('\n') + 1;  // of the first line: 0
    const std::size_t end = std::min(text_.find_first_not_of(" \t", begin), at);
    return std::string(text_.substr(begin, end - begin));
}

SourceEdit& SourceEdit::replace(TextSpan span, std::string with) {
    changes_.push_back({span, std::move(with)});
    return *this;
}

bool SourceEdit::rewrite(TextSpan within, const std::string& pattern, const std::string& with) {
    const std::string before = copyOf(within);
    std::string after = std::regex_replace(before, std::regex(pattern), with);
    if (after == before) return false;
    replace(within, std::move(after));
    return true;
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
    return warplens::wholeNumber<std::int64_t>(text.substr(0, text.find_first_of("uUlL")));
}

}  // namespace warplens::source
