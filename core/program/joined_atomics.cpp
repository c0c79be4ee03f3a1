#include "core/program/joined_atomics.h"

#include <algorithm>
#include <cctype>
#include <regex>
#include <span>

#include "core/program/index_derivation.h"
#include "core/program/remedy_edits.h"

namespace warplens {

std::string joinedInWords() {
    return "of integers the assembler lets one lane do it for its warp";
}

bool isOneAddress(const ProgramLine& line, const ProgramSources& sources) {
    static const std::regex form(R"(\batomic\w*\s*\()");
    const LineText around = lineText(sources, line.place);
    const std::string statement(around.statement);
    std::smatch found;
    if (!around.kernel || !std::regex_search(statement, found, form)) return false;
    const source::SourceEdit text(statement);
    const auto open = static_cast<std::size_t>(found.position() + found.length() - 1);
    const auto arguments = text.argumentsAt(open);
    if (arguments.empty()) return false;
    const bool isWide = line.address && line.address->elementBytes == sizeof(std::uint64_t);
    if (isWide && (arguments.size() < 2 ||
                   !std::isdigit(static_cast<unsigned char>(text.textOf(arguments[1]).front()))))
        return false;
    const std::string target = text.copyOf(arguments.front());
    const IndexDerivation made(target, around.code, "");
    return made.isAnyThreads() && std::ranges::count(target, '[') < 2 &&
           std::ranges::none_of(std::span(made.texts()).subspan(1),
                                [](std::string_view each) { return each.find('[') != each.npos; });
}

void tellJoined(BlockSteps& steps, const LaunchReport& launch) {
    std::vector<const ProgramLine*> joined;
    for (const ProgramLine& line : launch.lines)
        if (line.isJoined && line.source == Source::predicted) joined.push_back(&line);
    if (joined.empty()) return;
    for (WarpSteps& warp : steps.warps) {
        for (BlockStep& step : warp.steps) {
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
