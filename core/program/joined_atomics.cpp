#include "core/program/joined_atomics.h"

#include <algorithm>
#include <array>
#include <optional>
#include <regex>
#include <span>

#include "core/launch/mapping.h"
#include "core/program/called_functions.h"
#include "core/program/index_derivation.h"
#include "core/program/remedy_edits.h"

namespace warplens {

std::string joinedInWords(AccessKind kind) {
    return isShared(kind) ? "the machine code does those of one address at once"
                          : "of integers the assembler lets one lane do it for its warp";
}

bool isOneValue(std::string_view text, std::string_view code) {
    static const std::regex ofLanes(R"(\batomic|\basm\b|ballot|activemask|clock|\[[^\]]*\[)");
    const IndexDerivation made(text, code, "");
    const auto texts = std::span(made.texts());
    return made.isAnyThreads() &&
           std::ranges::none_of(texts,
                                [](std::string_view each) {
                                    return std::regex_search(each.begin(), each.end(), ofLanes);
                                }) &&
           std::ranges::none_of(texts.subspan(1),
                                [](std::string_view each) { return each.find('[') != each.npos; });
}

namespace {

/// The same of what stands in a function: of what it is given, too, in the kernel's calls of it.
bool isOneValueInCalls(std::string_view text, const source::FunctionText& function,
                       const source::SourceEdit& file, const KernelText& kernel) {
    const std::string_view body = file.textOf(function.body);
    if (!isOneValue(text, body)) return false;
    const std::string_view code = kernel.textOf(kernel.body);
    const IndexDerivation made(text, body, "");
    const std::vector<source::NamedBrackets> calls =
        kernel.bracketsOf(function.name, '(', kernel.body);
    return !calls.empty() && std::ranges::all_of(calls, [&](const source::NamedBrackets& call) {
        // `queue.push(i)`, where push has members of the queue's
        std::size_t object = call.whole.begin;
        const std::string& masked = kernel.masked();
        while (object > 0 && (source::isNameCharacter(masked[object - 1]) ||
                              masked[object - 1] == '.' || masked[object - 1] == '>' ||
                              masked[object - 1] == '-' || masked[object - 1] == ']'))
            --object;
        const std::string_view of = kernel.textOf({object, call.whole.begin});
        if (of.find_first_of("]>") != of.npos || !isOneValue(of, code)) return false;
        for (std::size_t at = 0; at < function.parameters.size(); ++at) {
            std::string_view name = file.textOf(function.parameters[at]);
            name.remove_prefix(std::min(name.size(), name.find_last_of(" *&") + 1));
            const bool isMeant = std::ranges::any_of(made.texts(), [&](std::string_view each) {
                return source::findWord(each, name) != source::nowhere;
            });
            if (isMeant &&
                (at >= call.parts.size() || !isOneValue(kernel.textOf(call.parts[at]), code)))
                return false;
        }
        return true;
    });
}

/// Whether what a call at `at` returns goes anywhere.
bool isUsed(const source::SourceEdit& text, std::size_t at) {
    std::vector<CudaToken> before = text.tokensIn({0, at});
    while (!before.empty() && before.back().is("::")) before.pop_back();
    if (!before.empty() && before.back().is(")")) {  // `if (...) atomicAdd`
        int depth = 0;
        do {
            depth += before.back().is(")") ? 1 : before.back().is("(") ? -1 : 0;
            before.pop_back();
        } while (depth != 0 && !before.empty());
        return before.empty() ||
               (!before.back().is("if") && !before.back().is("for") && !before.back().is("while"));
    }
    constexpr std::array<std::string_view, 6> begins{";", "{", "}", ":", "else", "do"};
    return !before.empty() && std::ranges::none_of(begins, [&](std::string_view each) {
        return before.back().is(each);
    });
}

}  // namespace

bool isJoinedByAssembler(const ProgramLine& line, const LaunchReport& launch,
                         const ProgramSources& sources) {
    static const std::regex form(R"(\batomic(\w*?)\s*\()");
    const source::SourceEdit file(textOf(sources, line.place.file));
    const source::TextSpan span = file.line(line.place.line);
    const std::string statement = file.masked().substr(span.begin, span.size());
    std::smatch found;
    if (!std::regex_search(statement, found, form)) return false;
    const std::size_t at = span.begin + static_cast<std::size_t>(found.position());
    const auto arguments = file.argumentsAt(at + static_cast<std::size_t>(found.length()) - 1);
    if (arguments.size() < 2) return false;
    const auto isOne = [&](source::TextSpan argument) {
        const std::string_view text = file.textOf(argument);
        const LineText around = lineText(sources, line.place);
        if (around.kernel) return isOneValue(text, around.code);
        const std::optional<KernelText> kernel = launchedKernel(launch, sources);
        const auto all = source::functionsIn(file);
        const auto function = std::ranges::find_if(
            all, [&](const source::FunctionText& each) { return each.body.holds(at); });
        return kernel && function != all.end() && isOneValueInCalls(text, *function, file, *kernel);
    };
    if (!isOne(arguments[0])) return false;
    const bool isWide = line.address && line.address->elementBytes == sizeof(std::uint64_t);
    const bool isUsedThere = isUsed(file, at);
    if ((!isWide && !isUsedThere) || isOne(arguments[1]))
        return !isUsedThere || found.str(1).starts_with("Add") || found.str(1).starts_with("Sub");
    // Each gets the sum of those before it only where the warp is whole.
    return !isWide && found.str(1).starts_with("Add") &&
           line.activeLanes == line.requests * lanesPerWarp;
}

void tellJoined(BlockSteps& steps, const LaunchReport& launch) {
    std::vector<const ProgramLine*> joined;
    std::vector<const ProgramLine*> oneWay;
    for (const ProgramLine& line : launch.lines) {
        if (line.source != Source::predicted) continue;
        if (line.isJoined) joined.push_back(&line);
        if (line.isGuard || line.hasNoElse) oneWay.push_back(&line);
    }
    if (joined.empty() && oneWay.empty()) return;
    for (WarpSteps& warp : steps.warps) {
        for (BlockStep& step : warp.steps) {
            if (step.kind == AccessKind::branch) {
                for (const ProgramLine* line : oneWay) {
                    if (line->place != steps.places[step.place]) continue;
                    step.isOneWay = true;
                    step.isGuard |= line->isGuard;
                }
            }
            if (!isAtomic(step.kind)) continue;
            const std::string& array = isShared(step.kind) ? steps.shared[step.subject].name
                                                           : steps.arrays[step.subject].name;
            step.isJoined = std::ranges::any_of(joined, [&](const ProgramLine* line) {
                return line->kind == step.kind && line->array == array &&
                       line->place == steps.places[step.place];
            });
        }
    }
}

}  // namespace warplens
