#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <ranges>
#include <regex>
#include <set>

#include "core/launch/mapping.h"
#include "core/program/index_derivation.h"
#include "core/program/joined_atomics.h"
#include "core/program/loop_use.h"
#include "core/program/reasons.h"
#include "core/program/remedy_edits.h"
#include "core/text/format.h"

namespace warplens {

using source::NamedBrackets;
using source::SourceEdit;
using source::TextSpan;

namespace {

/// x and another axis, in the kernel and in its launches, with blocks that stay as they are, then
/// with these exchanged, too; then in the kernel alone, and of the thread alone.
void exchangeAxes(const KernelText& kernel, const LaunchReport& launch, std::size_t axis,
                  RemedyCause& cause) {
    const std::string other(1, "xyz"[axis]);
    const std::string remedy = "exchange-x-and-" + other;
    const Extents& block = launch.launch.block;
    const std::uint32_t along = axis == 1 ? block.y : block.z;
    const auto inKernel = [&](std::size_t names) {
        return SourceEdit(kernel).replace(
            kernel.body, exchangedAxes(kernel.textOf(kernel.body),
                                       std::span(indexVariables).first(names), other));
    };
    // A grid that is worked out from the block follows it; other numbers are exchanged on both.
    for (const bool followsBlock : {true, false}) {
        SourceEdit edit = inKernel(indexVariables.size());
        const auto words = [&](TextSpan number, std::uint32_t before, std::uint32_t after) {
            return followsBlock
                       ? blocksOf(exchangedAxes(kernel.textOf(number), {}, other), before, after)
                       : kernel.copyOf(number);
        };
        std::set<std::size_t> done;
        for (const LaunchSite& site : launchSites(kernel, kernel.kernel.name)) {
            for (const auto* axes : {&site.grid, &site.block}) {
                if (axes->size() <= axis || (followsBlock && axes == &site.block) ||
                    !done.insert(axes->front().begin).second)
                    continue;
                edit.replace(axes->at(0), words(axes->at(axis), along, block.x));
                edit.replace(axes->at(axis), words(axes->at(0), block.x, along));
            }
        }
        addEdit(cause, remedy, edit);
    }
    addEdit(cause, remedy, inKernel(indexVariables.size()));
    addEdit(cause, remedy, inKernel(1));
}

/// `r = e % M, c = e / M` becomes `r = e / N, c = e % N`, with whatever M is multiplied by for N,
/// or with M itself: which of the two threads that follow each other differ in.
void exchangeQuotient(const KernelText& kernel, RemedyCause& cause) {
    const std::vector<CudaToken> tokens = kernel.tokensIn(kernel.body);
    const auto isOne = [&](std::size_t at, const char* sign, const CudaToken& of,
                           const CudaToken& by) {
        return tokens[at].is(of.text) && tokens[at + 1].is(sign) && tokens[at + 2].is(by.text);
    };
    std::set<std::pair<std::string_view, std::string_view>> done;
    for (std::size_t at = 0; at + 2 < tokens.size(); ++at) {
        const CudaToken& of = tokens[at];
        const CudaToken& by = tokens[at + 2];
        if (of.kind != CudaTokenKind::identifier || !tokens[at + 1].is("%") ||
            !done.emplace(of.text, by.text).second)
            continue;
        std::set<std::string_view> sides{by.text};
        for (std::size_t other = 2; other + 1 < tokens.size(); ++other) {
            const bool isMember = tokens[other - 2].is(".");
            if (!tokens[other].is("*") || isMember) continue;
            if (tokens[other - 1].is(by.text)) sides.insert(tokens[other + 1].text);
            if (tokens[other + 1].is(by.text)) sides.insert(tokens[other - 1].text);
        }
        for (const std::string_view side : sides) {
            SourceEdit edit = kernel;
            bool hasQuotient = false;
            for (std::size_t each = 0; each + 2 < tokens.size(); ++each) {
                const bool isQuotient = isOne(each, "/", of, by);
                if (!isQuotient && !isOne(each, "%", of, by)) continue;
                hasQuotient |= isQuotient;
                edit.replace({tokens[each + 1].begin, tokens[each + 2].end},
                             (isQuotient ? "% " : "/ ") + std::string(side));
            }
            if (hasQuotient) addEdit(cause, "exchange-quotient", edit);
        }
    }
}

/// Shapes of as many threads, or nearly where rows are no part of a warp: rows of a warp first,
/// then longer ones, then shorter. Where a plane has no room for a row, all of the block is one.
void reshapeBlock(const KernelText& kernel, const LaunchReport& launch, RemedyCause& cause) {
    const Extents block = launch.launch.block;
    const std::array<std::uint32_t, 3> before{block.x, block.y, block.z};
    const Extents grid = launch.launch.grid;
    const std::array<std::uint32_t, 3> blocks{grid.x, grid.y, grid.z};
    for (const std::uint32_t x : {32u, 64u, 128u, 256u, 16u}) {
        const bool isOfPlane = x <= block.x * block.y;
        const std::uint32_t threads = block.x * block.y * (isOfPlane ? 1 : block.z);
        const std::size_t axes = isOfPlane ? 2 : 3;
        if (x == block.x || x > threads || (threads % x != 0 && lanesPerWarp % block.x == 0))
            continue;
        const std::array<std::uint32_t, 3> after{x, threads / x, 1};
        for (const LaunchSite& site : launchSites(kernel, kernel.kernel.name)) {
            if (site.block.size() < axes) continue;
            const auto behind = [&](std::size_t axis) {
                return behindNames(kernel, site.block[axis], site.begin);
            };
            const auto all = std::views::iota(std::size_t{0}, axes);
            if (std::ranges::any_of(all, [&](std::size_t axis) {
                    return !source::wholeNumber(kernel.textOf(behind(axis)));
                }))
                continue;
            SourceEdit edit = kernel;
            for (const std::size_t axis : all) {
                // One name for several sides stays what it is elsewhere.
                const bool isOfOne = std::ranges::any_of(all, [&](std::size_t other) {
                    return other != axis && behind(other).begin == behind(axis).begin;
                });
                edit.replace(isOfOne ? site.block[axis] : behind(axis),
                             std::to_string(after.at(axis)));
            }
            addEdit(cause, "block-shape", edit);
            // A grid of numbers does not follow the block by itself.
            if (site.grid.size() < axes) continue;
            for (const std::size_t axis : all) {
                const TextSpan count = behindNames(kernel, site.grid[axis], site.begin);
                const std::uint32_t covered = blocks.at(axis) * before.at(axis);
                edit.replace(count,
                             source::wholeNumber(kernel.textOf(count))
                                 ? std::to_string((covered + after.at(axis) - 1) / after.at(axis))
                                 : blocksOf(kernel.copyOf(count), before.at(axis), after.at(axis)));
            }
            addEdit(cause, "block-shape", edit);
            // Of a template that has the block's sides: `blur<33, 9><<<grid, dim3(33, 9)>>>`.
            std::size_t side = 0;
            const std::size_t mark = kernel.masked().find("<<<", site.begin);
            const std::size_t open = kernel.masked().find('<', site.begin);
            if (open == mark) continue;
            for (const TextSpan argument :
                 kernel.partsOf({open + 1, kernel.masked().rfind('>', mark)}, ',')) {
                if (side < axes && source::wholeNumber(kernel.textOf(argument)) == before.at(side))
                    edit.replace(argument, std::to_string(after.at(side++)));
            }
            if (side == axes) addEdit(cause, "block-shape", edit);
        }
    }
    // Elements of the grid are the same, however it is cut into blocks.
    static const std::regex ofGrid(gridIndex +
                                   std::string(R"(|(?:blockDim\.([xyz])\s*\*\s*gridDim|)"
                                               R"(gridDim\.([xyz])\s*\*\s*blockDim)\.[xyz])"));
    static const std::regex ofBlock("threadIdx|blockIdx|blockDim");
    const std::string rest = std::regex_replace(kernel.copyOf(kernel.body), ofGrid, "");
    for (TriedRemedy& each : cause.edits)
        each.asksShape |= each.remedy == "block-shape" && std::regex_search(rest, ofBlock);
}

/// The factor in the indices of a flat array that its rows are apart by, and more.
void padRows(const KernelText& kernel, const NamedBrackets& declared, std::string_view array,
             const std::string& factor, const std::string& more, RemedyCause& cause) {
    SourceEdit edit = kernel;
    for (const NamedBrackets& access : kernel.bracketsOf(array, '[', kernel.body)) {
        if (access.whole.begin == declared.whole.begin) continue;
        if (!edit.rewrite(access.parts[0],
                          R"((\*\s*))" + factor + R"(\b|\b)" + factor + R"((\s*\*))",
                          "$1(" + factor + more + ")$2"))
            return;
    }
    edit.replace(declared.parts[0], '(' + kernel.copyOf(declared.parts[0]) + ") / " + factor +
                                        " * (" + factor + more + ")");
    addEdit(cause, "pad-shared-array", edit);
}

/// Where a pad has no room in shared memory: what does without.
void tellSwizzle(const KernelText& kernel, const ProgramLine& line, const NamedBrackets& declared,
                 const std::vector<NamedNumber>& names, RemedyCause& cause) {
    constexpr std::int64_t most = 48 * 1024;  // that a kernel may declare
    if (cause.advice != "fewer-conflicts" || !line.address) return;
    std::int64_t elements = 1;
    std::int64_t width = 0;
    for (const TextSpan part : declared.parts) {
        width = sizeOf(kernel, part, names).value_or(0);
        if (width == 0) return;
        elements *= width;
    }
    const std::int64_t bytes = line.address->elementBytes;
    const std::int64_t pad = std::max<std::int64_t>(bytesPerBankWord, bytes) * elements / width;
    if (elements * bytes + pad <= most || width % lanesPerWarp != 0) return;
    cause.detail = "A pad has no room: " + line.array + " would have " +
                   groupedDigits(static_cast<std::uint64_t>(elements * bytes + pad)) +
                   " bytes of the 49,152 that a kernel may declare. Swizzle it, with "
                   "[row][column ^ (row % 32)] at each access: lanes meet different banks then.";
}

/// The last bracket of `__shared__ float tile[A][B]`, or of the only one. A bank is four bytes
/// wide: as many elements more.
void padShared(const KernelText& kernel, const ProgramLine& line, const LaunchReport& launch,
               const std::vector<NamedNumber>& names, RemedyCause& cause) {
    const auto declared = kernel.sharedNamed(line.array);
    if (!declared || declared->parts.empty()) return;
    const std::uint32_t bytes = line.address ? line.address->elementBytes : bytesPerBankWord;
    std::uint32_t atOnce = 0;
    bool isOfStores = true;
    for (const ProgramLine& other : launch.lines) {
        if (!isShared(other.kind) || other.array != line.array || other.atOnce == 0) continue;
        atOnce = std::max(atOnce, other.atOnce);
        isOfStores &= isStore(other.kind);
    }
    const std::string more =
        " + " + std::to_string(std::max({1u, bytesPerBankWord / bytes, atOnce}));
    if (declared->parts.size() > 1) {
        if (atOnce == 0) {
            tellSwizzle(kernel, line, *declared, names, cause);
            partPadded(kernel, line, launch, *declared, names, cause);
        }
        if (cause.edits.empty())
            addEdit(cause, "pad-shared-array",
                    SourceEdit(kernel).insert(declared->parts.back().end, more));
    } else if (line.address && declared->parts[0].size() != 0) {
        for (const std::int64_t step : {line.address->thread[0], line.address->thread[1]}) {
            const std::int64_t apart = std::abs(step / bytes);
            if (apart < 2) continue;
            padRows(kernel, *declared, line.array, std::to_string(apart), more, cause);
            for (const auto& [name, value] : names) {
                if (value == apart) padRows(kernel, *declared, line.array, name, more, cause);
            }
        }
    }
    if (atOnce == 0) return;
    // Rows stay multiples of what the assembler takes at once.
    const std::string all = std::to_string(atOnce);
    const std::string why = std::string(" The assembler may ") + (isOfStores ? "store " : "load ") +
                            all +
                            " elements of it at once, in fewer requests than are counted here, "
                            "which a pad of one element prevents.";
    const std::string apart =
        " more in each row of the shared array: its columns lie in different banks then." + why;
    cause.detail =
        "Another length of the shared array's rows, by which its columns lie in "
        "different banks." +
        why;
    for (TriedRemedy& edit : cause.edits) edit.detail = all + " elements" + apart;
    // Where those leave the columns in the same banks.
    const std::size_t before = cause.edits.size();
    if (declared->parts.size() > 1)
        addEdit(cause, "pad-shared-array",
                SourceEdit(kernel).insert(declared->parts.back().end, " + 1"));
    if (cause.edits.size() > before) cause.edits.back().detail = "One element" + apart;
}

/// Where all stretches end together, of one that begins at `first`, which `begin` says, too, and
/// has `each` for its length: `n` of `min(n, first + each)`; empty where it ends by itself, and
/// nothing where `limit` is none of it.
std::optional<std::string> endOfAll(const std::string& limit, const std::string& begin,
                                    const std::string& factor, const std::string& each) {
    const auto plain = [](std::string words) {
        std::erase_if(words, [](unsigned char c) { return std::isspace(c) != 0; });
        return words;
    };
    const std::string first = plain(factor + '*' + each);
    const std::string more = plain(each);
    const std::array<std::string, 6> ends{
        plain(begin) + '+' + more,           first + '+' + more,
        more + '+' + plain(begin),           more + '+' + first,
        '(' + plain(factor) + "+1)*" + more, more + "*(" + plain(factor) + "+1)"};
    const auto isEnd = [&](const std::string& words) {
        return std::ranges::find(ends, plain(words)) != ends.end();
    };
    if (isEnd(limit)) return "";
    static const std::regex least(R"((?:std\s*::\s*)?min\s*\((.*)\))");
    std::smatch inside;
    if (!std::regex_match(limit, inside, least)) return std::nullopt;
    const std::string both = inside.str(1);
    const SourceEdit arguments(both);
    const std::vector<TextSpan> parts = arguments.partsOf({0, both.size()}, ',');
    if (parts.size() != 2) return std::nullopt;
    for (const std::size_t at : {0u, 1u}) {
        if (isEnd(arguments.copyOf(parts[at]))) return arguments.copyOf(parts[1 - at]);
    }
    return std::nullopt;
}

/// Whether one of the names stands in the code that change with the thread or the pass.
bool standsIn(const std::string& code, const std::string& names) {
    const SourceEdit text(code);
    const SourceEdit asked(names);
    return std::ranges::any_of(asked.tokens(), [&](const CudaToken& name) {
        const bool isOfLaunch = name.is("x") || name.is("y") || name.is("z") ||
                                name.is("blockDim") || name.is("gridDim");
        return name.kind == CudaTokenKind::identifier && !isOfLaunch &&
               std::ranges::any_of(text.tokens(),
                                   [&](const CudaToken& token) { return token.is(name.text); });
    });
}
/// `t` of each `t * C + k`.
std::string threadsIn(const std::string& code, const std::string& index) {
    const std::regex form(index);
    std::string names;
    for (std::sregex_iterator at(code.begin(), code.end(), form), end; at != end; ++at)
        names += at->str(1) + ' ';
    return names;
}

/// `for (int k = 0; k < C; ++k) ... a[t * C + k]`, and `for (int i = t * C; i < t * C + C; ++i)`,
/// whose passes may come in another order and do not know which thread's they are.
void strideLoops(const KernelText& kernel, const std::string& allThreads, RemedyCause& cause) {
    static const std::regex form(
        R"(([^;]*?)(\w+)\s*=\s*([^;]+);\s*\2\s*<\s*([^;&]*?)\s*((?:&[^;]*)?);\s*([^;]*))");
    static const std::regex product(R"((.+?)\s*\*\s*([^*]+?))");
    const std::string step =
        allThreads.find('*') == std::string::npos ? allThreads : '(' + allThreads + ')';
    for (const NamedBrackets& loop : kernel.bracketsOf("for", '(', kernel.body)) {
        const TextSpan head{kernel.masked().find('(', loop.whole.begin) + 1, loop.whole.end - 1};
        const std::string words = kernel.copyOf(head);
        std::smatch parts;
        if (!std::regex_match(words, parts, form)) continue;
        const std::string counter = parts.str(2);
        const std::string limit = parts.str(4);
        const auto body =
            source::loopAround(kernel, source::skipBlanks(kernel.masked(), loop.whole.end));
        if (!body || source::useOf(kernel, *body).carries) continue;
        SourceEdit edit = kernel;
        if (parts.str(3) == "0" && std::ranges::all_of(limit, source::isNameCharacter)) {
            // Each `t * C + k` in the kernel.
            const std::string index =
                R"(([\w.]+|\([^()]*\))\s*\*\s*)" + limit + R"(\s*\+\s*)" + counter + R"(\b)";
            if (standsIn(std::regex_replace(kernel.copyOf(*body), std::regex(index), ""),
                         counter + ' ' + threadsIn(kernel.copyOf(*body), index)))
                continue;
            edit.rewrite(kernel.body, index, counter + " * " + step + " + $1");
        } else {
            const auto value = kernel.valueOf(parts.str(3), loop.whole.begin);
            const std::string first = value ? kernel.copyOf(*value) : parts.str(3);
            std::smatch factors;
            if (!std::regex_match(first, factors, product) ||
                parts.str(6).find("++") == std::string::npos ||
                standsIn(kernel.copyOf(*body), parts.str(3) + ' ' + factors.str(1)))
                continue;
            const auto written = kernel.valueOf(limit, loop.whole.begin);
            const auto end = endOfAll(written ? kernel.copyOf(*written) : limit, parts.str(3),
                                      factors.str(1), factors.str(2));
            if (!end) continue;
            const std::string all = factors.str(2) + " * (int)(" + allThreads + ')';
            edit.replace(head, parts.str(1) + counter + " = " + factors.str(1) + "; " + counter +
                                   " < " + (end->empty() ? all : "min(" + *end + ", " + all + ')') +
                                   (parts[5].length() == 0 ? "" : " ") + parts.str(5) + "; " +
                                   counter + " += " + allThreads);
        }
        addEdit(cause, "stride-by-block", edit);
    }
}

/// `x % 2` becomes `x / 32 % 2`.
void branchByWarp(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    SourceEdit edit = kernel;
    edit.rewrite(kernel.line(line.place.line), R"((%\s*\d|&\s*1\b))", "/ warpSize $1");
    addEdit(cause, "branch-by-warp", edit);
}

/// `atomicAdd(&a[i], v);` whose result nobody uses.
void aggregateAtomics(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    for (const auto& [whole, arguments] :
         kernel.bracketsOf("atomicAdd", '(', kernel.line(line.place.line))) {
        const std::size_t at = whole.begin;
        const std::size_t end = whole.end;
        if (arguments.size() != 2 || kernel.ruledAt(at).begin != at || kernel.masked()[end] != ';')
            continue;
        std::string target = kernel.copyOf(arguments[0]);
        const std::string value = kernel.copyOf(arguments[1]);
        const std::string indent = "\n" + kernel.indentAt(at) + "    ";
        std::string group = "cooperative_groups::coalesced_threads()";
        std::string label;
        const auto accesses = kernel.bracketsOf(line.array, '[', arguments[0]);
        const TextSpan index = accesses.empty() ? TextSpan{} : accesses.back().parts.back();
        // What the kernel works out may be of each lane with other data.
        const bool isOne = line.sameAddress == line.activeLanes &&
                           isOneValue(kernel.textOf(index), kernel.textOf(kernel.body));
        const bool isOfLane =
            !isOne && std::ranges::any_of(kernel.tokensIn(index), [&](const auto& token) {
                const auto made = kernel.valueOf(token.text, at);
                return made && kernel.body.holds(made->begin);
            });
        if (isOfLane || !line.address || !line.address->isOfAll()) {
            if (accesses.empty()) continue;
            group = "cooperative_groups::labeled_partition(" + group + ", label)";
            label = indent + "const auto label = " + kernel.copyOf(index) + ';';
            target.replace(index.begin - arguments[0].begin, index.size(), "label");
        }
        std::vector<std::string> types{"decltype(" + value + " + " + value + ')'};
        if (const std::string type = kernel.elementOf(line.array); !type.empty())
            types.insert(types.begin(), type);
        for (const std::string& type : types) {
            SourceEdit edit = kernel;
            edit.replace({at, end + 1}, "{" + label + indent + "const auto lanes = " + group + ";" +
                                            indent +
                                            "const auto sum = cooperative_groups::reduce(lanes, " +
                                            value + ", cooperative_groups::plus<" + type + ">());" +
                                            indent + "if (lanes.thread_rank() == 0) atomicAdd(" +
                                            target + ", sum);\n" + kernel.indentAt(at) + '}');
            if (kernel.textOf({0, at}).find("cooperative_groups/reduce.h") ==
                std::string_view::npos)
                edit.insert(0, "#include <cooperative_groups/reduce.h>\n");
            addEdit(cause, "aggregate-atomics", edit);
        }
    }
}

/// `__constant__ float table[256];`, wherever it stands in the file.
void constantToGlobal(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    const CudaToken* memory = nullptr;
    for (const CudaToken& token : kernel.tokens()) {
        if (token.is("__constant__")) memory = &token;
        if (token.is(";")) memory = nullptr;
        if (!memory || !token.is(line.array)) continue;
        return addEdit(cause, "constant-to-global",
                       SourceEdit(kernel).replace({memory->begin, memory->end}, "__device__"));
    }
}

/// `struct __align__(16) Pair {`, where a lane copies one as a whole.
void alignStructure(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    const std::int64_t step = std::abs(line.address->thread[0]);
    const std::string alignment = step % 16 == 0 ? "16" : "8";
    if (step % 8 != 0) return;
    const auto& tokens = kernel.tokens();
    std::string type = kernel.elementOf(line.array);
    if (const auto shared = kernel.sharedNamed(line.array); shared && type.empty()) {
        const auto name = std::ranges::find(tokens, shared->whole.begin, &CudaToken::begin);
        if (name != tokens.end() && name != tokens.begin()) type = std::prev(name)->text;
    }
    for (std::size_t at = 0; at + 2 < tokens.size(); ++at) {
        if (tokens[at].is("struct") && tokens[at + 1].is(type) && tokens[at + 2].is("{"))
            addEdit(
                cause, "align-structure",
                SourceEdit(kernel).insert(tokens[at + 1].begin, "__align__(" + alignment + ") "));
    }
}

/// Whether the structure that an array has is aligned to 16 bytes already, as it says or as a
/// member is.
bool isAligned(const KernelText& kernel, const ProgramLine& line) {
    const std::string type = kernel.elementOf(line.array);
    if (type.empty()) return false;
    const std::regex structure(
        R"(\b(?:struct|class)\s+((?:alignas|__align__)\s*\(\s*16\s*\)\s*)?)" + type +
        R"(\s*(\{[^}]*\}))");
    static const std::regex wide(
        R"(\bu?(?:int|float)4\b|\b(?:double|u?longlong)2\b|\balignas\s*\(\s*16)");
    std::smatch found;
    return std::regex_search(kernel.masked(), found, structure) &&
           (found[1].matched || std::regex_search(found[2].first, found[2].second, wide));
}

/// Says what is to be another index; one of which nothing is known is no advice. Of another shape
/// of the block which.
void detailAdvice(const ProgramLine& line, const KernelText& kernel, const LaunchReport& launch,
                  RemedyCause& cause) {
    if (cause.advice == "block-shape") {
        const std::uint64_t rows = launch.launch.block.count() / lanesPerWarp;
        cause.detail =
            "Another shape of the block, " +
            (rows < 2 ? std::string("32") : "dim3(32, " + std::to_string(rows) + ")") +
            " threads with a grid that fits, so that the lanes of a warp stand in one row.";
    }
    if (cause.advice == "align-structure")
        cause.detail = "An element of " + line.array + " has 12 bytes, which a lane loads by " +
                       "three requests: pad it to 16, as float4 has them, and it is one, of the " +
                       "one sector that it lies in.";
    if (cause.advice == "structure-of-arrays" && line.address && isGlobal(line.kind)) {
        const std::int64_t step = std::abs(line.address->thread[0]);
        std::set<std::int64_t> used;
        for (const ProgramLine& other : launch.lines) {
            if (other.source == line.source && other.array == line.array && other.address &&
                std::abs(other.address->thread[0]) == step)
                for (std::int64_t byte = 0; byte < other.address->elementBytes; ++byte)
                    used.insert(((other.address->start + byte) % step + step) % step);
        }
        constexpr std::int64_t vector = 16;
        if (step > vector && step % vector == 0 && line.address->elementBytes < vector)
            cause.detail += std::string(remedyNamed(cause.advice).words) + " Less work: " +
                            (isAligned(kernel, line) ? "" : "align the structure to 16 bytes, ") +
                            "load it by " + std::to_string(step / vector) +
                            " float4 into a copy in registers, and work on that.";
        if (line.address->elementBytes == vector)
            cause.detail += std::string(remedyNamed(cause.advice).words) +
                            " It is read 16 bytes at a time already.";
        if (std::cmp_greater_equal(2 * used.size(), step))
            cause.detail +=
                (cause.detail.empty() ? std::string(remedyNamed(cause.advice).words) : "") +
                " The kernel uses " + std::to_string(used.size()) + " of its " +
                std::to_string(step) +
                " bytes: what is saved is requests to L1, not so much of DRAM.";
    }
    if (cause.advice == "tile-in-shared-memory" && launch.launch.block.z > 1 && line.address &&
        std::abs(line.address->thread[2]) == line.address->elementBytes) {
        const Extents block = launch.launch.block;
        const std::string side = std::to_string(32 / line.address->elementBytes);
        cause.detail =
            "Threads that differ in threadIdx.z are neighbours in memory here: bring a tile of x "
            "and z into shared memory along x, and take it out along z. In a block of " +
            std::to_string(block.x) + " x " + std::to_string(block.y) + " x " +
            std::to_string(block.z) + " a stretch is " + std::to_string(block.z) +
            (std::cmp_less(block.z * line.address->elementBytes, 32)
                 ? " elements long, less than a sector of 32 bytes: with dim3(" + side + ", 1, " +
                       side + ") threads or more along both it is whole."
                 : " elements long.");
    }
    if (cause.advice.starts_with("vector-") && line.address) {
        const std::int64_t step = std::abs(line.address->thread[0]);
        const bool isLoad = cause.advice == "vector-load";
        const std::string parts = std::to_string(step / line.address->elementBytes);
        const std::string type =
            line.address->elementBytes == bytesPerBankWord ? ", float" + parts : std::string();
        cause.detail =
            std::string("A thread ") + (isLoad ? "loads " : "stores ") + parts +
            " neighbours one by one. " +
            (std::has_single_bit(static_cast<std::uint64_t>(step))
                 ? std::string(isLoad ? "Load" : "Store") + " them at once, as one vector of " +
                       std::to_string(step) + " bytes" + type + " or the like; or let "
                 : "There is no vector of " + std::to_string(step) +
                       " bytes to do it at once: bring them through shared memory, or let ") +
            "neighbouring threads take neighbouring elements, each a thread's first one, then all "
            "threads' second ones: i and i + total in place of " +
            parts + " * i and " + parts + " * i + 1.";
    }
    if (cause.advice != "other-index") return;
    cause.detail = otherIndex(line, passesInOrder(kernel, line, launch),
                              launch.launch.grid.count() * launch.launch.block.count());
    if (cause.detail.empty()) cause.advice.clear();
}

}  // namespace

std::string blocksOf(const std::string& words, std::uint32_t before, std::uint32_t after) {
    const std::string size = std::to_string(before);
    const std::regex up(R"(\(\s*(.+?)\s*\+\s*)" + std::to_string(before - 1) + R"(\s*\)\s*/\s*)" +
                        size);
    const std::regex down(R"((\w+)\s*/\s*)" + size);
    std::smatch count;
    if (before == 1 && after != 1 && words.find('/') == std::string::npos)
        return '(' + words + " + " + std::to_string(after - 1) + ") / " + std::to_string(after);
    const bool isUp = std::regex_match(words, count, up);
    if (before == after || (!isUp && !std::regex_match(words, count, down))) return words;
    const std::string all = count.str(1);
    const std::string threads = std::to_string(after);
    return after == 1 ? all
           : isUp     ? '(' + all + " + " + std::to_string(after - 1) + ") / " + threads
                      : all + " / " + threads;
}

void findEdits(const ProgramLine& line, const LaunchReport& launch, const ProgramSources& sources,
               RemedyCause& cause) {
    const Extents block = launch.launch.block;
    const std::optional<KernelText> kernel = kernelAt(sources.units, line.place);
    if (!kernel && isLocal(line.kind)) return;
    if (!kernel) {
        // A function that kernels call: nothing is edited, all that is known is told.
        const std::string_view text = textOf(sources, line.place.file);
        if (text.empty()) return;
        const KernelText whole{SourceEdit(text, line.place.file), {}, TextSpan{0, text.size()}};
        cause.advice = adviceFor(line, whole, launch);
        return detailAdvice(line, whole, launch, cause);
    }
    if (isLocal(line.kind)) return findLocalEdits(*kernel, line, sources, cause);
    const ProgramLine even = asIfEven(*kernel, line);
    cause.advice = adviceFor(even, *kernel, launch);
    // Where several lines change their distance it is no sum: a scan, a sorting network.
    const bool isNoSum = std::ranges::any_of(launch.lines, [&](const ProgramLine& other) {
        return other.array == line.array && other.place.line != line.place.line && other.address &&
               !other.address->eachPass.empty();
    });
    if (cause.advice == "sequential-addressing" && line.kind != AccessKind::branch && isNoSum)
        cause.advice = line.sectors == 0 ? "fewer-conflicts" : "other-index";
    detailAdvice(even, *kernel, launch, cause);
    if (cause.advice == "sequential-addressing") addHalvesUp(*kernel, line, cause);
    if (line.kind == AccessKind::branch) {
        if (line.lanes && line.lanes->bit && !cause.advice.empty())
            branchByWarp(*kernel, line, cause);
        return;
    }
    if (line.kind == AccessKind::constantLoad) return constantToGlobal(*kernel, line, cause);
    if (isAtomic(line.kind)) return aggregateAtomics(*kernel, line, cause);
    if (line.sectors == 0) padShared(*kernel, line, launch, namedNumbers(launch, sources), cause);
    if (cause.advice == "warp-for-each-row") warpForEachRow(*kernel, line, launch, cause);
    if (isGlobal(line.kind)) moveOutOfCases(*kernel, line, cause);
    if (isGlobal(line.kind)) exchangeQuotient(*kernel, cause);
    if (!line.address) return;
    const AddressFormula& formula = *line.address;
    const std::int64_t step = std::abs(formula.thread[0]);
    if (step > formula.elementBytes) {
        alignStructure(*kernel, line, cause);
        copyAsVector(*kernel, line, cause);
    }
    const std::int64_t element = elementStep(formula, isOfMember(*kernel, line));
    // Of blocks of one thread along an axis their index goes on.
    const Extents grid = launch.launch.grid;
    const auto isAlong = [&](std::size_t axis, std::uint32_t extent, std::uint32_t blocks) {
        const bool isKnown = extent > 1 || (blocks > 1 && !formula.isOfRequest);
        return line.sectors != 0 && isKnown && step > element &&
               std::abs((extent > 1 ? formula.thread : formula.block).at(axis)) == element;
    };
    if (isAlong(2, block.z, grid.z)) exchangeAxes(*kernel, launch, 2, cause);
    if (isAlong(1, block.y, grid.y)) {
        // What it is copied from or to has neighbours already: an exchange would part those.
        const bool isTransposed = std::ranges::any_of(launch.lines, [&](const ProgramLine& other) {
            return other.place.line == line.place.line && other.place.file == line.place.file &&
                   other.kind != line.kind && isGlobal(other.kind) && other.address &&
                   std::abs(other.address->thread[0]) == other.address->elementBytes;
        });
        if (isTransposed) tileInShared(*kernel, line, launch, cause);
        if (cause.edits.empty()) takeCrosswise(*kernel, line, launch, cause);
        if (cause.edits.empty()) exchangeAxes(*kernel, launch, 1, cause);
    }
    if (block.y > 1 && (block.x < lanesPerWarp || block.x % lanesPerWarp != 0) && !formula.ofLanes)
        reshapeBlock(*kernel, launch, cause);
    if (line.sectors != 0 && step > formula.elementBytes) {
        if (line.kind == AccessKind::load) loadVectors(*kernel, line, cause);
        if (line.kind == AccessKind::store) storeVectors(*kernel, line, cause);
        changeVectors(*kernel, line, cause);
        // Of the grid, or where each row of threads has its own stretch of that.
        if (formula.ofLanes || formula.isOfRequest) strideLoops(*kernel, "warpSize", cause);
        for (const char* const threads : {"gridDim.x * blockDim.x", "blockDim.x"})
            strideLoops(*kernel, threads, cause);
        if (line.kind == AccessKind::load) loadLoopInVectors(*kernel, line, cause);
    }
}

}  // namespace warplens
