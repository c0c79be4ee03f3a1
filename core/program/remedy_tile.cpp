#include <algorithm>
#include <bit>
#include <map>
#include <regex>
#include <set>

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

/// Names of a kernel and what they are defined as, by where that begins.
using Definitions = std::map<std::size_t, std::pair<std::string, TextSpan>>;
/// Those that the parts before `at` are made of, by threadIdx in the end.
Definitions definitionsOf(const KernelText& kernel, std::vector<TextSpan> parts, std::size_t at) {
    Definitions all;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        for (const CudaToken& token : kernel.tokensIn(TextSpan(parts[part]))) {
            const auto value = kernel.valueOf(token.text, at);
            if (token.kind == CudaTokenKind::identifier && value &&
                kernel.body.holds(value->begin) &&
                all.try_emplace(value->begin, token.text, *value).second)
                parts.push_back(*value);
        }
    }
    return all;
}

/// `x = blockIdx.x * 16 + threadIdx.y;` for each, exchanged or not; none of them is `const` then.
std::string exchangedIn(const Definitions& definitions, const KernelText& kernel,
                        const std::string& indent, bool isExchanged, SourceEdit& edit) {
    std::string lines;
    for (const auto& [begin, definition] : definitions) {
        lines += indent + definition.first + " = " +
                 inTurn(kernel.copyOf(definition.second), isExchanged) + ";\n";
        for (const CudaToken& token : kernel.tokensIn(kernel.statementAt(begin))) {
            if (token.is("const")) edit.replace({token.begin, token.end + 1}, "");
        }
    }
    return lines;
}

/// How many lanes of a square tile's side a wavefront takes at most.
std::uint32_t lanesAtOnce(std::uint32_t bytes) {
    return std::min(lanesPerWarp, 128 / bytes);
}

/// Whether a wavefront takes several rows of a square tile, but not all: lanes find elements along
/// rows and along columns in banks of their own by no padding.
bool takesSomeRows(std::uint32_t side, std::uint32_t bytes) {
    const std::uint32_t lanes = lanesAtOnce(bytes);
    return side * side > lanes && side < lanes && std::has_single_bit(side);
}

/// Its price, where a wavefront takes several rows, and what follows.
std::string priceOfRows(std::uint32_t side) {
    return " A request along columns still takes 2 wavefronts where 1 would do, as a warp is " +
           std::to_string(lanesPerWarp / side) + " rows of a block that is " +
           std::to_string(side) + " wide: what helps there is offered once this is applied.";
}

std::string inBrackets(const std::string& index) {
    static const std::regex name(R"([\w.]+)");
    return std::regex_match(index, name) ? index : '(' + index + ')';
}

/// A square block and its tile with sides of a warp, so that a warp is one row: the numbers in the
/// launch, and those in the kernel that are the side, or one beside it.
void widenBlock(const KernelText& kernel, const LaunchReport& launch, std::uint32_t side,
                RemedyCause& cause) {
    const Extents block = launch.launch.block;
    if (block.x != side || block.y != side || block.z != 1) return;
    SourceEdit edit = kernel;
    std::set<std::size_t> done;
    const auto set = [&](TextSpan span, const std::string& words) {
        if (done.insert(span.begin).second) edit.replace(span, words);
    };
    const std::string wide = std::to_string(lanesPerWarp);
    for (const LaunchSite& site : launchSites(kernel, kernel.kernel.name)) {
        if (site.block.size() < 2) return;
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const TextSpan number = behindNames(kernel, site.block[axis], site.begin);
            if (source::wholeNumber(kernel.textOf(number)) != side) return;
            set(number, wide);
            if (site.grid.size() < 2) continue;
            const TextSpan count = behindNames(kernel, site.grid[axis], site.begin);
            const std::uint32_t blocks = axis == 0 ? launch.launch.grid.x : launch.launch.grid.y;
            set(count, source::wholeNumber(kernel.textOf(count))
                           ? std::to_string((blocks * side + lanesPerWarp - 1) / lanesPerWarp)
                           : blocksOf(kernel.copyOf(count), side, lanesPerWarp));
        }
    }
    for (const CudaToken& token : kernel.tokensIn(kernel.body)) {
        const std::int64_t more = source::wholeNumber(token.text).value_or(0) - side;
        if (std::abs(more) <= 1) set({token.begin, token.end}, std::to_string(lanesPerWarp + more));
    }
    const std::size_t before = cause.edits.size();
    addEdit(cause, "block-shape", edit);
    if (cause.edits.size() == before) return;
    cause.edits.back().asksShape = true;
    cause.edits.back().detail =
        "A block and a tile of 32 x 32: a warp has one row then, and all of its lanes have banks "
        "of their own. Blocks of 1,024 threads may cost what the banks save: measure it.";
}

}  // namespace

