#include <algorithm>
#include <array>
#include <utility>

#include "core/program/cuda_tokens.h"
#include "core/program/program_sources.h"
#include "core/text/encoding.h"

namespace warplens::source {
namespace {

/// Splits at the commas that stand in no bracket, angle brackets included.
std::vector<std::pair<std::size_t, std::size_t>> splitList(std::string_view masked,
                                                           std::size_t from, std::size_t to) {
    std::vector<std::pair<std::size_t, std::size_t>> parts;
    int depth = 0;
    std::size_t begin = from;
    for (std::size_t i = from; i < to; ++i) {
        const char c = masked[i];
        if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
        if (c == ')' || c == ']' || c == '}' || (c == '>' && masked[i - 1] != '-')) --depth;
        if (c == ',' && depth == 0) {
            parts.emplace_back(begin, i);
            begin = i + 1;
        }
    }
    if (!trimmed(masked.substr(begin, to - begin)).empty()) parts.emplace_back(begin, to);
    return parts;
}

KernelParameter parameterOf(std::string_view text) {
    KernelParameter parameter;
    parameter.isPack = text.find("...") != nowhere;
    std::string_view declaration = trimmed(text.substr(0, text.find('=')));
    std::string_view extents;
    if (const std::size_t bracket = declaration.find('['); bracket != nowhere) {
        extents = declaration.substr(bracket);
        declaration = trimmed(declaration.substr(0, bracket));
    }
    std::size_t begin = declaration.size();
    while (begin > 0 && isNameCharacter(declaration[begin - 1])) --begin;
    const std::string_view name = declaration.substr(begin);
    const std::string_view type = trimmed(declaration.substr(0, begin));
    static constexpr std::array<std::string_view, 12> typeWords{
        "int",      "float", "double", "char",  "short",  "long",
        "unsigned", "bool",  "half",   "const", "size_t", "signed"};
    // `float*` and `unsigned` name no parameter; neither does `const T`, which looks like one.
    if (type.empty() || std::find(typeWords.begin(), typeWords.end(), name) != typeWords.end()) {
        parameter.type = std::string(trimmed(declaration));
        return parameter;
    }
    parameter.name = std::string(name);
    parameter.type = std::string(type) + (extents.empty() ? "" : "*");
    return parameter;
}

/// `int N` of `template <int N>` before the kernel whose __global__ stands at `keyword`.
std::optional<std::string> templateParametersAt(std::string_view masked, std::size_t keyword) {
    // `template <...>` ends the text before, save for `static`, `extern "C"` and attributes.
    const std::size_t stop = masked.find_last_of(";}{", keyword);
    const std::size_t from = stop == nowhere ? 0 : stop + 1;
    const std::string_view before = masked.substr(from, keyword - from);
    const std::size_t word = findWord(before, "template");
    if (word == nowhere) return std::nullopt;
    const std::size_t open = std::min(before.find('<', word), before.size() - 1);
    const std::size_t close = std::max(before.rfind('>'), open);
    return std::string(trimmed(before.substr(open + 1, close - open - 1)));
}

/// The kernel whose __global__ stands at `keyword`; nothing where no body follows.
std::optional<KernelSource> kernelAt(std::string_view masked, std::size_t keyword) {
    std::size_t i = keyword;
    std::size_t open = nowhere;
    std::string_view name;
    std::size_t nameAt = 0;
    while (i < masked.size() && open == nowhere) {
        const char c = masked[i];
        if (c == ';' || c == '{' || c == '}') return std::nullopt;
        if (c == '#') return std::nullopt;
        if (isNameCharacter(c)) {
            std::size_t end = i;
            while (end < masked.size() && isNameCharacter(masked[end])) ++end;
            name = masked.substr(i, end - i);
            nameAt = i;
            i = end;
            const std::size_t next = skipBlanks(masked, i);
            if (next < masked.size() && masked[next] == '(') {
                if (isAttribute(name)) {
                    i = closing(masked, next);
                    if (i == nowhere) return std::nullopt;
                } else {
                    open = next;
                }
            }
            continue;
        }
        ++i;
    }
    if (open == nowhere) return std::nullopt;
    const std::size_t close = closing(masked, open);
    if (close == nowhere) return std::nullopt;
    std::size_t body = close;
    while (body < masked.size() && masked[body] != '{' && masked[body] != ';') ++body;
    if (body >= masked.size() || masked[body] == ';') return std::nullopt;
    const std::size_t end = closing(masked, body);
    KernelSource kernel;
    kernel.name = std::string(name);
    kernel.place = placeAt(masked, nameAt);
    kernel.templateParameters = templateParametersAt(masked, keyword);
    kernel.bodyBegin = body + 1;
    kernel.bodyEnd = end == nowhere ? masked.size() : end;
    for (const auto& [from, to] : splitList(masked, open + 1, close - 1)) {
        const std::string_view declaration = trimmed(masked.substr(from, to - from));
        if (declaration != "void") kernel.parameters.push_back(parameterOf(declaration));
    }
    return kernel;
}

}  // namespace

std::string unqualified(std::string_view type) {
    static constexpr std::array<std::string_view, 7> qualifiers{
        "__restrict__", "__restrict", "restrict", "__grid_constant__",
        "const",        "volatile",   "struct"};
    std::string plain;
    for (const CudaToken& token : cudaTokens(type)) {
        if (std::ranges::find(qualifiers, token.text) != qualifiers.end()) continue;
        const bool isWord = token.kind == CudaTokenKind::identifier;
        plain += (isWord && !plain.empty() && isNameCharacter(plain.back()) ? " " : "");
        plain += token.text;
    }
    return plain;
}

std::vector<KernelSource> launchersIn(std::string_view masked) {
    struct Function final {
        KernelSource source;
        std::string_view body;
        bool isLauncher;
    };
    std::vector<Function> all;
    for (std::size_t at = 0; at < masked.size();) {
        if (auto function = kernelAt(masked, at)) {
            const std::string_view head = masked.substr(at, function->bodyBegin - at);
            const std::string_view body =
                masked.substr(function->bodyBegin, function->bodyEnd - function->bodyBegin);
            at = function->bodyEnd;
            if (findWord(head, "__global__") == nowhere)
                all.push_back({std::move(*function), body, body.find("<<<") != nowhere});
            continue;
        }
        at = masked.find_first_of(";{}#", at);
        if (at != nowhere && masked[at] == '#') at = masked.find('\n', at);
        if (at != nowhere) ++at;
    }
    const auto calls = [](const Function& a, const Function& b) {
        return findWord(a.body, b.source.name) != nowhere;
    };
    for (bool isMore = true; std::exchange(isMore, false);) {
        for (Function& each : all) {
            if (each.isLauncher) continue;
            each.isLauncher = std::ranges::any_of(
                all, [&](const Function& b) { return b.isLauncher && calls(each, b); });
            isMore |= each.isLauncher;
        }
    }
    std::vector<KernelSource> found;
    for (const Function& each : all) {
        const auto callsIt = [&](const Function& other) { return calls(other, each); };
        if (each.isLauncher && std::ranges::none_of(all, callsIt)) found.push_back(each.source);
    }
    return found;
}

std::vector<KernelSource> kernelsIn(std::string_view masked) {
    std::vector<KernelSource> kernels;
    for (std::size_t at = findWord(masked, "__global__"); at != nowhere;
         at = findWord(masked, "__global__", at + 1)) {
        if (auto kernel = kernelAt(masked, at)) kernels.push_back(std::move(*kernel));
    }
    return kernels;
}

}  // namespace warplens::source
