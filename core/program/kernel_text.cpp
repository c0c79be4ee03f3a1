#include <algorithm>
#include <regex>

#include "core/program/called_functions.h"
#include "core/program/remedy_edits.h"

namespace warplens {

using source::NamedBrackets;
using source::SourceEdit;
using source::TextSpan;

std::size_t KernelText::beginOf(std::uint32_t number) const {
    return source::skipBlanks(masked(), std::max(line(number).begin, body.begin));
}

std::string KernelText::elementOf(std::string_view parameter, bool isOnlyRead) const {
    const auto found =
        std::ranges::find(kernel.parameters, parameter, &source::KernelParameter::name);
    if (found == kernel.parameters.end() ||
        (isOnlyRead && found->type.find("const") == source::nowhere))
        return {};
    const std::string type = source::unqualified(found->type);
    return type.ends_with('*') ? type.substr(0, type.find_last_not_of(" *") + 1) : std::string();
}

std::optional<NamedBrackets> KernelText::sharedNamed(std::string_view name) const {
    for (const CudaToken& token : tokensIn(body)) {
        if (!token.is("__shared__")) continue;
        const TextSpan statement = statementAt(token.begin);
        const std::size_t at = source::findWord(masked(), name, statement.begin);
        if (at >= statement.end) continue;
        const std::vector<NamedBrackets> array = bracketsOf(name, '[', {at, statement.end});
        return array.empty() ? NamedBrackets{{at, at + name.size()}, {}} : array.front();
    }
    return std::nullopt;
}

std::optional<KernelText> kernelAt(const std::vector<ProgramFile>& files,
                                   const SourcePlace& place) {
    const auto file = std::ranges::find(files, place.file, &ProgramFile::path);
    if (file == files.end() || place.line == 0) return std::nullopt;
    SourceEdit text(file->text, file->path);
    const TextSpan line = text.line(place.line);
    for (source::KernelSource& kernel : source::kernelsIn(text.masked())) {
        const TextSpan body{kernel.bodyBegin, kernel.bodyEnd};
        if (body.begin <= line.end && line.begin < body.end)
            return KernelText{std::move(text), std::move(kernel), body};
    }
    return std::nullopt;
}

std::optional<KernelText> launchedKernel(const LaunchReport& launch,
                                         const ProgramSources& sources) {
    const std::string name = launch.kernel.substr(0, launch.kernel.find('<'));
    for (const ProgramLine& line : launch.lines) {
        for (const auto* files : {&sources.units, &sources.headers}) {
            auto kernel = kernelAt(*files, line.place);
            if (kernel && kernel->kernel.name == name) return kernel;
        }
    }
    for (const auto* files : {&sources.units, &sources.headers}) {
        for (const ProgramFile& file : *files) {
            SourceEdit text(file.text, file.path);
            for (source::KernelSource& kernel : source::kernelsIn(text.masked())) {
                const TextSpan body{kernel.bodyBegin, kernel.bodyEnd};
                if (kernel.name == name)
                    return KernelText{std::move(text), std::move(kernel), body};
            }
        }
    }
    return std::nullopt;
}

LineText lineText(const ProgramSources& sources, const SourcePlace& place) {
    const std::string_view text = textOf(sources, place.file);
    LineText found{lineOf(text, place.line), text, kernelAt(sources.units, place)};
    if (!found.kernel) found.kernel = kernelAt(sources.headers, place);
    if (found.kernel) found.code = found.kernel->textOf(found.kernel->body);
    return found;
}

namespace {

std::vector<TextSpan> dimensionsOf(const SourceEdit& text, TextSpan argument, std::size_t at) {
    const TextSpan span = text.valueOf(text.textOf(argument), at).value_or(argument);
    static const std::regex dim(R"((?:dim3\s*)?[({][^]*)");
    const std::size_t open = text.masked().find_first_of("({", span.begin);
    if (open >= span.end || source::closing(text.masked(), open) != span.end ||
        !std::regex_match(text.copyOf(span), dim))
        return {span};
    std::vector<TextSpan> all = text.argumentsAt(open);
    return all.empty() ? std::vector<TextSpan>{span} : all;
}

}  // namespace

std::vector<LaunchSite> launchSites(const SourceEdit& text, std::string_view kernel) {
    std::vector<LaunchSite> sites;
    const std::vector<CudaToken>& tokens = text.tokens();
    for (std::size_t at = 1; at < tokens.size(); ++at) {
        if (!tokens[at].is("<<<")) continue;
        std::size_t name = at - 1;
        if (tokens[name].is(">")) {
            while (name > 0 && !tokens[name].is("<")) --name;
            if (name > 0) --name;
        }
        const std::size_t end = text.masked().find(">>>", tokens[at].end);
        if (end == source::nowhere || (!kernel.empty() && !tokens[name].is(kernel))) continue;
        const std::vector<TextSpan> numbers = text.partsOf({tokens[at].end, end}, ',');
        if (numbers.size() < 2) continue;
        const std::size_t begin = tokens[name].begin;
        sites.push_back({begin, numbers, dimensionsOf(text, numbers[0], begin),
                         dimensionsOf(text, numbers[1], begin),
                         text.argumentsAt(source::skipBlanks(text.masked(), end + 3))});
    }
    return sites;
}

TextSpan behindNames(const SourceEdit& text, TextSpan name, std::size_t at) {
    for (int names = 0; names < 4; ++names)
        name = text.valueOf(text.textOf(name), at).value_or(name);
    return name;
}

std::optional<std::int64_t> sizeOf(const SourceEdit& text, TextSpan written,
                                   const std::vector<NamedNumber>& names) {
    std::int64_t sum = 0;
    for (const TextSpan part : text.partsOf(written, '+')) {
        const std::string term = text.copyOf(part);
        const auto named = std::ranges::find(names, term, &NamedNumber::first);
        const auto number = source::wholeNumber(term);
        if (!number && named == names.end()) return std::nullopt;
        sum += number ? *number : named->second;
    }
    return sum > 0 ? std::optional(sum) : std::nullopt;
}

std::string exchangedAxes(std::string_view code, std::span<const std::string_view> of,
                          std::string_view other) {
    SourceEdit edit(code);
    const std::vector<CudaToken>& tokens = edit.tokens();
    for (std::size_t at = 2; at < tokens.size(); ++at) {
        const CudaToken& axis = tokens[at];
        const bool isMeant = of.empty() || std::ranges::find(of, tokens[at - 2].text) != of.end();
        if (isMeant && tokens[at - 1].is(".") && (axis.is("x") || axis.is(other)))
            edit.replace({axis.begin, axis.end}, std::string(axis.is("x") ? other : "x"));
    }
    return edit.result();
}

namespace {

/// `int first = 4 * i;` with its line, where the token is its name and nothing is called; else
/// empty.
TextSpan declarationOf(const SourceEdit& text, const CudaToken& name) {
    const std::string& code = text.masked();
    if (code[source::skipBlanks(code, name.end)] != '=') return {};
    TextSpan whole = text.ruledAt(name.begin);
    const std::vector<CudaToken> tokens = text.tokensIn(whole);
    std::size_t at = 0;
    while (at < tokens.size() && tokens[at].kind == CudaTokenKind::identifier &&
           tokens[at].begin < name.begin)
        ++at;
    if (at == 0 || at >= tokens.size() || tokens[at].begin != name.begin ||
        tokens[0].is("return") || text.partsOf(whole, ',').size() != 1)
        return {};
    for (at += 2; at < tokens.size(); ++at) {
        const bool isCall = tokens[at].is("(") && tokens[at - 1].kind == CudaTokenKind::identifier;
        if (isCall || tokens[at].is("=") || tokens[at].is("++") || tokens[at].is("--")) return {};
    }
    const std::size_t row = code.rfind('\n', whole.begin) + 1;
    const std::size_t end = code.find('\n', whole.end);
    if (source::skipBlanks(code, row) == whole.begin && end != source::nowhere &&
        source::skipBlanks(code, whole.end) > end)
        whole = {row, end + 1};
    return whole;
}

/// What an edit makes, without the local variables that it leaves no use of: nvcc warns of those.
std::string withoutUnused(const SourceEdit& edit) {
    std::string text = edit.result();
    const auto known = source::functionsIn(edit);
    const auto usesOf = [](const SourceEdit& of, TextSpan body, std::string_view name) {
        return std::ranges::count_if(of.tokensIn(body),
                                     [&](const CudaToken& each) { return each.is(name); });
    };
    const auto unused = [&](const SourceEdit& now) -> TextSpan {
        const auto functions = source::functionsIn(now);
        for (std::size_t at = 0; at < functions.size() && functions.size() == known.size(); ++at) {
            for (const CudaToken& token : now.tokensIn(functions[at].body)) {
                if (token.kind != CudaTokenKind::identifier) continue;
                const TextSpan declared = declarationOf(now, token);
                if (declared.size() != 0 && usesOf(now, functions[at].body, token.text) == 1 &&
                    usesOf(edit, known[at].body, token.text) > 1)
                    return declared;
            }
        }
        return {};
    };
    for (;;) {
        const TextSpan span = unused(SourceEdit(text));
        if (span.size() == 0) return text;
        text.erase(span.begin, span.size());
    }
}

}  // namespace

void addEdit(RemedyCause& cause, std::string_view remedy, const SourceEdit& edit) {
    if (!edit.isChanged()) return;
    TriedRemedy made{std::string(remedy), edit.file(), withoutUnused(edit)};
    const auto isSame = [&](const TriedRemedy& other) { return other.text == made.text; };
    // Of what is wrong several places may need one each.
    const auto ofIt = std::ranges::count(cause.edits, made.remedy, &TriedRemedy::remedy);
    const bool hasRoom = cause.finding ? ofIt < 8 : cause.edits.size() < 6;
    if (hasRoom && std::ranges::none_of(cause.edits, isSame))
        cause.edits.push_back(std::move(made));
}

}  // namespace warplens
