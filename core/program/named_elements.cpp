#include "core/program/named_elements.h"

#include <algorithm>
#include <regex>
#include <set>

#include "core/program/index_derivation.h"
#include "core/program/remedy_edits.h"
#include "core/program/source_edit.h"
#include "core/program/type_layout.h"
#include "core/text/format.h"
#include "core/text/lines.h"

namespace warplens {
namespace {

/// `Cell` of `__device__ Cell name[64];`; empty where the text declares no such variable.
std::string variableType(const source::SourceEdit& text, std::string_view name) {
    std::size_t memory = source::nowhere;
    for (const CudaToken& token : text.tokens()) {
        if (token.is("__device__") || token.is("__constant__") || token.is("__shared__") ||
            token.is("__managed__"))
            memory = token.end;
        else if (token.is(";") || token.is("(") || token.is("{"))
            memory = source::nowhere;
        else if (token.is(name) && memory != source::nowhere)
            return text.copyOf({memory, token.begin});
    }
    return {};
}

/// `s` of `extern __shared__ float s[];`; empty where the kernel has none.
std::string dynamicName(const KernelText& kernel) {
    const std::vector<CudaToken> tokens = kernel.tokensIn(kernel.body);
    auto at = std::ranges::find_if(tokens, [](const CudaToken& each) { return each.is("extern"); });
    while (at != tokens.end() && !at->is("[")) ++at;
    return at == tokens.end() || at == tokens.begin() ? std::string()
                                                      : std::string(std::prev(at)->text);
}

/// The argument of the instance that a template's parameter stands for, else the type itself.
std::string withArguments(std::string type, const source::KernelSource& kernel,
                          std::string_view instance) {
    const std::string declared = kernel.templateParameters.value_or("");
    const std::size_t open = instance.find('<');
    if (open == instance.npos) return type;
    const source::SourceEdit names(declared);
    const source::SourceEdit values(instance);
    const auto parameters = names.partsOf({0, declared.size()}, ',');
    const auto arguments = values.partsOf({open + 1, instance.rfind('>')}, ',');
    for (std::size_t at = 0; at < std::min(parameters.size(), arguments.size()); ++at) {
        const auto words = names.tokensIn(parameters[at]);
        if (!words.empty() && words.back().is(type)) return values.copyOf(arguments[at]);
    }
    return type;
}

class Elements final {
  public:
    Elements(const LaunchReport& launch, const SourcePlace& place, const ProgramSources& sources)
        : launch_(launch), place_(place), sources_(sources), text_(lineText(sources, place)) {
        if (!text_.kernel) text_.kernel = launchedKernel(launch, sources);
        names_ = namedNumbers(launch, sources);
        if (text_.kernel) addTemplateArguments(text_.kernel->kernel, launch.instance, names_);
    }

    void name(Finding& finding) const {
        AccessedBytes& accessed = *finding.accessed;
        const bool isBeyond = finding.kind == FindingKind::outOfBounds;
        constexpr std::string_view shared = "shared ";
        std::size_t at = accessInWords(accessed.kind).size() + 1;
        if (finding.words.compare(at, shared.size(), shared) == 0) at += shared.size();
        std::string told = accessed.array + '[' + std::to_string(accessed.element) + ']';
        if (isBeyond)
            told = finding.words.substr(at);
        else if (finding.words.compare(at, told.size(), told) != 0)
            return;
        if (accessed.isOfLaunch && text_.kernel) {
            const std::string name = dynamicName(*text_.kernel);
            if (!name.empty()) accessed.array = name;
        }
        std::string index = '[' + std::to_string(accessed.element) + ']';
        std::string behind;
        const std::optional<TypeLayout> type = typeOf(accessed.array);
        if (type && accessed.stretch % static_cast<std::uint64_t>(type->bytes) == 0) {
            const std::int64_t last = accessed.offset + accessed.bytes - 1;
            const auto elementAt = [&](std::int64_t byte) {
                return (byte < 0 ? byte - type->bytes + 1 : byte) / type->bytes;
            };
            accessed.element = elementAt(accessed.offset);
            const std::int64_t within = accessed.offset - accessed.element * type->bytes;
            const auto part = std::ranges::find_if(type->parts, [&](const TypeLayout::Part& each) {
                return each.offset <= within && within + accessed.bytes <= each.offset + each.bytes;
            });
            if (isBeyond) {
                const auto whole = static_cast<std::int64_t>(accessed.ofArray);
                accessed.elements = whole % type->bytes == 0 ? whole / type->bytes : 0;
                behind = ", which has " + (accessed.elements != 0 || whole == 0
                                               ? std::to_string(accessed.elements) + " elements"
                                               : std::to_string(whole) + " bytes");
            }
            const std::string number = std::to_string(accessed.element);
            index = elementAt(last) == accessed.element
                        ? inRows(accessed.array, accessed.element)
                        : '[' + number + ".." + std::to_string(elementAt(last)) + ']';
            if (index.empty()) index = '[' + number + ']';
            if (part != type->parts.end()) index += part->name;
        } else if (isBeyond && told.starts_with("byte ")) {
            return;
        } else if (const std::string rows = inRows(accessed.array, accessed.element);
                   !rows.empty()) {
            index = rows;
        }
        if (isBeyond && behind.empty()) behind = told.substr(told.find(']') + 1);
        finding.words.replace(at, told.size(), accessed.array + index + behind);
    }

