#include "kernels/trace/source/launch_calls.h"

#include <cctype>
#include <optional>
#include <string>

#include "core/program/masked_text.h"

namespace warplens::source {
namespace {

/// One past `<<<` or `>>>`, whose last may stand apart, as formatters leave it: `<< <`.
std::size_t bracketEnd(std::string_view masked, std::size_t at, char bracket) {
    if (masked.substr(at, 2) != std::string(2, bracket)) return nowhere;
    const std::size_t third = masked.find_first_not_of(" \t", at + 2);
    return third < masked.size() && masked[third] == bracket ? third + 1 : nowhere;
}

std::size_t lastSingleColon(std::string_view masked, std::size_t from, std::size_t to) {
    std::size_t found = nowhere;
    int angles = 0;
    for (std::size_t i = from; i < to; ++i) {
        if (masked[i] == '<') ++angles;
        if (masked[i] == '>') --angles;
        if (masked[i] != ':' || angles != 0) continue;
        if (masked[i + 1] == ':') {
            ++i;
            continue;
        }
        found = i;
    }
    return found;
}

/// Where the expression begins that ends at `end`: `ns::scan<true, (N > 2)>`, `(*chosen)`,
/// `table[i]`.
std::size_t beginOfCallee(std::string_view masked, std::size_t end) {
    std::size_t i = end;
    const auto back = [&] {
        while (i > 0 && std::isspace(static_cast<unsigned char>(masked[i - 1])) != 0) --i;
    };
    back();
    if (i > 0 && masked[i - 1] == '>') {
        int depth = 0;
        while (i > 0) {
            --i;
            if (masked[i] == ')') {
                int round = 1;
                while (i > 0 && round > 0) {
                    --i;
                    if (masked[i] == ')') ++round;
                    if (masked[i] == '(') --round;
                }
                continue;
            }
            if (masked[i] == '>') ++depth;
            if (masked[i] == '<' && --depth == 0) break;
        }
        back();
    } else if (i > 0 && (masked[i - 1] == ')' || masked[i - 1] == ']')) {
        int depth = 0;
        while (i > 0) {
            --i;
            if (masked[i] == ')' || masked[i] == ']') ++depth;
            if ((masked[i] == '(' || masked[i] == '[') && --depth == 0) break;
        }
        back();
    }
    while (i > 0 && (isNameCharacter(masked[i - 1]) || masked[i - 1] == ':' ||
                     (masked[i - 1] == '.' && i > 1 && isNameCharacter(masked[i - 2])) ||
                     (i > 1 && masked[i - 1] == '>' && masked[i - 2] == '-') ||
                     (i > 1 && masked[i - 1] == '-' && masked[i] == '>'))) {
        --i;
    }
    // `case 0: k<<<` and `label: k<<<`: a single colon belongs to what is before.
    while (i < end && (masked[i] == ':' && masked[i + 1] != ':')) ++i;
    std::size_t word = i;
    while (word < end && isNameCharacter(masked[word])) ++word;
    const std::string_view first = masked.substr(i, word - i);
    if (first == "return" || first == "else" || first == "do") i = skipBlanks(masked, word);
    const std::size_t colon = lastSingleColon(masked, i, end);
    return skipBlanks(masked, colon == nowhere ? i : colon + 1);
}

/// Of which `<<<` stands at `open`, and `configuration` is one past it; nothing where it is no
/// launch.
std::optional<LaunchCall> launchAt(std::string_view masked, std::size_t open,
                                   std::size_t configuration) {
    const std::size_t begin = beginOfCallee(masked, open);
    std::size_t close = configuration;
    std::size_t closed = nowhere;
    for (int depth = 0; close < masked.size(); ++close) {
        const char c = masked[close];
        if (c == '(' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == ']' || c == '}') --depth;
        if (depth != 0 || c != '>') continue;
        closed = bracketEnd(masked, close, '>');
        if (closed != nowhere && (closed >= masked.size() || masked[closed] != '>')) break;
    }
    if (close >= masked.size() || begin >= open) return std::nullopt;
    const std::size_t arguments = skipBlanks(masked, closed);
    if (arguments >= masked.size() || masked[arguments] != '(') return std::nullopt;
    const std::size_t end = closing(masked, arguments);
    if (end == nowhere) return std::nullopt;
    return LaunchCall{begin, open, configuration, close, closed, arguments, end};
}

}  // namespace

std::vector<LaunchCall> launchCallsIn(std::string_view masked) {
    std::vector<LaunchCall> calls;
    for (std::size_t at = masked.find("<<"); at != nowhere; at = masked.find("<<", at + 1)) {
        const std::size_t configuration = bracketEnd(masked, at, '<');
        if (configuration == nowhere) continue;
        if (const auto call = launchAt(masked, at, configuration)) calls.push_back(*call);
        at = configuration - 1;
    }
    return calls;
}

}  // namespace warplens::source
