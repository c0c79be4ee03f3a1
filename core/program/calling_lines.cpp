#include "core/program/calling_lines.h"

#include <algorithm>
#include <set>

#include "core/program/called_functions.h"
#include "core/program/index_derivation.h"
#include "core/program/remedy_edits.h"

namespace warplens {

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
