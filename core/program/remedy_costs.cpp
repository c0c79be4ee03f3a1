#include <algorithm>
#include <set>

#include "core/launch/mapping.h"
#include "core/program/cuda_tokens.h"
#include "core/program/remedy_edits.h"
#include "core/text/encoding.h"

namespace warplens {

using source::SourceEdit;
using source::TextSpan;

bool KernelText::says(std::string_view word) const {
    const std::size_t at = source::findWord(text.masked(), word, body.begin);
    return at != source::nowhere && at < body.end;
}

std::size_t KernelText::beginOf(std::uint32_t line) const {
    return source::skipBlanks(text.masked(), std::max(text.line(line).begin, body.begin));
}

std::optional<KernelText> kernelAt(const ProgramSources& sources, const SourcePlace& place) {
    const auto unit = std::ranges::find(sources.units, place.file, &ProgramFile::path);
    if (unit == sources.units.end() || place.line == 0) return std::nullopt;
    SourceEdit text(unit->text);
    const TextSpan line = text.line(place.line);
    for (source::KernelSource& kernel : source::kernelsIn(text.masked())) {
        const TextSpan body{kernel.bodyBegin, kernel.bodyEnd};
        if (body.begin <= line.end && line.begin < body.end)
            return KernelText{unit->path, std::move(text), std::move(kernel), body};
    }
    return std::nullopt;
}

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
        if (!kernel.empty() && !tokens[name].is(kernel)) continue;
        LaunchSite site{tokens[name].begin, {}, {}};
        const std::size_t end = text.masked().find(">>>", tokens[at].end);
        if (end == source::nowhere) continue;
        int depth = 0;
        std::size_t begin = tokens[at].end;
        for (std::size_t i = begin; i <= end; ++i) {
            const char c = text.masked()[i];
            if (c == '(' || c == '{') ++depth;
            if (c == ')' || c == '}') --depth;
            if (i != end && (c != ',' || depth != 0)) continue;
            const std::size_t first = source::skipBlanks(text.masked(), begin);
            site.configuration.push_back({first, i});
            begin = i + 1;
        }
        const std::size_t open = source::skipBlanks(text.masked(), end + 3);
        if (open < text.masked().size()) site.arguments = text.argumentsAt(open);
        if (site.configuration.size() >= 2) sites.push_back(std::move(site));
    }
    return sites;
}

std::vector<TextSpan> dimensionsOf(const SourceEdit& text, TextSpan argument, std::size_t at) {
    const auto ofDim = [&](TextSpan span) -> std::vector<TextSpan> {
        const std::string_view words = text.textOf(span);
        const std::size_t open = text.masked().find_first_of("({", span.begin);
        const bool isDim =
            words.starts_with("dim3") || words.starts_with('(') || words.starts_with('{');
        if (!isDim || open >= span.end || source::closing(text.masked(), open) != span.end)
            return {span};
        std::vector<TextSpan> all = text.argumentsAt(open);
        return all.empty() ? std::vector<TextSpan>{span} : all;
    };
    const std::string_view words = text.textOf(argument);
    if (std::ranges::all_of(words, source::isNameCharacter)) {
        if (const auto value = text.valueOf(words, at)) return ofDim(*value);
    }
    return ofDim(argument);
}

void addEdit(RemedyCause& cause, std::string_view remedy, const std::string& file,
             const SourceEdit& edit) {
    if (!edit.isChanged()) return;
    RemedyEdit made{std::string(remedy), file, edit.result()};
    const auto isSame = [&](const RemedyEdit& other) { return other.text == made.text; };
    if (std::ranges::none_of(cause.edits, isSame)) cause.edits.push_back(std::move(made));
}

