#include "core/program/named_numbers.h"

#include <algorithm>
#include <charconv>

#include "core/program/remedy_edits.h"
#include "core/program/source_edit.h"

namespace warplens {
namespace {

/// `#define N 512`, `const int N = 512;`
void addConstants(std::string_view text, std::vector<NamedNumber>& to) {
    const std::vector<CudaToken> tokens = cudaTokens(text);
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        const CudaToken& token = tokens[at];
        std::string_view name;
        std::string_view number;
        if (token.kind == CudaTokenKind::directive && directiveName(token) == "define") {
            const std::vector<CudaToken> words = directiveTokens(token);
            if (words.size() == 3) name = words[1].text, number = words[2].text;
        } else if (at >= 4 && tokens[at - 1].is("=") && at + 1 < tokens.size() &&
                   (tokens[at + 1].is(";") || tokens[at + 1].is(",")) &&
                   (tokens[at - 4].is("const") || tokens[at - 4].is("constexpr"))) {
            name = tokens[at - 2].text, number = token.text;
        }
        if (const auto value = source::wholeNumber(number)) to.emplace_back(name, *value);
    }
}

}  // namespace

std::vector<NamedNumber> namedNumbers(const LaunchReport& launch, const ProgramSources& sources) {
    std::vector<NamedNumber> names;
    for (const auto& [name, value] : launch.arguments.entries()) names.emplace_back(name, value);
    for (const auto* files : {&sources.units, &sources.headers}) {
        for (const ProgramFile& file : *files) addConstants(file.text, names);
    }
    for (const std::string& define : sources.defines) {
        const std::string name = define.substr(0, define.find('='));
        const auto value = source::wholeNumber(
            std::string_view(define).substr(std::min(name.size() + 1, define.size())));
        std::erase_if(names, [&](const NamedNumber& other) { return other.first == name; });
        if (value) names.emplace_back(name, *value);
    }
    const Extents block = launch.launch.block;
    const Extents grid = launch.launch.grid;
    names.insert(names.end(), {{"blockDim.x", block.x},
                               {"blockDim.y", block.y},
                               {"blockDim.z", block.z},
                               {"gridDim.x", grid.x},
                               {"gridDim.y", grid.y}});
    return names;
}

void addTemplateArguments(const source::KernelSource& kernel, std::string_view instance,
                          std::vector<NamedNumber>& to) {
    const std::string declared = kernel.templateParameters.value_or("");
    const std::size_t open = instance.find('<');
    if (open == instance.npos) return;
    const source::SourceEdit names(declared);
    const source::SourceEdit values(instance);
    const auto parameters = names.partsOf({0, declared.size()}, ',');
    const auto arguments = values.partsOf({open + 1, instance.size() - 1}, ',');
    for (std::size_t at = 0; at < std::min(parameters.size(), arguments.size()); ++at) {
        // The last word of each.
        const auto words = names.tokensIn(parameters[at]);
        const auto last = values.tokensIn(arguments[at]);
        const auto value = last.empty() ? std::nullopt : source::wholeNumber(last.back().text);
        if (value && !words.empty()) to.emplace_back(words.back().text, *value);
    }
}

}  // namespace warplens
