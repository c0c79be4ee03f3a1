#include <algorithm>
#include <regex>
#include <set>
#include <utility>

#include "core/launch/mapping.h"
#include "core/program/branch_reasons.h"
#include "core/program/index_derivation.h"
#include "core/program/line_costs.h"
#include "core/program/local_reasons.h"
#include "core/program/loop_use.h"
#include "core/program/reasons.h"
#include "core/program/remedy_edits.h"
#include "core/text/format.h"

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
    const auto loop = source::loopAround(kernel, accessBegin(kernel, line));
    return loop && onlyAddsUp(kernel, *loop);
}

/// `s[t] += s[t + d]`: an element gets what another has.
bool takesFromAnother(const KernelText& kernel, const ProgramLine& line) {
    const auto all = kernel.bracketsOf(line.array, '[', kernel.line(line.place.line));
    return std::ranges::any_of(all, [&](const NamedBrackets& each) {
        return kernel.textOf(each.whole) != kernel.textOf(all.front().whole);
    });
}

/// `out[base + k] = items[k]`: what is stored was put in its order before, in an array of the
/// thread's own.
bool storesOwn(const KernelText& kernel, const ProgramLine& line) {
    if (!isStore(line.kind)) return false;
    const TextSpan statement = kernel.ruledAt(accessBegin(kernel, line));
    return std::ranges::any_of(kernel.tokensIn(statement), [&](const CudaToken& token) {
        return token.kind == CudaTokenKind::identifier && !token.is(line.array) &&
               isThreadsArray(kernel, kernel.body, token.text);
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

/// What a lane accesses at once, pieces of a vector together.
std::int64_t bytesOfLane(const ProgramLine& line) {
    const std::uint64_t all = line.requestedBytes != 0 ? line.requestedBytes : line.uniqueBytes;
    return std::max<std::int64_t>(
        line.address->elementBytes,
        line.activeLanes == 0 ? 0 : static_cast<std::int64_t>(all / line.activeLanes));
}

/// Bytes of `float4`, say; 0 of what is no vector type.
std::int64_t bytesOfVector(const std::string& type) {
    static const std::regex vectors(R"(u?(char|short|int|long|longlong|float|double)([234]))");
    std::smatch parts;
    if (!std::regex_match(type, parts, vectors)) return 0;
    const std::string of = parts.str(1);
    const int bytes = of == "char" ? 1 : of == "short" ? 2 : of == "int" || of == "float" ? 4 : 8;
    return bytes * std::int64_t{parts.str(2)[0] - '0'};
}

/// Whether the launch's accesses of that kind to the array together fill what lies between one
/// lane's element and the next lane's: `a[2 * i] = x; a[2 * i + 1] = y;`.
bool fillsVectors(const ProgramLine& line, const LaunchReport& launch) {
    const AddressFormula& formula = *line.address;
    const std::int64_t step = std::abs(formula.thread[0]);
    constexpr std::int64_t mostBytes = 16;  // that a lane accesses at once
    if (!isGlobal(line.kind) || isAtomic(line.kind) || formula.isOfRequest || step > mostBytes)
        return false;
    std::set<std::int64_t> starts;
    for (const ProgramLine& other : launch.lines) {
        if (other.source == line.source && other.kind == line.kind && other.array == line.array &&
            other.address && other.address->thread == formula.thread &&
            other.address->block == formula.block && other.address->loops == formula.loops)
            starts.insert((other.address->start % step + step) % step);
    }
    return std::cmp_equal(starts.size() * formula.elementBytes, step);
}

}  // namespace

std::size_t accessBegin(const KernelText& kernel, const ProgramLine& line) {
    const TextSpan row = kernel.line(line.place.line);
    const auto all = kernel.bracketsOf(line.array, '[', row);
    return all.empty() ? row.begin + std::max(1u, line.place.column) - 1 : all.front().whole.begin;
}

bool isOfMember(const KernelText& kernel, const ProgramLine& line) {
    // All members at once: `Event e = events[i];`.
    const std::string type = kernel.elementOf(line.array);
    if (const std::int64_t bytes = bytesOfVector(type); bytes != 0 && line.address)
        return bytesOfLane(line) < bytes;
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

ProgramLine asIfEven(const KernelText& kernel, const ProgramLine& line) {
    const std::uint64_t all = line.requestedBytes != 0 ? line.requestedBytes : line.uniqueBytes;
    const std::uint64_t taken = line.activeLanes == 0 ? 0 : all / line.activeLanes;
    ProgramLine even = line;
    if (line.address || taken == 0 || isAtomic(line.kind) || line.sectors == 0 ||
        line.decidedBy != CostDecider::code ||
        std::cmp_less_equal(std::abs(line.mostlyApart), taken))
        return even;
    for (const NamedBrackets& access :
         kernel.bracketsOf(line.array, '[', kernel.line(line.place.line))) {
        for (const source::Statement& loop : kernel.statementsAround(access.whole.begin)) {
            static const std::regex head(R"([^;]*;[^;]*;\s*(?:\+\+\s*(\w+)|(\w+)\s*\+\+)\s*)");
            const std::string words = kernel.copyOf(loop.condition);
            std::smatch counter;
            const auto isCounter = [&](TextSpan term) {
                return kernel.textOf(term) == counter.str(1) + counter.str(2);
            };
            if (!std::regex_match(words, counter, head) ||
                std::ranges::none_of(kernel.partsOf(access.parts[0], '+'), isCounter))
                continue;
            even.address = AddressFormula{.thread = {line.mostlyApart, 0, 0},
                                          .loops = {{static_cast<std::int64_t>(taken), 0}},
                                          .elementBytes = static_cast<std::uint32_t>(taken)};
        }
    }
    return even;
}

std::string adviceFor(const ProgramLine& line, const KernelText& kernel,
                      const LaunchReport& launch) {
    if (line.kind == AccessKind::branch) {
        if (addsEverFurtherApart(kernel.textOf(kernel.line(line.place.line))))
            return "sequential-addressing";
        const std::string_view row = kernel.textOf(kernel.line(line.place.line));
        return line.lanes && (line.lanes->bit || line.lanes->every) &&
                       !conditionReadsData(row, kernel.textOf(kernel.body))
                   ? "whole-warps"
                   : "";
    }
    if (line.kind == AccessKind::constantLoad) return "constant-to-global";
    if (isAtomic(line.kind)) {
        // What is exchanged cannot be added up first.
        const std::string_view row = kernel.textOf(kernel.line(line.place.line));
        const bool isSum = row.find("CAS") == row.npos && row.find("Exch") == row.npos;
        return isSum ? "aggregate-atomics" : "";
    }
    if (!line.address && line.wavefronts != 0 && line.mostlyApart != 0 &&
        line.decidedBy == CostDecider::code)
        return "fewer-conflicts";
    if (!line.address) {
        // float3, of which a lane takes one in three requests, wherever it lies.
        const bool isGather = line.kind == AccessKind::load && line.decidedBy == CostDecider::data;
        return isGather && bytesOfVector(kernel.elementOf(line.array)) == 12 ? "align-structure"
               : line.kind == AccessKind::load && addsUpOwnRow(kernel, line) ? "warp-for-each-row"
                                                                             : "";
    }
    const AddressFormula& formula = *line.address;
    const std::int64_t step = std::abs(formula.thread[0]);
    if (!formula.eachPass.empty() && takesFromAnother(kernel, line)) return "sequential-addressing";
    // Rows that are longer than a warp, and no whole warps.
    const Extents block = launch.launch.block;
    const bool isCut =
        !formula.ofLanes && block.y > 1 && block.x > lanesPerWarp && block.x % lanesPerWarp != 0;
    if (line.sectors == 0)
        return isCut && step <= bytesOfLane(line) ? "block-shape" : "fewer-conflicts";
    const bool isMember = isOfMember(kernel, line);
    const std::int64_t element = elementStep(formula, isMember);
    // Of elements that lie anywhere each member would have a sector of its own.
    if (isMember && step == element)
        return line.decidedBy == CostDecider::data ? "" : "structure-of-arrays";
    if (step <= element)
        return isCut || (block.x < lanesPerWarp && lanesPerWarp % block.x != 0) ? "block-shape"
                                                                                : "";
    if (std::abs(formula.thread[1]) == element || std::abs(formula.thread[2]) == element)
        return "tile-in-shared-memory";
    constexpr std::int64_t widest = 16;
    const bool isWhole =
        step % element == 0 && step <= widest && step <= 4 * element &&
        takesWholeGroup(kernel, line.array, static_cast<std::size_t>(step / element));
    if (isWhole || fillsVectors(line, launch))
        return line.kind == AccessKind::store ? "vector-store" : "vector-load";
    if (!formula.loops.empty() && std::abs(formula.loops.front().bytes) == element)
        // Of a row that is shorter than a warp lanes would be idle.
        return line.kind != AccessKind::load || step < lanesPerWarp * element ||
                       !addsUpAround(kernel, line)
                   ? "other-index"
               : formula.ofLanes ? "stride-by-block"
                                 : "warp-for-each-row";
    return "other-index";
}

bool passesInOrder(const KernelText& kernel, const ProgramLine& line, const LaunchReport& launch) {
    const auto loop = source::loopAround(kernel, accessBegin(kernel, line));
    if (!loop) return false;
    const source::LoopUse use = source::useOf(kernel, *loop);
    // What is stored from an array of the thread's own has its order from elsewhere, as of a sort.
    const TextSpan statement = kernel.ruledAt(accessBegin(kernel, line));
    const std::string words = kernel.copyOf(statement);
    static const std::regex fromOwn(R"(\]\s*=\s*(\w+)\s*\[[^;]*;$)");
    std::smatch value;
    if (line.kind == AccessKind::store && std::regex_search(words, value, fromOwn) &&
        kernel.elementOf(value.str(1)).empty() && !kernel.sharedNamed(value.str(1)))
        return true;
    // What is stored into an array of the thread's own is taken from there again.
    const auto isStored = [&](const ProgramLine& other) {
        return (other.kind == AccessKind::store || other.kind == AccessKind::sharedStore) &&
               sameFile(other.place.file, line.place.file) &&
               loop->holds(accessBegin(kernel, other));
    };
    return use.carries || storesOwn(kernel, line) ||
           (use.stores && std::ranges::none_of(launch.lines, isStored));
}

std::string otherIndex(const ProgramLine& line, bool isInOrder, std::uint64_t threads) {
    if (!line.address) return {};
    static const std::regex quoted("^`([^`]+)`");
    static const std::regex multiplied(R"(is multiplied by ([^;,]+))");
    std::smatch found;
    const std::string access =
        std::regex_search(line.reason, found, quoted) ? '`' + found.str(1) + '`' : line.array;
    const std::string factor =
        std::regex_search(line.reason, found, multiplied) ? found.str(1) : std::string();
    const AddressFormula& formula = *line.address;
    const std::int64_t step = std::abs(formula.thread[0]);
    const std::int64_t taken = bytesOfLane(line);
    const std::string lane = formula.ofLanes ? "the lane" : "threadIdx.x";
    const auto steps = [&](std::int64_t bytes) { return std::abs(bytes) == taken; };
    const std::string further = std::to_string(step) + " bytes further";
    constexpr std::int64_t sector = 32;
    if (!formula.isOfRequest && !formula.loops.empty() && steps(formula.loops.front().bytes)) {
        const bool isLoad = line.kind == AccessKind::load;
        const bool isOwn = std::cmp_less_equal(taken * static_cast<std::int64_t>(line.activeLanes),
                                               step * static_cast<std::int64_t>(threads));
        const std::string own = access +
                                ": each lane has neighbouring elements of its own, one a pass, in "
                                "an order that counts, and a step of " +
                                lane + " is " + further + ". ";
        constexpr std::int64_t longest = 64;  // of a stretch; what is longer is a row
        if (isInOrder && step > longest)
            return own +
                   "Keep the array transposed, or bring a tile of it through shared memory: "
                   "there neighbouring lanes may stand in one column.";
        const std::int64_t vector = step % 16 == 0 ? 16 : step % 8 == 0 ? 8 : 0;
        const std::string tile =
            isLoad ? "let the block bring its part of the array into shared memory, neighbouring "
                     "lanes neighbouring elements, and each lane take its own from there."
                   : "let each lane put its own into shared memory, and the block store them from "
                     "there, neighbouring lanes neighbouring elements.";
        // A lane's vectors each lie in another sector than those of the next lane.
        const std::uint64_t sectors =
            std::max(line.idealSectors,
                     line.sectors * static_cast<std::uint64_t>(std::max(taken, std::int64_t{1})) /
                         static_cast<std::uint64_t>(std::max(vector, std::int64_t{1})));
        const std::string ofVectors = sectors > line.idealSectors && step > vector
                                          ? ", which takes " + counted(sectors, "sector") +
                                                " in place of " + groupedDigits(line.sectors)
                                          : "";
        if (isInOrder)
            return own +
                   (vector > taken
                        ? "Let a lane " + std::string(isLoad ? "load " : "store ") +
                              std::to_string(vector / taken) + " of them at once, as one " +
                              (taken == 4 ? "int" + std::to_string(vector / taken) + " or float" +
                                                std::to_string(vector / taken)
                                          : "vector of " + std::to_string(vector) + " bytes") +
                              ofVectors + ", or " + tile
                        : "L" + tile.substr(1)) +
                   (isLoad && step <= sector && isOwn
                        ? " The passes ask for the same sectors: those "
                          "behind the first have them from L1, while it "
                          "keeps them."
                        : "");
        return access + ": a pass of the loop goes to the next element, and a step of " + lane +
               ' ' + further +
               ". Exchange the two, or keep the array transposed, so that "
               "neighbouring lanes take neighbouring elements.";
    }
    if (!formula.isOfRequest && steps(formula.block[0]))
        return access + ": a step of blockIdx.x goes to the next element, and one of " + lane +
               ' ' + further + ". Exchange the two.";
    if (step % taken == 0 && step > taken && step <= sector && line.addresses > 1)
        return access + " is one of " + std::to_string(line.addresses) +
               " accesses in this line, and a step of " + lane + ' ' + further +
               ". Let neighbouring lanes take neighbouring elements in each of them, or, where "
               "they "
               "are neighbours, let a lane take them at once, as one vector.";
    if (step % taken == 0 && step > taken && step <= sector)
        return access + " takes one of " + std::to_string(step / taken) +
               " neighbouring elements: of each sector " + std::to_string(sector * taken / step) +
               " of 32 bytes. Let neighbouring lanes take neighbouring elements, or keep those "
               "that are taken in an array of their own.";
    if (!factor.empty() && step > taken)
        return access + ": " + lane + " is multiplied by " + factor +
               ", so each lane has sectors of its own. Let " + lane +
               " be added to the index and another index be multiplied, or keep the array "
               "transposed.";
    return {};
}

}  // namespace warplens
