#include <algorithm>
#include <regex>
#include <set>
#include <utility>

#include "core/launch/mapping.h"
#include "core/program/branch_reasons.h"
#include "core/program/index_derivation.h"
#include "core/program/loop_use.h"
#include "core/program/reasons.h"
#include "core/program/remedy_edits.h"

namespace warplens {

using source::NamedBrackets;
using source::TextSpan;

namespace {

/// Whether the passes of a loop come to one number, in whatever order.
bool onlyAddsUp(const KernelText& kernel, TextSpan loop) {
    const source::LoopUse use = source::useOf(kernel, loop);
    return use.addsUp && !use.carries && !use.stores;
}

/// The same of the loop around a line's access.
bool addsUpAround(const KernelText& kernel, const ProgramLine& line) {
    const TextSpan row = kernel.line(line.place.line);
    const auto all = kernel.bracketsOf(line.array, '[', row);
    const std::size_t at =
        all.empty() ? row.begin + std::max(1u, line.place.column) - 1 : all.front().whole.begin;
    const auto loop = source::loopAround(kernel, at);
    return loop && onlyAddsUp(kernel, *loop);
}

/// `s[t] += s[t + d]`: an element gets what another has.
bool takesFromAnother(const KernelText& kernel, const ProgramLine& line) {
    const auto all = kernel.bracketsOf(line.array, '[', kernel.line(line.place.line));
    return std::ranges::any_of(all, [&](const NamedBrackets& each) {
        return kernel.textOf(each.whole) != kernel.textOf(all.front().whole);
    });
}

/// Whether each thread adds up a row of its own that data say, element by element:
/// `for (int k = row[r]; k < row[r + 1]; ++k) sum += a[k];`.
bool addsUpOwnRow(const KernelText& kernel, const ProgramLine& line) {
    static const std::regex head(
        R"([^;]*?(\w+)\s*=([^;]+);[^;]*;\s*(?:\+\+\s*\1|\1\s*(?:\+\+|\+=\s*1))\s*)");
    const TextSpan row = kernel.line(line.place.line);
    const std::vector<CudaToken> tokens = kernel.tokensIn(row);
    const bool isNamed = !kernel.bracketsOf(line.array, '[', row).empty();
    for (const source::Statement& loop : kernel.statementsAround(kernel.beginOf(line.place.line))) {
        const std::string words = kernel.copyOf(loop.condition);
        std::smatch parts;
        if (!std::regex_match(words, parts, head) || !onlyAddsUp(kernel, loop.inside)) continue;
        const std::string start = parts.str(2);
        const IndexDerivation begin(start, kernel.textOf(kernel.body), "");
        const bool isRead = std::ranges::any_of(
            begin.texts(), [](std::string_view text) { return text.find('[') != text.npos; });
        if (begin.isAnyThreads() || !isRead) continue;
        for (std::size_t at = 2; at + 2 < tokens.size(); ++at) {
            // `a[k]`, `matrix.a[k]`: of a member the array has its name elsewhere.
            const bool isMeant = isNamed ? tokens[at - 1].is(line.array)
                                         : (tokens[at - 2].is(".") || tokens[at - 2].is("->"));
            if (isMeant && tokens[at].is("[") && tokens[at + 1].is(parts.str(1)) &&
                tokens[at + 2].is("]"))
                return true;
        }
    }
    return false;
}

/// Whether the launch's stores to that array together fill what lies between one lane's element and
/// the next lane's: `a[2 * i] = x; a[2 * i + 1] = y;`.
bool fillsVectors(const ProgramLine& line, const LaunchReport& launch) {
    const AddressFormula& formula = *line.address;
    const std::int64_t step = std::abs(formula.thread[0]);
    constexpr std::int64_t mostBytes = 16;  // that a lane stores at once
    if (line.kind != AccessKind::store || formula.isOfRequest || step > mostBytes) return false;
    std::set<std::int64_t> starts;
    for (const ProgramLine& other : launch.lines) {
        if (other.source == line.source && other.kind == line.kind && other.array == line.array &&
            other.address && other.address->thread == formula.thread &&
            other.address->block == formula.block && other.address->loops == formula.loops)
            starts.insert(other.address->start % step);
    }
    return std::cmp_equal(starts.size() * formula.elementBytes, step);
}

}  // namespace

bool isOfMember(const KernelText& kernel, const ProgramLine& line) {
    // All members at once: `Event e = events[i];`.
    const std::string type = kernel.elementOf(line.array);
    static const std::regex vectors(R"(u?(char|short|int|long)[234]|(float|double)[234])");
    if (std::regex_match(type, vectors)) return true;
    for (const char* const kind : {"struct", "class"}) {
        if (!type.empty() &&
            std::regex_search(kernel.masked(), std::regex(kind + (R"(\s+)" + type) + R"(\b)")))
            return true;
    }
    const auto all = kernel.bracketsOf(line.array, '[', kernel.line(line.place.line));
    if (all.empty() && kernel.kernel.name.empty())
        return kernel.textOf(kernel.line(line.place.line)).find('[') == std::string_view::npos;
    return std::ranges::any_of(
        all, [&](const NamedBrackets& access) { return kernel.masked()[access.whole.end] == '.'; });
}

std::string adviceFor(const ProgramLine& line, const KernelText& kernel,
                      const LaunchReport& launch) {
    if (line.kind == AccessKind::branch) {
        if (addsEverFurtherApart(kernel.textOf(kernel.line(line.place.line))))
            return "sequential-addressing";
        return line.lanes && (line.lanes->bit || line.lanes->every) ? "whole-warps" : "";
    }
    if (line.kind == AccessKind::constantLoad) return "constant-to-global";
    if (isAtomic(line.kind)) {
        // What is exchanged cannot be added up first.
        const std::string_view row = kernel.textOf(kernel.line(line.place.line));
        const bool isSum = row.find("CAS") == row.npos && row.find("Exch") == row.npos;
        return isSum ? "aggregate-atomics" : "";
    }
    if (!line.address)
        return line.kind == AccessKind::load && addsUpOwnRow(kernel, line) ? "warp-for-each-row"
                                                                           : "";
    const AddressFormula& formula = *line.address;
    const std::int64_t step = std::abs(formula.thread[0]);
    if (!formula.eachPass.empty() && takesFromAnother(kernel, line)) return "sequential-addressing";
    if (line.sectors == 0) return "fewer-conflicts";
    const bool isMember = isOfMember(kernel, line);
    const std::int64_t element = elementStep(formula, isMember);
    if (isMember && step == element) return "structure-of-arrays";
    if (step <= element)
        return launch.launch.block.x < lanesPerWarp && lanesPerWarp % launch.launch.block.x != 0
                   ? "block-shape"
                   : "";
    if (std::abs(formula.thread[1]) == element) return "tile-in-shared-memory";
    if (fillsVectors(line, launch)) return "vector-store";
    if (!formula.loops.empty() && std::abs(formula.loops.front().bytes) == element)
        // Of a row that is shorter than a warp lanes would be idle.
        return line.kind != AccessKind::load || step < lanesPerWarp * element ||
                       !addsUpAround(kernel, line)
                   ? "other-index"
               : formula.ofLanes ? "stride-by-block"
                                 : "warp-for-each-row";
    return "other-index";
}

}  // namespace warplens
