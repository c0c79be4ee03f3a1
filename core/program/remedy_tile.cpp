#include <algorithm>
#include <bit>
#include <map>
#include <regex>

#include "core/launch/mapping.h"
#include "core/program/remedy_edits.h"

namespace warplens {

using source::NamedBrackets;
using source::SourceEdit;
using source::TextSpan;

namespace {

/// A statement of the kernel's body with what it is ruled by.
struct GuardedStatement final {
    TextSpan whole;  ///< with its `if` and braces
    std::vector<TextSpan> conditions;
};

/// Nothing where something else than `if` rules it, or another statement is ruled with it.
std::optional<GuardedStatement> guardedAt(const KernelText& kernel, std::size_t at) {
    const std::string& masked = kernel.masked();
    std::vector<source::Statement> around = kernel.statementsAround(at);
    std::erase_if(around, [&](const auto& each) { return !kernel.body.holds(each.whole.begin); });
    if (around.empty()) return std::nullopt;
    GuardedStatement found{around.front().whole, {}};
    for (auto each = around.begin(); each != around.end(); ++each) {
        const std::string_view words = kernel.textOf(each->whole);
        const std::size_t behind = source::skipBlanks(masked, each->whole.end);
        if (words.starts_with("else") || masked.compare(behind, 4, "else") == 0)
            return std::nullopt;
        if (words.starts_with("if") && each->condition.size() != 0) {
            found.conditions.push_back(each->condition);
        } else if (const auto next = std::next(each); next != around.end()) {
            const bool isAlone =
                words.starts_with('{') &&
                source::skipBlanks(masked, each->whole.begin + 1) == next->whole.begin &&
                source::skipBlanks(masked, next->whole.end) + 1 == each->whole.end;
            if (!isAlone) return std::nullopt;
        }
    }
    return found;
}

/// With threadIdx.x and threadIdx.y in each other's place, or as it is.
std::string inTurn(const std::string& code, bool isExchanged) {
    return isExchanged ? exchangedAxes(code, std::span(indexVariables).first(1), "y") : code;
}

/// What is behind the length of a square tile's rows, and what of a row its columns are exchanged
/// by, so that lanes find elements along rows and columns in banks of their own. Where a wavefront
/// takes several rows, no padding does both.
std::pair<std::string, std::string> paddingAndSwizzle(std::uint32_t side, const std::string& name,
                                                      std::uint32_t bytes) {
    const std::uint32_t lanes = std::min(lanesPerWarp, 128 / bytes);
    if (side * side <= lanes) return {};  // all of it
    if (side >= lanes || !std::has_single_bit(side))
        return {" + " + std::to_string(std::max(1U, 4 / bytes)), {}};
    if (name == std::to_string(side)) return {{}, std::to_string(side - lanes / side)};
    return {{}, '(' + name + " - " + std::to_string(lanes) + " / " + name + ')'};
}

constexpr std::string_view swappedPlaces =
    "a row's elements change places in it, so that a column lies in different banks";

/// What a column more comes to where ^ is of use.
std::string plainWay(std::uint32_t side, const std::string& name, std::uint32_t bytes) {
    if (bytes != bytesPerBankWord) return {};
    const std::string longer =
        name == std::to_string(side) ? std::to_string(side + 1) : name + " + 1";
    return " The plain way, tile[" + name + "][" + longer +
           "], leaves 2 wavefronts of 1: two rows of " + std::to_string(side) +
           " meet in one bank.";
}

std::string inBrackets(const std::string& index) {
    static const std::regex name(R"([\w.]+)");
    return std::regex_match(index, name) ? index : '(' + index + ')';
}

}  // namespace

void swizzlePadded(const KernelText& kernel, const ProgramLine& line, const NamedBrackets& declared,
                   const std::vector<NamedNumber>& names, RemedyCause& cause) {
    if (declared.parts.size() != 2 || !line.address) return;
    const std::string side = kernel.copyOf(declared.parts[0]);
    const std::int64_t count = sizeOf(kernel, declared.parts[0], names).value_or(0);
    const std::int64_t row = sizeOf(kernel, declared.parts[1], names).value_or(0);
    if (row <= count || row > count + 8 || count < 1 || count > lanesPerWarp) return;
    const auto [pad, mask] =
        paddingAndSwizzle(static_cast<std::uint32_t>(count), side, line.address->elementBytes);
    if (mask.empty()) return;
    SourceEdit edit = kernel;
    edit.replace(declared.parts[1], side);
    for (const NamedBrackets& access : kernel.bracketsOf(line.array, '[', kernel.body)) {
        if (access.whole.begin == declared.whole.begin) continue;
        if (access.parts.size() != 2) return;
        edit.replace(access.parts[1], inBrackets(kernel.copyOf(access.parts[1])) + " ^ (" +
                                          inBrackets(kernel.copyOf(access.parts[0])) + " & " +
                                          mask + ')');
    }
    addEdit(cause, "swizzle-shared-array", edit);
}

void tileInShared(const KernelText& kernel, const ProgramLine& line, const LaunchReport& launch,
                  RemedyCause& cause) {
    const SourceEdit& text = kernel;
    const Extents block = launch.launch.block;
    const std::size_t at = text.statementAt(kernel.beginOf(line.place.line)).end - 1;
    if (block.x != block.y || block.z != 1 ||
        source::findWord(text.masked(), "tile", kernel.body.begin) < kernel.body.end)
        return;
    static const std::regex form(R"((\w+)\s*\[([^\[\]]+)\]\s*=\s*(\w+)\s*\[([^\[\]]+)\]\s*;)");
    const TextSpan copy = text.ruledAt(at);
    const std::string statement = text.copyOf(copy);
    std::smatch sides;
    const auto guarded = guardedAt(kernel, at);
    if (!guarded || !std::regex_match(statement, sides, form) ||
        source::skipBlanks(text.masked(), guarded->whole.end) + 1 != kernel.body.end)
        return;
    const std::string element = kernel.elementOf(sides.str(3));
    if (element.empty()) return;

    SourceEdit edit = text;
    std::vector<TextSpan> parts = guarded->conditions;
    std::vector<std::string> conditions;
    for (const CudaToken& token : text.tokensIn(kernel.body)) {
        if (!token.is("return")) continue;
        // All come to the barrier: who returned before does nothing now.
        const auto leaving = guardedAt(kernel, token.begin);
        if (!leaving || leaving->conditions.size() != 1) return;
        parts.push_back(leaving->conditions[0]);
        conditions.push_back("!(" + text.copyOf(leaving->conditions[0]) + ')');
        const std::size_t next = source::skipBlanks(text.masked(), leaving->whole.end);
        edit.replace({leaving->whole.begin, next}, "");
    }
    const bool isOnly = conditions.size() + guarded->conditions.size() == 1;
    for (const TextSpan each : guarded->conditions)
        conditions.push_back(isOnly ? text.copyOf(each) : '(' + text.copyOf(each) + ')');
    std::string condition;
    for (const std::string& each : conditions)
        condition += (condition.empty() ? "" : " && ") + each;
    // What they are made of: names that are defined in the kernel, by threadIdx in the end.
    parts.push_back(copy);
    std::map<std::size_t, std::pair<std::string, TextSpan>> definitions;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        for (const CudaToken& token : text.tokensIn(TextSpan(parts[part]))) {
            const auto value = text.valueOf(token.text, copy.begin);
            if (token.kind != CudaTokenKind::identifier || !value ||
                !kernel.body.holds(value->begin))
                continue;
            if (definitions.try_emplace(value->begin, token.text, *value).second)
                parts.push_back(*value);
        }
    }
    const bool loadsExchanged = line.kind == AccessKind::load;
    const std::string indent = edit.indentAt(guarded->whole.begin);
    std::string exchange;
    for (const auto& [begin, definition] : definitions) {
        const auto& [name, value] = definition;
        const std::string before = text.copyOf(value);
        if (loadsExchanged) edit.replace(value, inTurn(before, true));
        exchange += indent + name + " = " + inTurn(before, !loadsExchanged) + ";\n";
        for (const CudaToken& token : text.tokensIn(text.statementAt(begin))) {
            if (token.is("const")) edit.replace({token.begin, token.end + 1}, "");
        }
    }
    std::string side = std::to_string(block.x);
    for (const LaunchSite& site : launchSites(text, kernel.kernel.name)) {
        const std::string_view name = text.textOf(site.block[0]);
        // A macro is known in the kernel, too.
        if (text.valueOf(name, 0)) side = name;
    }
    const auto [pad, mask] = paddingAndSwizzle(block.x, side, line.address->elementBytes);
    const auto tile = [&, &swizzle = mask](const std::string& row, const std::string& column) {
        return "tile[" + row + "][" + column +
               (swizzle.empty() ? "" : " ^ (" + row + " & " + swizzle + ')') + ']';
    };
    const auto guardOf = [&](bool isExchanged) {
        return indent + (condition.empty() ? "" : "if (" + inTurn(condition, isExchanged) + ") ");
    };
    const auto access = [&](const std::string& array, const std::string& index, bool isExchanged) {
        return array + '[' + inTurn(index, isExchanged) + ']';
    };
    const std::string swapped(swappedPlaces);
    edit.replace(guarded->whole, "__shared__ " + element + " tile[" + side + "][" + side + pad +
                                     "];" + (mask.empty() ? "" : "  // ^ lets " + swapped) + '\n' +
                                     guardOf(loadsExchanged) + tile("threadIdx.y", "threadIdx.x") +
                                     " = " + access(sides.str(3), sides.str(4), loadsExchanged) +
                                     ";\n" + indent + "__syncthreads();\n" + exchange +
                                     guardOf(!loadsExchanged) +
                                     access(sides.str(1), sides.str(2), !loadsExchanged) + " = " +
                                     tile("threadIdx.x", "threadIdx.y") + ';');
    addEdit(cause, "tile-in-shared-memory", edit);
    if (!mask.empty() && !cause.edits.empty())
        cause.edits.back().detail = std::string(remedyNamed("tile-in-shared-memory").words) +
                                    " The ^ (exclusive or) lets " + swapped + '.' +
                                    plainWay(block.x, side, line.address->elementBytes);
}

}  // namespace warplens
