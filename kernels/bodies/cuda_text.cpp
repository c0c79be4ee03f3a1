#include "kernels/bodies/cuda_text.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "kernels/bodies/body_text.h"

namespace warplens {
namespace {

using Operands = std::vector<std::string>;

std::string trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

/// A word of the bodies with its operands in parentheses, and what stands for it on the device.
struct Word final {
    std::string_view name;
    std::size_t operands;  ///< the last takes the commas that are left
    std::function<std::string(const Operands&)> becomes;
};

const std::array<Word, 9>& words() {
    static const std::array<Word, 9> all{{
        {"ARRAY", 1, [](const Operands& o) { return o[0] + "*"; }},
        {"BRANCH", 2, [](const Operands& o) { return o[1]; }},
        {"WHILE", 2, [](const Operands& o) { return "while (" + o[1] + ")"; }},
        {"ROUND", 1, [](const Operands&) { return std::string(); }},
        {"ARRIVED", 1, [](const Operands&) { return std::string(); }},
        {"SHARED_1D", 3,
         [](const Operands& o) { return "__shared__ " + o[0] + ' ' + o[1] + '[' + o[2] + ']'; }},
        {"SHARED_2D", 4,
         [](const Operands& o) {
             return "__shared__ " + o[0] + ' ' + o[1] + '[' + o[2] + "][" + o[3] + ']';
         }},
        {"DYNAMIC_SHARED", 2,
         [](const Operands& o) { return "extern __shared__ " + o[0] + ' ' + o[1] + "[]"; }},
        {"SHARED_PART", 4,
         [](const Operands& o) {
             return o[0] + "* " + o[1] + " = " + o[2] + (o[3] == "0" ? "" : " + " + o[3]);
         }},
    }};
    return all;
}

/// Where the parenthesis that is open before `at` closes.
std::size_t closingOf(std::string_view text, std::size_t at) {
    for (int depth = 0; at < text.size(); ++at) {
        if (text[at] == '(') ++depth;
        if (text[at] == ')' && depth-- == 0) return at;
    }
    return text.size();
}

Operands operandsIn(std::string_view inside, std::size_t count) {
    Operands operands;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < inside.size() && operands.size() + 1 < count; ++at) {
        if (inside[at] == '(') ++depth;
        if (inside[at] == ')') --depth;
        if (inside[at] != ',' || depth != 0) continue;
        operands.push_back(trimmed(inside.substr(begin, at - begin)));
        begin = at + 1;
    }
    operands.push_back(trimmed(inside.substr(begin)));
    operands.resize(count);
    return operands;
}

bool isPartOfName(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

std::string translated(std::string text) {
    constexpr std::string_view kernel = "KERNEL ";
    if (text.starts_with(kernel)) text.replace(0, kernel.size(), "__global__ void ");
    for (const Word& word : words()) {
        const std::string call = std::string(word.name) + '(';
        for (std::size_t at = text.find(call); at != std::string::npos;
             at = text.find(call, at + 1)) {
            if (at > 0 && isPartOfName(text[at - 1])) continue;
            const std::size_t inside = at + call.size();
            const std::size_t end = closingOf(text, inside);
            if (end == text.size()) continue;
            const std::string becomes = word.becomes(
                operandsIn(std::string_view(text).substr(inside, end - inside), word.operands));
            text.replace(at, end + 1 - at, becomes);
        }
    }
    return text;
}

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace

std::vector<CudaLine> cudaText(const Kernel& kernel) {
    const std::vector<std::string_view> lines = linesOf(bodyText(kernel));
    const std::string head = "KERNEL " + std::string(kernel.name) + '(';
    const auto found =
        std::ranges::find_if(lines, [&](std::string_view line) { return line.starts_with(head); });
    auto first = found;
    while (first != lines.begin() &&
           ((first - 1)->starts_with("//") || (first - 1)->starts_with("template"))) {
        --first;
    }
    std::vector<CudaLine> result;
    for (auto line = first; line != lines.end(); ++line) {
        std::string text = translated(std::string(*line));
        const bool vanished = trimmed(*line) != trimmed(text) && trimmed(text) == ";";
        if (!vanished) {
            result.push_back({static_cast<std::uint32_t>(line - lines.begin()) + 1, text});
        }
        if (line >= found && *line == "}") break;
    }
    return result;
}

}  // namespace warplens