    [[nodiscard]] std::string memberOf(const ProgramLine& line) const {
        const std::optional<TypeLayout> type = typeOf(line.array);
        if (!type || !line.address || line.address->isOfRequest || !line.address->eachPass.empty())
            return {};
        const AddressFormula& formula = *line.address;
        bool isOne = true;  // the same member for all
        for (const auto* steps : {&formula.thread, &formula.block}) {
            for (const std::int64_t bytes : *steps) isOne &= bytes % type->bytes == 0;
        }
        for (const AddressFormula::Loop& loop : formula.loops)
            isOne &= loop.bytes % type->bytes == 0;
        const std::int64_t within = (formula.start % type->bytes + type->bytes) % type->bytes;
        const auto part = std::ranges::find(type->parts, within, &TypeLayout::Part::offset);
        if (!isOne || part == type->parts.end() || part->name.empty()) return {};
        const source::SourceEdit row(text_.statement);
        std::set<std::string> all;
        for (const auto& each : row.bracketsOf(line.array, '[', {0, text_.statement.size()})) {
            const std::size_t end = each.whole.end + part->name.size();
            if (text_.statement.substr(each.whole.end).starts_with(part->name) &&
                (end >= text_.statement.size() || !source::isNameCharacter(text_.statement[end])))
                all.insert(row.copyOf(each.whole) + part->name);
        }
        return all.size() == 1 ? *all.begin() : std::string();
    }

  private:
    /// Of the array's elements; of several names that of the first, where all are as large.
    [[nodiscard]] std::optional<TypeLayout> typeOf(const std::string& arrays) const {
        std::optional<TypeLayout> first;
        for (const std::string_view array : cellsOf(arrays, ',')) {
            const auto layout = layoutOf(declaredType(array), sources_, names_);
            if (!layout || (first && first->bytes != layout->bytes)) return std::nullopt;
            if (!first) first = layout;
        }
        return first;
    }
    [[nodiscard]] std::string declaredType(std::string_view array) const {
        std::string type = text_.kernel ? text_.kernel->elementOf(array) : std::string();
        if (type.empty() && text_.kernel) type = variableType(*text_.kernel, array);
        if (type.empty())
            type = variableType(source::SourceEdit(textOf(sources_, place_.file)), array);
        return text_.kernel ? withArguments(std::move(type), text_.kernel->kernel, launch_.instance)
                            : type;
    }
    /// `[1][0]` of a shared array of rows that the line has so; else empty.
    [[nodiscard]] std::string inRows(const std::string& array, std::int64_t element) const {
        const auto declared = text_.kernel ? text_.kernel->sharedNamed(array) : std::nullopt;
        if (!declared || declared->parts.size() < 2 || element < 0) return {};
        const auto used = text_.kernel->bracketsOf(array, '[', text_.kernel->line(place_.line));
        if (std::ranges::none_of(used, [&](const source::NamedBrackets& brackets) {
                return brackets.parts.size() == declared->parts.size();
            }))
            return {};
        std::string index;
        for (std::size_t at = declared->parts.size(); at-- > 0;) {
            const auto size = sizeOf(*text_.kernel, declared->parts[at], names_);
            if (!size || (at == 0 && element >= *size)) return {};
            index.insert(0, '[' + std::to_string(element % *size) + ']');
            element /= *size;
        }
        return index;
    }

    const LaunchReport& launch_;
    const SourcePlace& place_;
    const ProgramSources& sources_;
    LineText text_;
    std::vector<NamedNumber> names_;
};

/// Of `d[a] = d[b] = 0` the element d[b], which is taken from there again once it is stored.
bool isStoredValue(const ProgramSources& sources, const Finding& finding) {
    if (!finding.accessed || accessInWords(finding.accessed->kind) != "load from") return false;
    const std::string row(lineOf(textOf(sources, finding.place.file), finding.place.line));
    return std::regex_search(
        row, std::regex(R"(\]\s*=\s*)" + finding.array() + R"(\s*\[[^=;]*\]\s*=[^=\[]*;)"));
}

}  // namespace

void nameElements(ProgramTrace& trace, const ProgramSources& sources) {
    for (Finding& finding : trace.findings) {
        const auto launch = std::ranges::find(trace.launches, finding.launch.value_or(UINT32_MAX),
                                              &LaunchReport::index);
        if (finding.accessed && launch != trace.launches.end())
            Elements(*launch, finding.place, sources).name(finding);
    }
    std::erase_if(trace.findings, [&](const Finding& finding) {
        return finding.kind == FindingKind::outOfBounds && isStoredValue(sources, finding);
    });
    // What a launch gives is too little by what all that go beyond it reach.
    const auto isTooFar = [](const Finding& finding) {
        return finding.kind == FindingKind::outOfBounds && finding.accessed &&
               finding.accessed->isOfLaunch && finding.accessed->reached != 0;
    };
    for (Finding& finding : trace.findings) {
        if (!isTooFar(finding)) continue;
        for (const Finding& other : trace.findings) {
            if (isTooFar(other) && other.launch == finding.launch)
                finding.accessed->reached =
                    std::max(finding.accessed->reached, other.accessed->reached);
        }
        finding.words += ": the launch gives " + groupedDigits(finding.accessed->ofArray) +
                         " bytes of dynamic shared memory, and the kernel reaches " +
                         groupedDigits(finding.accessed->reached);
    }
}

std::string addressedIn(const ProgramLine& line, const LaunchReport& launch,
                        const ProgramSources& sources) {
    return line.addresses > 1 ? Elements(launch, line.place, sources).memberOf(line) : "";
}

}  // namespace warplens
