#include "core/program/named_elements.h"

#include <algorithm>
#include <regex>
#include <set>
#include <span>

#include "core/program/index_derivation.h"
#include "core/program/remedy_edits.h"
#include "core/program/source_edit.h"
#include "core/text/format.h"
#include "core/text/lines.h"
#include "core/text/number_type.h"

namespace warplens {
namespace {

/// Where a type's numbers lie in it.
struct TypeLayout final {
    struct Part final {
        std::string name;  ///< `.position.x`, `.cells[3]`; empty of a number itself
        std::int64_t offset = 0;
        std::int64_t bytes = 0;
    };
    std::int64_t bytes = 0;
    std::int64_t alignment = 1;
    std::vector<Part> parts{};
};

using Tokens = std::span<const CudaToken>;

/// Structures of the toolkit's headers that arrays are of (curand_kernel.h).
constexpr std::string_view toolkitTypes = R"(
struct curandStateXORWOW {
    unsigned int d, v[5];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
struct curandStateMRG32k3a {
    unsigned int s1[3], s2[3];
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned int STATE;
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
using curandState = curandStateXORWOW;
using curandState_t = curandStateXORWOW;
using curandStateXORWOW_t = curandStateXORWOW;
using curandStateMRG32k3a_t = curandStateMRG32k3a;
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;
)";

std::optional<TypeLayout> ofNumber(std::string_view name) {
    const std::optional<NumberType> type = numberType(name);
    if (!type) return std::nullopt;
    TypeLayout made{type->size(), type->alignment(), {}};
    for (std::uint32_t at = 0; at < type->components; ++at)
        made.parts.push_back({type->components == 1 ? "" : std::string(".") + "xyzw"[at],
                              at * type -> bytes, type -> bytes});
    return made;
}

class Layouts final {
  public:
    Layouts(const ProgramSources& sources, const std::vector<NamedNumber>& names) : names_(names) {
        for (const auto* files : {&sources.units, &sources.headers}) {
            for (const ProgramFile& file : *files) texts_.push_back(cudaTokens(file.text));
        }
        texts_.push_back(cudaTokens(toolkitTypes));
    }

    std::optional<TypeLayout> of(Tokens type) {
        std::string name;
        for (const CudaToken& token : type) {
            if (token.is("*") || token.is("&")) return TypeLayout{8, 8, {{"", 0, 8}}};
            if (token.is("const") || token.is("volatile") || token.is("struct")) continue;
            if (token.kind != CudaTokenKind::identifier && !token.is("::")) return std::nullopt;
            if (token.is("::"))
                name.clear();
            else
                name += (name.empty() ? "" : " ") + std::string(token.text);
        }
        if (auto number = ofNumber(name)) return number;
        if (name.empty() || !known_.insert(name).second) return std::nullopt;
        std::optional<TypeLayout> found = ofStructure(name);
        known_.erase(name);
        return found;
    }

  private:
    std::optional<TypeLayout> ofStructure(const std::string& name) {
        for (const std::vector<CudaToken>& all : texts_) {
            for (std::size_t at = 0; at + 3 < all.size(); ++at) {
                const bool isTemplate = at > 0 && all[at - 1].is(">");
                if (all[at].is("using") && all[at + 1].is(name) && all[at + 2].is("=") &&
                    !isTemplate)
                    return of(Tokens(all).subspan(at + 3, lengthTo(all, at + 3, ";")));
                if (!all[at].is("struct") && !all[at].is("class")) {
                    const bool isAlias = all[at].is("typedef") && !all[at + 1].is("struct");
                    const std::size_t end = isAlias ? at + lengthTo(all, at, ";") : at;
                    if (isAlias && all[end - 1].is(name))
                        return of(Tokens(all).subspan(at + 1, end - at - 2));
                    continue;
                }
                // `struct alignas(16) Name {`, `typedef struct { ... } Name;`
                std::size_t open = at + 1;
                std::int64_t alignment = 1;
                std::string_view called;
                for (; open < all.size() && !all[open].is("{"); ++open) {
                    if (source::isAttribute(all[open].text) && open + 3 < all.size()) {
                        alignment = numberOf(all[open + 2]).value_or(0);
                        open += 3;
                    } else if (all[open].kind == CudaTokenKind::identifier && called.empty()) {
                        called = all[open].text;
                    } else {
                        break;  // a base, a declaration
                    }
                }
                if (open >= all.size() || !all[open].is("{")) continue;
                const std::size_t close = closingOf(all, open);
                const bool isMeant =
                    called == name || (at > 0 && all[at - 1].is("typedef") &&
                                       close + 1 < all.size() && all[close + 1].is(name));
                if (!isMeant) continue;
                if (isTemplate || alignment == 0) return std::nullopt;
                return ofBody(Tokens(all).subspan(open + 1, close - open - 1), alignment);
            }
        }
        return std::nullopt;
    }

