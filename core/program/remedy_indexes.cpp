#include <regex>
#include <set>

#include "core/program/launch_shape.h"
#include "core/program/loop_use.h"
#include "core/program/remedy_findings.h"
#include "core/text/encoding.h"

namespace warplens {
namespace {

using source::TextSpan;

/// `blockIdx.y * blockDim.x + threadIdx.x`, however it is put together.
struct WrittenIndex final {
    TextSpan whole;
    std::string block;  ///< `y`
    std::string thread;
    bool isWhole = false;  ///< one axis, and a block's size
    bool isOfTile =
        false;  ///< of one block, and threads along another axis: as where a tile is stored
};

std::vector<WrittenIndex> indexesIn(const KernelText& kernel) {
    static const std::string product =
        R"(blockIdx\.([xyz])\s*\*\s*(block|grid)Dim\.([xyz])|(block|grid)Dim\.([xyz])\s*\*\s*blockIdx\.([xyz]))";
    static const std::regex form("(?:" + product +
                                 R"()\s*\+\s*threadIdx\.([xyz])|threadIdx\.([xyz])\s*\+\s*(?:)" +
                                 product + ")");
    const std::string& text = kernel.masked();
    const auto at = [&](std::size_t offset) {
        return text.begin() + static_cast<std::ptrdiff_t>(offset);
    };
    std::vector<WrittenIndex> all;
    for (std::sregex_iterator one(at(kernel.body.begin), at(kernel.body.end), form), end;
         one != end; ++one) {
        const auto either = [&](std::size_t a, std::size_t b) { return one->str(a) + one->str(b); };
        const bool isThreadFirst = (*one)[8].matched;
        const std::size_t from = isThreadFirst ? 9 : 1;
        const auto begin = kernel.body.begin + static_cast<std::size_t>(one->position(0));
        WrittenIndex index{.whole = {begin, begin + static_cast<std::size_t>(one->length(0))},
                           .block = either(from, from + 5),
                           .thread = one->str(isThreadFirst ? 8 : 7)};
        const bool isOfBlock =
            either(from + 2, from + 4) == index.block && either(from + 1, from + 3) == "block";
        index.isWhole = isOfBlock && index.block == index.thread;
        index.isOfTile = isOfBlock && !index.isWhole;
        all.push_back(std::move(index));
    }
    return all;
}

std::string indexAlong(const std::string& axis) {
    return "blockIdx." + axis + " * blockDim." + axis + " + threadIdx." + axis;
}

}  // namespace

void mendIndexes(const KernelText& kernel, const Finding& finding, RemedyCause& cause) {
    const std::vector<WrittenIndex> indexes = indexesIn(kernel);
    const FindingKind kind = finding.kind;
    const bool isRepeated = kind == FindingKind::repeatedWork;
    const bool isLeftOut = isRepeated || kind == FindingKind::notReached;
    const auto tryEdit = [&](const std::vector<TextSpan>& spans, const std::string& with) {
        source::SourceEdit edit = kernel;
        for (const TextSpan span : spans) edit.replace(span, with);
        const std::size_t before = cause.edits.size();
        addEdit(cause, "own-index", edit);
        if (cause.edits.size() > before)
            cause.edits.back().detail =
                "Let `" + with + "` stand in place of `" + kernel.copyOf(spans.front()) +
                "`: each thread along the axis has an index of its own then.";
    };
    for (const WrittenIndex& index : indexes) {
        if (index.isWhole || (index.isOfTile && !isLeftOut)) continue;
        for (const std::string& axis : std::set{index.block, index.thread})
            tryEdit({index.whole}, indexAlong(axis));
    }
    // Threads that meet in one statement, at the one element that it has: by another axis they may
    // not.
    const auto accesses = kernel.bracketsOf(finding.array(), '[', kernel.line(finding.place.line));
    const bool isOfOne =
        isRace(kind) && finding.otherLine == finding.place.line &&
        std::ranges::all_of(accesses, [&](const source::NamedBrackets& each) {
            return kernel.textOf(each.whole) == kernel.textOf(accesses.front().whole);
        });
    if (isOfOne && accesses.size() == 1) {
        const std::vector<CudaToken> within = kernel.tokensIn(accesses.front().whole);
        for (std::size_t at = 0; at + 2 < within.size(); ++at) {
            const std::string other = within[at + 2].is("x") ? "y" : "x";
            if (within[at].is("threadIdx"))
                tryEdit({{within[at].begin, within[at + 2].end}}, "threadIdx." + other);
        }
    }
    const std::string_view code = kernel.textOf(kernel.body);
    const auto tryEach = [&](const std::string& pattern, const std::string& with) {
        const std::regex form(pattern);
        for (std::cregex_iterator one(code.data(), code.data() + code.size(), form), end;
             one != end; ++one) {
            const std::size_t begin =
                kernel.body.begin + static_cast<std::size_t>(one->position(0));
            tryEdit({{begin, begin + static_cast<std::size_t>(one->length(0))}}, one->format(with));
        }
    };
    if (isLeftOut)
        tryEach(R"(blockIdx\.([xyz])\s*\*\s*(?:blockDim\.(?!\1)|gridDim\.)[xyz])",
                "blockIdx.$1 * blockDim.$1");
    if (!isRepeated) return;
    const std::vector<CudaToken> tokens = kernel.tokensIn(kernel.body);
    for (const std::string axis : {"x", "y", "z"}) {
        const bool hasBlock = code.find("blockIdx." + axis) != std::string_view::npos;
        const bool hasThread = code.find("threadIdx." + axis) != std::string_view::npos;
        if (hasBlock && hasThread) continue;
        // That of another axis, or without a thread's.
        if (!hasBlock) tryEach(R"(blockIdx\.[xyz])", "blockIdx." + axis);
        if (!hasThread)
            tryEach("block(?:Idx|Dim)\\." + axis + "\\s*\\*\\s*block(?:Idx|Dim)\\." + axis,
                    "$& + threadIdx." + axis);
        std::vector<TextSpan> bare;
        bool isFactor = false;
        for (std::size_t at = 1; at + 3 < tokens.size(); ++at) {
            const TextSpan span{tokens[at].begin, tokens[at + 2].end};
            const bool isBare =
                tokens[at].is("threadIdx") && std::ranges::none_of(indexes, [&](auto& each) {
                    return each.whole.holds(span.begin);
                });
            // A block's index is missing, or a thread's is that of another axis.
            if (!isBare || tokens[at + 2].is(axis) != hasThread) continue;
            isFactor |= tokens[at - 1].is("*") || tokens[at + 3].is("*");
            bare.push_back(span);
        }
        std::string with = hasThread ? indexAlong(axis) : "threadIdx." + axis;
        if (isFactor && hasThread) with = '(' + with + ')';
        // All of them, or one beside which others are of shared memory.
        if (bare.size() > 1) tryEdit(bare, with);
        for (const TextSpan span : bare) tryEdit({span}, with);
    }
}

void shareLoop(const KernelText& kernel, RemedyCause& cause) {
    static const std::regex form(
        R"(([^;]*?\b(\w+)\s*=\s*)([^;]+?)(;\s*\2\s*<=?[^;]*;\s*)(?:\+\+\s*\2|\2\s*(?:\+\+|\+=\s*1))\s*)");
    const auto found = firstThreadsLoop(kernel);
    const std::string& text = kernel.masked();
    if (!found || text.compare(found->loop.begin, 3, "for") != 0) return;
    const auto [loop, guard] = std::pair(found->loop, found->guard.whole);
    const std::size_t open = text.find('(', loop.begin);
    const std::size_t close = source::closing(text, open) - 1;
    const std::string header = kernel.copyOf({open + 1, close});
    const auto ruled = source::loopAround(kernel, source::skipBlanks(text, close + 1));
    std::smatch parts;
    // Nothing but the loop is kept from others, or behind a return.
    const bool isRuled = guard.holds(loop.begin);
    const TextSpan before{isRuled ? found->guard.condition.end + 1 : guard.end, loop.begin};
    const TextSpan behind{loop.end, isRuled ? guard.end : kernel.body.end};
    const auto isBare = [&](TextSpan span) {
        return text.substr(span.begin, span.size()).find_first_not_of(" \t\r\n{}") == text.npos;
    };
    const std::size_t next = source::skipBlanks(text, guard.end);
    if (!isBare(before) || !isBare(behind) || text.compare(next, 4, "else") == 0 || !ruled ||
        !std::regex_match(header, parts, form) || found->pinned.contains("threadIdx.y") ||
        found->pinned.contains("blockIdx.y"))
        return;
    const source::LoopUse use = source::useOf(kernel, *ruled);
    if (use.carries || use.addsUp) return;
    const bool isOfGrid = found->pinned.contains("blockIdx.x");
    std::string first = !isOfGrid                                              ? "threadIdx.x"
                        : found->index.empty() || found->index == parts.str(2) ? indexAlong("x")
                                                                               : found->index;
    if (parts.str(3) != "0") first = parts.str(3) + " + " + first;
    std::string shared = "for (" + parts.str(1) + first + parts.str(4) + parts.str(2) +
                         (isOfGrid ? " += gridDim.x * blockDim.x" : " += blockDim.x") +
                         kernel.copyOf({close, loop.end});
    // As far in as the condition was.
    const std::string deep = '\n' + kernel.indentAt(loop.begin);
    const std::string flat = '\n' + kernel.indentAt(guard.begin);
    for (std::size_t at = shared.find(deep); at != shared.npos; at = shared.find(deep, at + 1))
        shared.replace(at, deep.size(), flat);
    source::SourceEdit edit = kernel;
    edit.replace({guard.begin, std::max(guard.end, loop.end)}, shared);
    addEdit(cause, "share-the-loop", edit);
}

}  // namespace warplens