void partPadded(const KernelText& kernel, const ProgramLine& line, const LaunchReport& launch,
                const NamedBrackets& declared, const std::vector<NamedNumber>& names,
                RemedyCause& cause) {
    if (declared.parts.size() != 2 || !line.address) return;
    const std::string name = kernel.copyOf(declared.parts[0]);
    const std::int64_t count = sizeOf(kernel, declared.parts[0], names).value_or(0);
    const std::int64_t row = sizeOf(kernel, declared.parts[1], names).value_or(0);
    if (row <= count || row > count + 8 || count < 1 || count > lanesPerWarp) return;
    const auto side = static_cast<std::uint32_t>(count);
    if (!takesSomeRows(side, line.address->elementBytes)) return;
    widenBlock(kernel, launch, side, cause);
    const std::uint32_t lanes = lanesAtOnce(line.address->elementBytes);
    const std::string mask = name == std::to_string(side)
                                 ? std::to_string(side - lanes / side)
                                 : '(' + name + " - " + std::to_string(lanes) + " / " + name + ')';
    SourceEdit edit = kernel;
    edit.replace(declared.parts[1], name);
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
    parts.push_back(copy);
    const Definitions definitions = definitionsOf(kernel, std::move(parts), copy.begin);
    const bool loadsExchanged = line.kind == AccessKind::load;
    const std::string indent = edit.indentAt(guarded->whole.begin);
    if (loadsExchanged)
        for (const auto& [begin, definition] : definitions)
            edit.replace(definition.second, inTurn(text.copyOf(definition.second), true));
    const std::string exchange = exchangedIn(definitions, kernel, indent, !loadsExchanged, edit);
    std::string side = std::to_string(block.x);
    for (const LaunchSite& site : launchSites(text, kernel.kernel.name)) {
        const std::string_view name = text.textOf(site.block[0]);
        // A macro is known in the kernel, too.
        if (text.valueOf(name, 0)) side = name;
    }
    const std::uint32_t bytes = line.address->elementBytes;
    const bool leavesRows = takesSomeRows(block.x, bytes);
    const std::string pad = block.x * block.x <= lanesAtOnce(bytes)
                                ? ""
                                : " + " + std::to_string(std::max(1U, bytesPerBankWord / bytes));
    const auto tile = [](const std::string& row, const std::string& column) {
        return "tile[" + row + "][" + column + ']';
    };
    const auto guardOf = [&](bool isExchanged) {
        return indent + (condition.empty() ? "" : "if (" + inTurn(condition, isExchanged) + ") ");
    };
    const auto access = [&](const std::string& array, const std::string& index, bool isExchanged) {
        return array + '[' + inTurn(index, isExchanged) + ']';
    };
    edit.replace(guarded->whole,
                 "__shared__ " + element + " tile[" + side + "][" + side + pad + "];\n" +
                     guardOf(loadsExchanged) + tile("threadIdx.y", "threadIdx.x") + " = " +
                     access(sides.str(3), sides.str(4), loadsExchanged) + ";\n" + indent +
                     "__syncthreads();\n" + exchange + guardOf(!loadsExchanged) +
                     access(sides.str(1), sides.str(2), !loadsExchanged) + " = " +
                     tile("threadIdx.x", "threadIdx.y") + ';');
    addEdit(cause, "tile-in-shared-memory", edit);
    if (leavesRows && !cause.edits.empty())
        cause.edits.back().detail = std::string(remedyNamed("tile-in-shared-memory").words) +
                                    " With one column more, tile[" + side + "][" + side + pad +
                                    "], the elements of a column lie in different banks." +
                                    priceOfRows(block.x);
}

void takeCrosswise(const KernelText& kernel, const ProgramLine& line, const LaunchReport& launch,
                   RemedyCause& cause) {
    const Extents block = launch.launch.block;
    const std::size_t at = kernel.beginOf(line.place.line);
    const auto barriers = kernel.bracketsOf("__syncthreads", '(', {kernel.body.begin, at});
    // Where what is put in is loaded the other way as well, the kernel's axes are exchanged.
    const bool isPutInAlong = std::ranges::any_of(launch.lines, [](const ProgramLine& other) {
        return other.kind == AccessKind::load && other.address &&
               std::abs(other.address->thread[0]) == other.address->elementBytes;
    });
    if (block.x != block.y || block.z != 1 || line.kind != AccessKind::store || barriers.empty() ||
        !isPutInAlong)
        return;
    const TextSpan behind{kernel.statementAt(barriers.back().whole.begin).end, kernel.body.end};
    Definitions used = definitionsOf(kernel, {behind}, behind.begin);
    std::erase_if(used, [&](const auto& each) {
        const auto& [name, value] = each.second;
        const std::regex given("\\b" + name + R"(\s*=(?!=))");
        return value.begin >= behind.begin ||
               IndexDerivation(kernel.textOf(value), kernel.textOf(kernel.body), "")
                   .isAnyThreads() ||
               std::regex_search(kernel.copyOf(behind), given);
    });
    SourceEdit edit = kernel;
    const std::string indent = kernel.indentAt(barriers.back().whole.begin);
    const std::string before = '\n' + exchangedIn(used, kernel, indent, true, edit);
    edit.replace(behind, (used.empty() ? "" : before.substr(0, before.size() - 1)) +
                             inTurn(kernel.copyOf(behind), true));
    const std::size_t known = cause.edits.size();
    addEdit(cause, "tile-in-shared-memory", edit);
    if (cause.edits.size() != known)
        cause.edits.back().detail =
            "The tile is there; take it out along its columns: with threadIdx.x and threadIdx.y in "
            "each other's place behind the barrier, neighbouring lanes store side by side.";
}

}  // namespace warplens
