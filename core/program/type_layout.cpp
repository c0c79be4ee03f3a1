#include "core/program/type_layout.h"

#include <algorithm>
#include <set>
#include <span>

#include "core/program/source_edit.h"
#include "core/text/number_type.h"

namespace warplens {
namespace {

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

}  // namespace

std::optional<TypeLayout> layoutOf(std::string_view type, const ProgramSources& sources,
                                   const std::vector<NamedNumber>& names) {
    return Layouts(sources, names).of(cudaTokens(type));
}

}  // namespace warplens
