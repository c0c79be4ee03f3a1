#include "core/program/called_functions.h"

#include <algorithm>
#include <array>
#include <set>

namespace warplens::source {

std::vector<FunctionText> functionsIn(const SourceEdit& text) {
    constexpr std::array<std::string_view, 5> rule{"if", "for", "while", "switch", "catch"};
    std::vector<FunctionText> all;
    const std::vector<CudaToken>& tokens = text.tokens();
    for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
        if (tokens[at].kind != CudaTokenKind::identifier || !tokens[at + 1].is("(") ||
            std::ranges::find(rule, tokens[at].text) != rule.end())
            continue;
        const std::size_t end = closing(text.masked(), tokens[at + 1].begin);
        auto behind = std::ranges::lower_bound(tokens, end, {}, &CudaToken::begin);
        while (behind != tokens.end() && (behind->is("const") || behind->is("noexcept"))) ++behind;
        if (behind == tokens.end() || !behind->is("{")) continue;
        const std::size_t close = closing(text.masked(), behind->begin);
        if (close == nowhere) continue;
        all.push_back({text.textOf({tokens[at].begin, tokens[at].end}),
                       text.argumentsAt(tokens[at + 1].begin),
                       {behind->end, close - 1}});
    }
    return all;
}

std::string withCalled(std::string_view code, const ProgramSources& sources) {
    std::string all(code);
    std::set<std::string, std::less<>> known;
    std::vector<std::string> names;
    const auto addCalls = [&](std::string_view of) {
        const std::vector<CudaToken> tokens = cudaTokens(of);
        for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
            if (tokens[at].kind == CudaTokenKind::identifier && tokens[at + 1].is("(") &&
                known.emplace(tokens[at].text).second)
                names.emplace_back(tokens[at].text);
        }
    };
    addCalls(code);
    if (names.empty()) return all;
    std::vector<SourceEdit> texts;
    for (const auto* files : {&sources.units, &sources.headers}) {
        for (const ProgramFile& file : *files) texts.emplace_back(file.text);
    }
    for (std::size_t at = 0; at < names.size(); ++at) {
        for (const SourceEdit& text : texts) {
            for (const FunctionText& function : functionsIn(text)) {
                if (function.name != names[at]) continue;
                all += " ; " + text.copyOf(function.body);
                addCalls(text.textOf(function.body));
            }
        }
    }
    return all;
}

}  // namespace warplens::source
