#include "core/program/index_derivation.h"

#include <algorithm>

#include "core/program/remedy_edits.h"
#include "core/program/source_edit.h"

namespace warplens {

IndexDerivation::IndexDerivation(std::string_view index, std::string_view code,
                                 std::string_view axis)
    : axis_(axis), texts_{index} {
    struct Assignment final {
        std::string_view name;
        std::string_view text;
    };
    std::vector<Assignment> values;
    const std::vector<CudaToken> tokens = cudaTokens(code);
    for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
        // `i += n`, but not `a[i] = n`
        const bool isUpdate = tokens[at - 1].kind == CudaTokenKind::punctuation &&
                              !tokens[at - 1].is("]") && !tokens[at - 1].is(")");
        const std::size_t name = at - (isUpdate && at > 1 ? 2 : 1);
        if (!tokens[at].is("=") || tokens[name].kind != CudaTokenKind::identifier) continue;
        std::size_t end = at + 1;
        for (int depth = 0; end < tokens.size() && !tokens[end].is(";"); ++end) {
            depth += tokens[end].is("(") || tokens[end].is("[") ? 1 : 0;
            depth -= tokens[end].is(")") || tokens[end].is("]") ? 1 : 0;
            if (depth < 0 || (depth == 0 && tokens[end].is(","))) break;
        }
        const std::size_t begin = tokens[at].end;
        values.push_back({tokens[name].text, code.substr(begin, tokens[end - 1].end - begin)});
    }
    for (std::size_t known = 0; known != texts_.size() + ofThread_.size();) {
        known = texts_.size() + ofThread_.size();
        for (const Assignment& value : values) {
            if (isOfThread(cudaTokens(value.text))) ofThread_.insert(value.name);
            const bool isMeant = std::ranges::any_of(texts_, [&](std::string_view text) {
                // Not the x of threadIdx.x.
                const std::vector<CudaToken> words = cudaTokens(text);
                for (std::size_t word = 0; word < words.size(); ++word) {
                    const bool isMember =
                        word != 0 && (words[word - 1].is(".") || words[word - 1].is("->"));
                    if (words[word].is(value.name) && !isMember) return true;
                }
                return false;
            });
            if (isMeant && std::ranges::find(texts_, value.text) == texts_.end())
                texts_.push_back(value.text);
        }
    }
    isAnyThreads_ = std::ranges::none_of(
        texts_, [&](std::string_view text) { return isOfThread(cudaTokens(text)); });
}

bool IndexDerivation::isTimesThread(const std::vector<CudaToken>& tokens, std::size_t begin,
                                    std::size_t end) const {
    const auto isInProduct = [](const CudaToken& token) {
        return token.kind == CudaTokenKind::identifier || token.kind == CudaTokenKind::number ||
               token.is(".") || token.is("*") || token.is("/") || token.is("::");
    };
    if (isAnyThreads_) return true;
    for (;; --begin, ++end) {
        int depth = 0;
        for (; begin > 0; --begin) {
            const CudaToken& token = tokens[begin - 1];
            const bool opens = token.is("(") || token.is("[");
            depth += token.is(")") || token.is("]") ? 1 : opens ? -1 : 0;
            if (depth < 0 || (depth == 0 && !opens && !isInProduct(token))) break;
        }
        depth = 0;
        for (; end < tokens.size(); ++end) {
            const bool closes = tokens[end].is(")") || tokens[end].is("]");
            depth += tokens[end].is("(") || tokens[end].is("[") ? 1 : closes ? -1 : 0;
            if (depth < 0 || (depth == 0 && !closes && !isInProduct(tokens[end]))) break;
        }
        if (isOfThread({tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                        tokens.begin() + static_cast<std::ptrdiff_t>(end)}))
            return true;
        if (begin == 0 || end == tokens.size() || !tokens[begin - 1].is("(") ||
            !tokens[end].is(")"))
            return false;
    }
}

bool IndexDerivation::isOfThread(const std::vector<CudaToken>& tokens) const {
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        if (ofThread_.contains(tokens[at].text)) return true;
        if (tokens[at].is("threadIdx") &&
            (axis_.empty() || (at + 2 < tokens.size() && tokens[at + 2].is(axis_))))
            return true;
    }
    return false;
}

std::string factorIn(std::string_view code, std::int64_t number,
                     const std::vector<NamedNumber>& names, const IndexDerivation& index) {
    const std::vector<CudaToken> tokens = cudaTokens(code);
    const auto is = [&](std::size_t at, std::string_view word) {
        return at < tokens.size() && tokens[at].is(word);
    };
    auto name = names.end();  // the likeliest of them
    std::string digits;
    std::string chain;
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        std::int64_t product = 1;
        bool divides = false;
        for (std::size_t end = at; end < tokens.size(); ++end) {
            const std::size_t first = end;
            if (end + 2 < tokens.size() && is(end + 1, ".")) end += 2;
            const auto text = [&](std::size_t from) {
                return code.substr(tokens[from].begin, tokens[end].end - tokens[from].begin);
            };
            std::size_t before = at;
            std::size_t behind = end + 1;
            while (before > 0 && is(before - 1, "(")) --before;
            while (is(behind, ")")) ++behind;
            // Not in `n *= 2`.
            const bool isFactor = ((before > 0 && is(before - 1, "*")) ||
                                   (is(behind, "*") && !is(behind + 1, "="))) &&
                                  index.isTimesThread(tokens, at, end + 1);
            if (first == at && isFactor)
                name = std::min(name, std::ranges::find(names, NamedNumber(text(at), number)));
            const auto named = std::ranges::find(names, text(first), &NamedNumber::first);
            const std::int64_t value =
                named != names.end() ? named->second : source::wholeNumber(text(first)).value_or(0);
            constexpr std::int64_t most = std::int64_t{1} << 31;
            if (value < 1 || (divides ? product % value != 0 : value > most / product)) break;
            product = divides ? product / value : product * value;
            std::string& found = first == at ? digits : chain;
            if (product == number && isFactor && found.empty()) found = text(at);
            divides = is(++end, "/");
            if (!divides && !is(end, "*")) break;
        }
    }
    return name != names.end() ? name->first : !digits.empty() ? digits : chain;
}

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