namespace {

/// Where the number stands that a dimension comes from: itself, or what a name is defined as.
std::optional<TextSpan> literalOf(const SourceEdit& text, TextSpan span, std::size_t at) {
    for (int names = 0; names < 4; ++names) {
        if (source::wholeNumber(text.textOf(span))) return span;
        const auto value = text.valueOf(text.textOf(span), at);
        if (!value) return std::nullopt;
        span = *value;
    }
    return std::nullopt;
}

bool isThreadIndex(std::string_view word) {
    return word == "threadIdx" || word == "blockIdx" || word == "blockDim" || word == "gridDim";
}

/// Each in the other's place; `block.x` in them becomes `block.y` where it stands for the axis.
void exchangeTexts(SourceEdit& edit, TextSpan a, TextSpan b, bool exchangesAxes) {
    const auto exchanged = [&](TextSpan span) {
        std::string words(edit.textOf(span));
        for (std::size_t at = 1; exchangesAxes && at < words.size(); ++at) {
            const bool isEnd = at + 1 == words.size() || !source::isNameCharacter(words[at + 1]);
            if (words[at - 1] == '.' && isEnd && (words[at] == 'x' || words[at] == 'y'))
                words[at] = words[at] == 'x' ? 'y' : 'x';
        }
        return words;
    };
    const std::string first = exchanged(a);
    const std::string second = exchanged(b);
    if (second != edit.textOf(a)) edit.replace(a, second);
    if (first != edit.textOf(b)) edit.replace(b, first);
}

/// In the kernel and in its launches; then in the kernel alone, and of the thread alone.
void exchangeAxes(const KernelText& kernel, RemedyCause& cause) {
    const auto exchanged = [&](bool isOfThreadOnly) {
        SourceEdit edit = kernel.text;
        const std::vector<CudaToken> tokens = edit.tokensIn(kernel.body);
        for (std::size_t at = 0; at + 2 < tokens.size(); ++at) {
            const bool isMeant =
                isOfThreadOnly ? tokens[at].is("threadIdx") : isThreadIndex(tokens[at].text);
            if (!isMeant || !tokens[at + 1].is(".")) continue;
            const CudaToken& axis = tokens[at + 2];
            if (axis.is("x")) edit.replace({axis.begin, axis.end}, "y");
            if (axis.is("y")) edit.replace({axis.begin, axis.end}, "x");
        }
        return edit;
    };
    // A grid that is worked out from the block follows it; other numbers are exchanged on both.
    const auto withLaunch = [&](bool followsBlock) {
        SourceEdit edit = exchanged(false);
        std::set<std::size_t> done;
        for (const LaunchSite& site : launchSites(edit, kernel.kernel.name)) {
            for (std::size_t at = 0; at < (followsBlock ? 1u : 2u); ++at) {
                const auto axes = dimensionsOf(edit, site.configuration[at], site.begin);
                if (axes.size() >= 2 && done.insert(axes[0].begin).second)
                    exchangeTexts(edit, axes[0], axes[1], followsBlock);
            }
        }
        return edit;
    };
    addEdit(cause, "exchange-x-and-y", kernel.file, withLaunch(true));
    addEdit(cause, "exchange-x-and-y", kernel.file, withLaunch(false));
    addEdit(cause, "exchange-x-and-y", kernel.file, exchanged(false));
    addEdit(cause, "exchange-x-and-y", kernel.file, exchanged(true));
}

/// Shapes of as many threads: rows of a warp first, then longer ones, then shorter.
void reshapeBlock(const KernelText& kernel, const LaunchReport& launch, RemedyCause& cause) {
    const Extents block = launch.launch.block;
    const std::uint32_t plane = block.x * block.y;
    for (const std::uint32_t x : {32u, 64u, 128u, 256u, 16u}) {
        if (x == block.x || plane % x != 0) continue;
        for (const LaunchSite& site : launchSites(kernel.text, kernel.kernel.name)) {
            const std::vector<TextSpan> axes =
                dimensionsOf(kernel.text, site.configuration[1], site.begin);
            if (axes.size() < 2) continue;
            const auto first = literalOf(kernel.text, axes[0], site.begin);
            const auto second = literalOf(kernel.text, axes[1], site.begin);
            if (!first || !second) continue;
            SourceEdit edit = kernel.text;
            // One name for both sides of a square stays what it is elsewhere.
            const bool isOne = first->begin == second->begin;
            edit.replace(isOne ? axes[0] : *first, std::to_string(x));
            edit.replace(isOne ? axes[1] : *second, std::to_string(plane / x));
            addEdit(cause, "block-shape", kernel.file, edit);
        }
    }
}

/// The last bracket of `__shared__ float tile[A][B]`, or of the only one.
void padShared(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    for (std::size_t at = source::findWord(kernel.text.masked(), "__shared__", kernel.body.begin);
         at != source::nowhere && at < kernel.body.end;
         at = source::findWord(kernel.text.masked(), "__shared__", at + 1)) {
        const TextSpan declared = kernel.text.statementAt(at);
        std::vector<TextSpan> sizes = kernel.text.indicesOf(line.array, declared);
        if (sizes.empty()) continue;
        while (kernel.text.masked()[sizes.back().end + 1] == '[') {
            const std::size_t closed = source::closing(kernel.text.masked(), sizes.back().end + 1);
            if (closed == source::nowhere) return;
            sizes.push_back({sizes.back().end + 2, closed - 1});
        }
        SourceEdit edit = kernel.text;
        if (sizes.size() > 1) {
            edit.insert(sizes.back().end, " + 1");
            return addEdit(cause, "pad-shared-array", kernel.file, edit);
        }
        if (!line.address || sizes.front().size() == 0) return;
        // `tile[row * 32 + column]`: the factor that rows are apart by.
        const AddressFormula& formula = *line.address;
        std::set<std::string> factors;
        for (const std::int64_t bytes : {formula.thread[0], formula.thread[1]}) {
            const std::int64_t apart = std::abs(bytes / formula.elementBytes);
            if (apart < 2) continue;
            factors.insert(std::to_string(apart));
            for (const CudaToken& token : kernel.text.tokens()) {
                if (token.kind != CudaTokenKind::identifier ||
                    factors.contains(std::string(token.text)))
                    continue;
                const auto value = kernel.text.valueOf(token.text, kernel.body.end);
                if (value && source::wholeNumber(kernel.text.textOf(*value)) == apart)
                    factors.insert(std::string(token.text));
            }
            factors.insert({"blockDim.x", "blockDim.y"});
        }
        std::string used;
        for (const TextSpan index : kernel.text.indicesOf(line.array, kernel.body)) {
            if (declared.holds(index.begin)) continue;
            const std::vector<CudaToken> tokens = kernel.text.tokensIn(index);
            for (std::size_t i = 0; i < tokens.size(); ++i) {
                const bool isDim = tokens[i].is("blockDim") && i + 2 < tokens.size();
                const TextSpan factor{tokens[i].begin, isDim ? tokens[i + 2].end : tokens[i].end};
                const std::string name(kernel.text.textOf(factor));
                const std::size_t after = i + (isDim ? 3 : 1);
                const bool isFactor = (i > 0 && tokens[i - 1].is("*")) ||
                                      (after < tokens.size() && tokens[after].is("*"));
                if (!isFactor || !factors.contains(name)) continue;
                if (!used.empty() && used != name) return;
                used = name;
                edit.replace(factor, '(' + name + " + 1)");
            }
        }
        if (used.empty() || used.starts_with("blockDim")) return;
        const std::string size(kernel.text.textOf(sizes.front()));
        edit.replace(sizes.front(), '(' + size + ") / " + used + " * (" + used + " + 1)");
        return addEdit(cause, "pad-shared-array", kernel.file, edit);
    }
}

constexpr std::string_view allThreads = "gridDim.x * blockDim.x";

/// `for (int k = 0; k < C; ++k) ... a[t * C + k]`, and `for (int i = t * C; i < t * C + C; ++i)`.
void strideLoops(const KernelText& kernel, RemedyCause& cause) {
    const SourceEdit& text = kernel.text;
    for (const std::size_t at : text.callsOf("for")) {
        if (!kernel.body.holds(at)) continue;
        const std::size_t open = text.masked().find('(', at);
        const std::size_t closed = source::closing(text.masked(), open);
        if (closed == source::nowhere) continue;
        const std::vector<CudaToken> head = text.tokensIn({open + 1, closed - 1});
        std::vector<std::size_t> ends;
        for (std::size_t i = 0; i < head.size(); ++i) {
            if (head[i].is(";")) ends.push_back(i);
        }
        const auto equals =
            std::ranges::find_if(head, [](const CudaToken& t) { return t.is("="); });
        if (ends.size() != 2 || equals == head.begin() ||
            equals >= head.begin() + static_cast<std::ptrdiff_t>(ends[0]))
            continue;
        const std::string_view counter = std::prev(equals)->text;
        const TextSpan first{std::next(equals)->begin, head[ends[0]].begin};
        const TextSpan step{head[ends[1]].end, closed - 1};
        const auto less = std::find_if(head.begin() + static_cast<std::ptrdiff_t>(ends[0]),
                                       head.begin() + static_cast<std::ptrdiff_t>(ends[1]),
                                       [](const CudaToken& t) { return t.is("<"); });
        if (less == head.begin() + static_cast<std::ptrdiff_t>(ends[1])) continue;
        std::size_t limitEnd = head[ends[1]].begin;
        for (auto i = less; i < head.begin() + static_cast<std::ptrdiff_t>(ends[1]); ++i) {
            if (i->is("&")) {
                limitEnd = i->begin;
                break;
            }
        }
        const TextSpan limit{std::next(less)->begin, limitEnd};
        if (text.textOf(first) == "0") {
            // Each `t * C + k` in the kernel: t is what stands before the factor.
            SourceEdit edit = text;
            const std::string count(trimmed(text.textOf(limit)));
            const std::vector<CudaToken> tokens = text.tokensIn(kernel.body);
            for (std::size_t i = 4; i < tokens.size(); ++i) {
                if (!tokens[i].is(counter) || !tokens[i - 1].is("+") || !tokens[i - 2].is(count) ||
                    !tokens[i - 3].is("*"))
                    continue;
                std::size_t from = i - 4;
                if (tokens[from].is(")")) {
                    int depth = 0;
                    for (; from > 0; --from) {
                        depth += tokens[from].is(")") ? 1 : tokens[from].is("(") ? -1 : 0;
                        if (depth == 0) break;
                    }
                }
                while (from > 1 && tokens[from - 1].is(".")) from -= 2;
                const TextSpan thread{tokens[from].begin, tokens[i - 4].end};
                edit.replace({thread.begin, tokens[i].end}, std::string(counter) + " * (" +
                                                                std::string(allThreads) + ") + " +
                                                                std::string(text.textOf(thread)));
            }
            addEdit(cause, "stride-by-block", kernel.file, edit);
            continue;
        }
        TextSpan begin = first;
        if (const auto value = text.valueOf(text.textOf(first), at)) begin = *value;
        const std::string_view words = text.textOf(begin);
        const std::size_t times = words.rfind('*');
        const std::string_view stepped = text.textOf(step);
        if (times == words.npos || stepped.find("++") == stepped.npos) continue;
        const std::string thread(trimmed(words.substr(0, times)));
        const std::string count(trimmed(words.substr(times + 1)));
        SourceEdit edit = text;
        edit.replace(first, thread);
        const bool hasMore = limitEnd != head[ends[1]].begin;
        edit.replace({limit.begin, hasMore ? limitEnd : limit.end},
                     count + " * (int)(" + std::string(allThreads) + ')' + (hasMore ? " " : ""));
        edit.replace(step, ' ' + std::string(counter) + " += " + std::string(allThreads));
        addEdit(cause, "stride-by-block", kernel.file, edit);
    }
}

/// `a[4 * i]`, `a[4 * i + 1]`, ... of what is only read.
void loadVectors(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    const auto parameter =
        std::ranges::find(kernel.kernel.parameters, line.array, &source::KernelParameter::name);
    if (parameter == kernel.kernel.parameters.end() ||
        parameter->type.find("const") == std::string::npos)
        return;
    std::string type = source::unqualified(parameter->type);
    if (!type.ends_with('*')) return;
    type.pop_back();
    type = std::string(trimmed(type));
    if (type != "float" && type != "int" && type != "unsigned" && type != "unsigned int") return;
    const std::string vector = type.starts_with("unsigned") ? "uint4" : type + '4';
    std::vector<TextSpan> all;
    std::string base;
    std::set<std::size_t> seen;
    SourceEdit edit = kernel.text;
    for (const TextSpan index : kernel.text.indicesOf(line.array, kernel.body)) {
        std::string words;
        for (const CudaToken& token : kernel.text.tokensIn(index)) words += token.text;
        std::size_t part = 0;
        if (const std::size_t plus = words.rfind('+');
            plus != words.npos && plus + 2 == words.size()) {
            part = static_cast<std::size_t>(words.back() - '0');
            words.resize(plus);
        }
        std::string of;
        if (words.starts_with("4*")) of = words.substr(2);
        if (words.ends_with("*4")) of = words.substr(0, words.size() - 2);
        if (of.empty() || part > 3 || (!base.empty() && base != of)) return;
        base = of;
        seen.insert(part);
        all.push_back(index);
        const std::size_t name = kernel.text.masked().rfind(line.array, index.begin);
        edit.replace({name, index.end + 1}, line.array + "4." + "xyzw"[part]);
    }
    if (seen.size() < 2) return;
    const TextSpan statement = kernel.text.statementAt(all.front().begin);
    edit.insertLineBefore(statement.begin, "const " + vector + ' ' + line.array +
                                               "4 = reinterpret_cast<const " + vector + "*>(" +
                                               line.array + ")[" + base + "];");
    addEdit(cause, "vector-load", kernel.file, edit);
}

/// `x % 2` becomes `x / 32 % 2`.
void branchByWarp(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    SourceEdit edit = kernel.text;
    const std::vector<CudaToken> tokens = edit.tokensIn(edit.line(line.place.line));
    for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
        if (tokens[at].is("%") && source::wholeNumber(tokens[at + 1].text))
            edit.insert(tokens[at].begin, "/ warpSize ");
        if (tokens[at].is("&") && tokens[at + 1].is("1"))
            edit.replace({tokens[at].begin, tokens[at + 1].end}, "/ warpSize & 1");
    }
    addEdit(cause, "branch-by-warp", kernel.file, edit);
}

