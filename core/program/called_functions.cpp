#include "core/program/called_functions.h"

#include <algorithm>
#include <array>
#include <regex>
#include <set>

#include "core/program/remedy_edits.h"

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

using source::TextSpan;

namespace {

std::uint32_t rowAt(std::string_view text, std::size_t at) {
    return 1 + static_cast<std::uint32_t>(std::ranges::count(text.substr(0, at), '\n'));
}

}  // namespace

CallingLines callingLines(const ProgramLine& line, const LaunchReport& launch,
                          const ProgramSources& sources) {
    const std::string_view file = textOf(sources, line.place.file);
    if (kernelAt(sources.units, line.place) || kernelAt(sources.headers, line.place)) return {};
    const source::SourceEdit text(file);
    const TextSpan row = text.line(line.place.line);
    const std::size_t at = row.begin + std::max(1u, line.place.column) - 1;
    const std::vector<source::FunctionText> functions = source::functionsIn(text);
    const auto function = std::ranges::find_if(functions, [&](const auto& each) {
        return each.body.holds(at) || (row.begin <= each.body.begin && each.body.end <= row.end);
    });
    const auto kernel = launchedKernel(launch, sources);
    if (function == functions.end() || !kernel) return {};
    CallingLines calls{.file = kernel->file(), .code = kernel->copyOf(kernel->body)};
    std::vector<bool> isOfThread(function->parameters.size(), true);
    std::vector<std::vector<std::string>> arguments(isOfThread.size());
    for (const auto& call : kernel->bracketsOf(function->name, '(', kernel->body)) {
        if (call.parts.size() != isOfThread.size()) continue;  // another one of that name
        const std::uint32_t number = rowAt(kernel->textOf({0, call.whole.begin}), source::nowhere);
        if (calls.lines.empty() || calls.lines.back() != number) calls.lines.push_back(number);
        for (std::size_t part = 0; part < call.parts.size(); ++part) {
            const IndexDerivation made(kernel->textOf(call.parts[part]), calls.code, "x");
            arguments[part].push_back(kernel->copyOf(call.parts[part]));
            isOfThread[part] = isOfThread[part] && !made.isAnyThreads();
        }
    }
    for (std::size_t part = 0; !calls.lines.empty() && part < isOfThread.size(); ++part) {
        const auto words = text.tokensIn(function->parameters[part]);
        if (!isOfThread[part] || words.empty()) continue;
        calls.ofThread.emplace_back(words.back().text);
        calls.arguments.push_back(std::move(arguments[part]));
    }
    return calls;
}

std::string factorOfParameter(std::string_view index, const CallingLines& calls) {
    const std::vector<CudaToken> tokens = cudaTokens(index);
    std::vector<std::string> factors;
    const auto isName = [&](std::size_t at) {
        return at < tokens.size() && tokens[at].kind == CudaTokenKind::identifier;
    };
    for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
        if (!tokens[at].is("*") || !isName(at - 1)) continue;
        for (const std::size_t side : {at - 1, at + 1}) {
            const std::size_t other = 2 * at - side;
            if (!isName(side) ||
                std::ranges::find(calls.ofThread, tokens[side].text) == calls.ofThread.end())
                continue;
            // Not a part of a longer product, or of a member.
            const auto goesOn = [&](std::size_t next) {
                return next < tokens.size() &&
                       (tokens[next].is("*") || tokens[next].is("/") || tokens[next].is("%") ||
                        tokens[next].is(".") || tokens[next].is("->") || tokens[next].is("("));
            };
            const bool isPlain = !goesOn(at + 2) && (at < 2 || !goesOn(at - 2));
            if (!isPlain || !(isName(other) || tokens[other].kind == CudaTokenKind::number))
                return {};
            factors.emplace_back(tokens[other].text);
        }
    }
    return factors.size() == 1 ? factors.front() : std::string();
}

std::string factorInArguments(std::string_view index, std::int64_t number,
                              const std::vector<NamedNumber>& names, const CallingLines& calls) {
    std::set<std::string> factors;
    for (std::size_t at = 0; at < calls.ofThread.size(); ++at) {
        if (source::findWord(index, calls.ofThread[at]) == source::nowhere) continue;
        for (const std::string& argument : calls.arguments[at]) {
            const IndexDerivation made(argument, calls.code, "x");
            std::string factor;
            for (const std::string_view text : made.texts())
                if (factor.empty()) factor = factorIn(text, number, names, made);
            factors.insert(factor);
        }
    }
    return factors.size() == 1 ? *factors.begin() : std::string();
}

}  // namespace warplens
