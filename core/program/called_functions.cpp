#include "core/program/called_functions.h"

#include <algorithm>
#include <array>
#include <regex>
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

namespace warplens {
namespace {

/// What a name followed by brackets stands for: of `#define NAME(a, b) text`, of a function, of
/// `auto NAME = [=](int a, int b) { text };`.
std::vector<std::string_view> meaningsOf(std::string_view name, const source::SourceEdit& text,
                                         std::string_view file) {
    std::vector<std::string_view> all;
    for (const CudaToken& token : text.tokens()) {
        if (token.kind != CudaTokenKind::directive || directiveName(token) != "define") continue;
        const std::vector<CudaToken> words = directiveTokens(token);
        if (words.size() > 3 && words[1].is(name) && words[2].is("(") &&
            words[2].text.data() == words[1].text.data() + name.size())
            all.push_back(token.text.substr(
                static_cast<std::size_t>(words[2].text.data() - token.text.data())));
    }
    for (const source::FunctionText& function : source::functionsIn(text)) {
        if (function.name == name) all.push_back(text.textOf(function.body));
    }
    const std::vector<CudaToken>& tokens = text.tokens();
    for (std::size_t at = 0; at + 2 < tokens.size(); ++at) {
        if (!tokens[at].is(name) || !tokens[at + 1].is("=") || !tokens[at + 2].is("[")) continue;
        const std::size_t open = text.masked().find('{', tokens[at + 2].end);
        const std::size_t close =
            open == source::nowhere ? open : source::closing(text.masked(), open);
        if (close != source::nowhere) all.push_back(file.substr(open, close - open));
    }
    return all;
}

}  // namespace

CalledInStatement calledIn(std::string_view statement) {
    // As the CUDA Programming Guide has it.
    static const std::regex reduces("(?:sin|cos|tan|sincos)(f?)");
    static const std::regex rule("if|for|while|switch|return|sizeof|int|float|double|unsigned");
    std::set<std::string, std::less<>> all;
    const std::vector<CudaToken> tokens = cudaTokens(statement);
    for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
        const std::string name(tokens[at].text);
        if (tokens[at].kind != CudaTokenKind::identifier || !tokens[at + 1].is("(") ||
            std::regex_match(name, rule))
            continue;
        std::smatch parts;
        if (std::regex_match(name, parts, reduces))
            return {'`' + name + '`',
                    parts.length(1) != 0 ? "105,615" : "105,615, in double 2,147,483,648"};
        all.insert(name);
    }
    return {all.size() == 1 ? '`' + *all.begin() + '`' : "what is called there", ""};
}

std::string factorInCalled(const std::vector<std::string_view>& texts, std::int64_t number,
                           const std::vector<NamedNumber>& names, const ProgramSources& sources) {
    for (const std::string_view from : texts) {
        const std::vector<CudaToken> tokens = cudaTokens(from);
        for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
            if (tokens[at].kind != CudaTokenKind::identifier || !tokens[at + 1].is("(")) continue;
            for (const auto* files : {&sources.units, &sources.headers}) {
                for (const ProgramFile& file : *files) {
                    const source::SourceEdit text(file.text);
                    for (const std::string_view meaning :
                         meaningsOf(tokens[at].text, text, file.text)) {
                        const std::string factor =
                            factorIn(meaning, number, names, IndexDerivation(meaning, meaning, ""));
                        if (!factor.empty()) return factor + ", in " + std::string(tokens[at].text);
                    }
                }
            }
        }
    }
    return {};
}

}  // namespace warplens