/// `atomicAdd(&a[i], v);` whose result nobody uses.
void aggregateAtomics(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    const TextSpan row = kernel.text.line(line.place.line);
    for (const std::size_t at : kernel.text.callsOf("atomicAdd")) {
        if (!row.holds(at)) continue;
        const std::size_t open = kernel.text.masked().find('(', at);
        const std::size_t closed = source::closing(kernel.text.masked(), open);
        const std::vector<TextSpan> arguments = kernel.text.argumentsAt(open);
        const TextSpan ruled = kernel.text.ruledAt(kernel.text.statementAt(at), at);
        if (arguments.size() != 2 || closed == source::nowhere || ruled.begin != at ||
            kernel.text.masked()[closed] != ';')
            continue;
        std::string target(kernel.text.textOf(arguments[0]));
        const std::string value(kernel.text.textOf(arguments[1]));
        const std::vector<TextSpan> index = kernel.text.indicesOf(line.array, arguments[0]);
        const bool isOne = line.address && line.address->thread == std::array<std::int64_t, 3>{};
        std::string group = "cooperative_groups::coalesced_threads()";
        if (!isOne) {
            if (index.empty()) continue;
            group = "cooperative_groups::labeled_partition(" + group + ", label)";
            target.replace(index.back().begin - arguments[0].begin, index.back().size(), "label");
        }
        SourceEdit edit = kernel.text;
        const std::string indent = "\n" + edit.indentAt(at) + "    ";
        const std::string label =
            isOne ? ""
                  : indent + "const auto label = " + std::string(edit.textOf(index.back())) + ';';
        edit.replace({at, closed + 1},
                     "{" + label + indent + "const auto lanes = " + group + ";" + indent +
                         "const auto sum = cooperative_groups::reduce(lanes, " + value +
                         ", cooperative_groups::plus<decltype(" + value + " + " + value + ")>());" +
                         indent + "if (lanes.thread_rank() == 0) atomicAdd(" + target +
                         ", sum);\n" + edit.indentAt(at) + '}');
        if (edit.textOf({0, at}).find("cooperative_groups/reduce.h") == std::string_view::npos)
            edit.insert(0, "#include <cooperative_groups/reduce.h>\n");
        addEdit(cause, "aggregate-atomics", kernel.file, edit);
    }
}