    std::optional<TypeLayout> ofBody(Tokens body, std::int64_t alignment) {
        TypeLayout made{0, alignment, {}};
        while (!body.empty()) {
            // A member, or a function with or without a body.
            std::size_t end = 0;
            bool isFunction = false;
            bool isValue = false;
            for (; end < body.size() && !body[end].is(";"); ++end) {
                if (body[end].is("virtual") || body[end].is("union") || body[end].is("struct"))
                    return std::nullopt;
                const CudaToken& before = body[end == 0 ? 0 : end - 1];
                isValue |= body[end].is("=") && !before.is("operator");
                if (body[end].is("(") && !isValue && !source::isAttribute(before.text)) {
                    if (end + 1 < body.size() && body[end + 1].is("*")) return std::nullopt;
                    isFunction = true;
                }
                if (body[end].is("(") || body[end].is("[") || body[end].is("{")) {
                    // Not of `: x{0}`.
                    const bool isBody = body[end].is("{") && isFunction &&
                                        (before.kind != CudaTokenKind::identifier ||
                                         before.is("const") || before.is("noexcept"));
                    end = std::min(closingOf(body, end), body.size() - 1);
                    if (isBody) break;
                }
            }
            Tokens member = body.first(end);
            body = body.subspan(std::min(end + 1, body.size()));
            while (member.size() > 1 && member[1].is(":") &&
                   (member[0].is("public") || member[0].is("private") || member[0].is("protected")))
                member = member.subspan(2);
            const bool isNone =
                isFunction || std::ranges::any_of(member, [](const CudaToken& token) {
                    return token.is("static") || token.is("using") || token.is("typedef") ||
                           token.is("friend") || token.is("enum");
                });
            if (isNone || member.empty()) continue;
            if (!addMembers(member, made)) return std::nullopt;
        }
        if (made.bytes == 0) return std::nullopt;
        made.bytes = (made.bytes + made.alignment - 1) / made.alignment * made.alignment;
        return made;
    }

    /// `float x, y[3], *next`
    bool addMembers(Tokens member, TypeLayout& made) {
        std::int64_t least = 1;
        while (member.size() > 3 && source::isAttribute(member[0].text)) {
            least = numberOf(member[2]).value_or(0);
            member = member.subspan(4);
        }
        std::optional<Tokens> type;
        while (!member.empty()) {
            std::size_t end = 0;
            std::size_t name = 0;
            bool isNamed = false;
            std::int64_t count = 1;
            for (bool isValue = false; end < member.size() && !member[end].is(","); ++end) {
                const CudaToken& token = member[end];
                if (token.is(":")) return false;
                isValue |= token.is("=") || token.is("{");
                if (token.is("[") && !isValue) {
                    if (end + 2 >= member.size() || !member[end + 2].is("]")) return false;
                    count *= numberOf(member[end + 1]).value_or(0);
                    isNamed = true;
                } else if (token.kind == CudaTokenKind::identifier && !isValue && !isNamed) {
                    name = end;
                }
                if (token.is("(") || token.is("[") || token.is("{"))
                    end = std::min(closingOf(member, end), member.size() - 1);
            }
            if (!type) {
                std::size_t before = name;
                while (before > 0 && member[before - 1].is("*")) --before;
                type = member.first(before);
            }
            const bool isPointer = name > 0 && member[name - 1].is("*");
            const auto layout = isPointer ? of(Tokens(&member[name - 1], 1)) : of(*type);
            if (!layout || count < 1 || least < 1) return false;
            constexpr std::size_t mostParts = 4096;
            if (made.parts.size() + static_cast<std::size_t>(count) * layout->parts.size() >
                mostParts)
                return false;
            const std::int64_t alignment = std::max(layout->alignment, least);
            made.alignment = std::max(made.alignment, alignment);
            made.bytes = (made.bytes + alignment - 1) / alignment * alignment;
            for (std::int64_t at = 0; at < count; ++at) {
                for (const TypeLayout::Part& part : layout->parts)
                    made.parts.push_back({'.' + std::string(member[name].text) +
                                              (isNamed ? '[' + std::to_string(at) + ']' : "") +
                                              part.name,
                                          made.bytes + part.offset, part.bytes});
                made.bytes += layout->bytes;
            }
            member = member.subspan(std::min(end + 1, member.size()));
        }
        return true;
    }

    std::optional<std::int64_t> numberOf(const CudaToken& token) const {
        const auto named = std::ranges::find(names_, token.text, &NamedNumber::first);
        return named != names_.end() ? std::optional(named->second)
                                     : source::wholeNumber(token.text);
    }
    static std::size_t lengthTo(const std::vector<CudaToken>& all, std::size_t from,
                                std::string_view sign) {
        std::size_t end = from;
        while (end < all.size() && !all[end].is(sign)) ++end;
        return end - from;
    }
    /// Of the bracket there; the end where it is not closed.
    static std::size_t closingOf(Tokens all, std::size_t open) {
        int depth = 0;
        for (std::size_t at = open; at < all.size(); ++at) {
            depth += all[at].is("(") || all[at].is("[") || all[at].is("{") ? 1 : 0;
            depth -= all[at].is(")") || all[at].is("]") || all[at].is("}") ? 1 : 0;
            if (depth == 0) return at;
        }
        return all.size();
    }

    const std::vector<NamedNumber>& names_;
    std::vector<std::vector<CudaToken>> texts_;
    std::set<std::string> known_;  ///< that are looked at
};

/// Of a number, a vector of CUDA's, a pointer, or a plain structure of such that the sources
/// define; sizes in it may be of the names. Nothing where it is something else, a template say.
std::optional<TypeLayout> layoutOf(std::string_view type, const ProgramSources& sources,
                                   const std::vector<NamedNumber>& names) {
    return Layouts(sources, names).of(cudaTokens(type));
}

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