/// What can only be told, by what the addresses are.
std::string adviceFor(const ProgramLine& line, const KernelText& kernel) {
    if (line.kind == AccessKind::branch)
        return line.lanes && (line.lanes->bit || line.lanes->every) ? "whole-warps" : "";
    if (isAtomic(line.kind)) {
        // What is exchanged cannot be added up first.
        const std::string_view row = kernel.text.textOf(kernel.text.line(line.place.line));
        const bool isSum = row.find("CAS") == row.npos && row.find("Exch") == row.npos;
        return isSum ? "aggregate-atomics" : "";
    }
    if (!line.address) return {};
    const AddressFormula& formula = *line.address;
    const std::int64_t step = std::abs(formula.thread[0]);
    if (!formula.eachPass.empty()) return "sequential-addressing";
    if (line.sectors == 0) return "fewer-conflicts";
    for (const TextSpan index :
         kernel.text.indicesOf(line.array, kernel.text.line(line.place.line))) {
        if (kernel.text.masked()[index.end + 1] == '.') return "structure-of-arrays";
    }
    if (step <= formula.elementBytes) return {};
    if (std::abs(formula.thread[1]) == formula.elementBytes) return "tile-in-shared-memory";
    if (!formula.loops.empty() && std::abs(formula.loops.front().bytes) == formula.elementBytes)
        return "warp-for-each-row";
    return "other-index";
}

}  // namespace

void findEdits(const ProgramLine& line, const LaunchReport& launch, const ProgramSources& sources,
               RemedyCause& cause) {
    const std::optional<KernelText> kernel = kernelAt(sources, line.place);
    if (!kernel) return;
    cause.advice = adviceFor(line, *kernel);
    const Extents block = launch.launch.block;
    if (line.kind == AccessKind::branch) {
        if (line.lanes && line.lanes->bit) branchByWarp(*kernel, line, cause);
        return;
    }
    if (isAtomic(line.kind)) return aggregateAtomics(*kernel, line, cause);
    if (line.sectors == 0) padShared(*kernel, line, cause);
    if (!line.address) return;
    const AddressFormula& formula = *line.address;
    const std::int64_t step = std::abs(formula.thread[0]);
    if (line.sectors != 0 && block.y > 1 && step > formula.elementBytes &&
        std::abs(formula.thread[1]) == formula.elementBytes) {
        // What it is copied from or to has neighbours already: an exchange would part those.
        const bool isTransposed = std::ranges::any_of(launch.lines, [&](const ProgramLine& other) {
            return other.place.line == line.place.line && other.place.file == line.place.file &&
                   other.kind != line.kind && other.address &&
                   std::abs(other.address->thread[0]) == other.address->elementBytes;
        });
        if (isTransposed) tileInShared(*kernel, line, launch, cause);
        if (cause.edits.empty()) exchangeAxes(*kernel, cause);
    }
    if (block.y > 1 && block.x < lanesPerWarp && !formula.ofLanes)
        reshapeBlock(*kernel, launch, cause);
    if (line.sectors != 0 && step > formula.elementBytes) {
        if (line.kind == AccessKind::load) loadVectors(*kernel, line, cause);
        strideLoops(*kernel, cause);
    }
}

}  // namespace warplens
