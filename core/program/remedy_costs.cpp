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
    return source::findWord(masked(), word, body.begin) < body.end;
}

std::size_t KernelText::beginOf(std::uint32_t number) const {
    return source::skipBlanks(masked(), std::max(line(number).begin, body.begin));
}

std::string KernelText::elementOf(std::string_view parameter) const {
    const auto found =
        std::ranges::find(kernel.parameters, parameter, &source::KernelParameter::name);
    if (found == kernel.parameters.end()) return {};
    const std::string type = source::unqualified(found->type);
    return type.ends_with('*') ? type.substr(0, type.find_last_not_of(" *") + 1) : std::string();
}

std::vector<KernelText::Shared> KernelText::sharedNamed(std::string_view array) const {
    std::vector<Shared> found;
    for (const CudaToken& token : tokensIn(body)) {
        if (!token.is("__shared__")) continue;
        const TextSpan statement = statementAt(token.begin);
        std::vector<TextSpan> sizes = indicesOf(array, statement);
        while (!sizes.empty() && masked()[sizes.back().end + 1] == '[') {
            const std::size_t closed = source::closing(masked(), sizes.back().end + 1);
            if (closed == source::nowhere) break;
            sizes.push_back({sizes.back().end + 2, closed - 1});
        }
        found.push_back({statement, std::move(sizes)});
    }
    return found;
}

std::optional<KernelText> kernelAt(const std::vector<ProgramFile>& files,
                                   const SourcePlace& place) {
    const auto file = std::ranges::find(files, place.file, &ProgramFile::path);
    if (file == files.end() || place.line == 0) return std::nullopt;
    SourceEdit text(file->text, file->path);
    const TextSpan line = text.line(place.line);
    for (source::KernelSource& kernel : source::kernelsIn(text.masked())) {
        const TextSpan body{kernel.bodyBegin, kernel.bodyEnd};
        if (body.begin <= line.end && line.begin < body.end)
            return KernelText{std::move(text), std::move(kernel), body};
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
        const std::size_t end = text.masked().find(">>>", tokens[at].end);
        if (end == source::nowhere || (!kernel.empty() && !tokens[name].is(kernel))) continue;
        LaunchSite site{tokens[name].begin, text.partsOf({tokens[at].end, end}, ','), {}};
        const std::size_t open = source::skipBlanks(text.masked(), end + 3);
        if (open < text.masked().size()) site.arguments = text.argumentsAt(open);
        if (site.configuration.size() >= 2) sites.push_back(std::move(site));
    }
    return sites;
}

std::vector<TextSpan> dimensionsOf(const SourceEdit& text, const LaunchSite& site,
                                   std::size_t which) {
    const TextSpan argument = site.configuration[which];
    const TextSpan span = text.valueOf(text.textOf(argument), site.begin).value_or(argument);
    const std::string_view words = text.textOf(span);
    const std::size_t open = text.masked().find_first_of("({", span.begin);
    const bool isDim =
        words.starts_with("dim3") || words.starts_with('(') || words.starts_with('{');
    if (!isDim || open >= span.end || source::closing(text.masked(), open) != span.end)
        return {span};
    std::vector<TextSpan> all = text.argumentsAt(open);
    return all.empty() ? std::vector<TextSpan>{span} : all;
}

TextSpan behindNames(const SourceEdit& text, TextSpan name, std::size_t at) {
    for (int names = 0; names < 4; ++names) {
        const auto value = text.valueOf(text.textOf(name), at);
        if (!value) break;
        name = *value;
    }
    return name;
}

void exchangeAxes(SourceEdit& edit, TextSpan within, bool isOfThreadOnly) {
    constexpr std::array<std::string_view, 4> all{"threadIdx", "blockIdx", "blockDim", "gridDim"};
    const std::vector<CudaToken> tokens = edit.tokensIn(within);
    for (std::size_t at = 0; at + 2 < tokens.size(); ++at) {
        const auto named = std::ranges::find(all, tokens[at].text) - all.begin();
        const CudaToken& axis = tokens[at + 2];
        if (named < (isOfThreadOnly ? 1 : 4) && tokens[at + 1].is(".") &&
            (axis.is("x") || axis.is("y")))
            edit.replace({axis.begin, axis.end}, axis.is("x") ? "y" : "x");
    }
}

void addEdit(RemedyCause& cause, std::string_view remedy, const SourceEdit& edit) {
    if (!edit.isChanged()) return;
    RemedyEdit made{std::string(remedy), edit.file(), edit.result()};
    const auto isSame = [&](const RemedyEdit& other) { return other.text == made.text; };
    if (std::ranges::none_of(cause.edits, isSame)) cause.edits.push_back(std::move(made));
}

namespace {

/// Each in the other's place; `block.x` in them becomes `block.y` where it stands for the axis.
void exchangeTexts(SourceEdit& edit, TextSpan a, TextSpan b, bool exchangesAxes) {
    const auto exchanged = [&](TextSpan span) {
        std::string words = edit.copyOf(span);
        for (std::size_t at = 1; exchangesAxes && at < words.size(); ++at) {
            const bool isEnd = at + 1 == words.size() || !source::isNameCharacter(words[at + 1]);
            if (words[at - 1] == '.' && isEnd && (words[at] == 'x' || words[at] == 'y'))
                words[at] = words[at] == 'x' ? 'y' : 'x';
        }
        return words;
    };
    edit.replace(a, exchanged(b)).replace(b, exchanged(a));
}

/// In the kernel and in its launches; then in the kernel alone, and of the thread alone.
void exchangeXAndY(const KernelText& kernel, RemedyCause& cause) {
    // A grid that is worked out from the block follows it; other numbers are exchanged on both.
    for (const bool followsBlock : {true, false}) {
        SourceEdit edit = kernel;
        exchangeAxes(edit, kernel.body, false);
        std::set<std::size_t> done;
        for (const LaunchSite& site : launchSites(edit, kernel.kernel.name)) {
            for (std::size_t at = 0; at < (followsBlock ? 1u : 2u); ++at) {
                const auto axes = dimensionsOf(edit, site, at);
                if (axes.size() >= 2 && done.insert(axes[0].begin).second)
                    exchangeTexts(edit, axes[0], axes[1], followsBlock);
            }
        }
        addEdit(cause, "exchange-x-and-y", edit);
    }
    for (const bool isOfThreadOnly : {false, true}) {
        SourceEdit edit = kernel;
        exchangeAxes(edit, kernel.body, isOfThreadOnly);
        addEdit(cause, "exchange-x-and-y", edit);
    }
}

/// Shapes of as many threads: rows of a warp first, then longer ones, then shorter.
void reshapeBlock(const KernelText& kernel, const LaunchReport& launch, RemedyCause& cause) {
    const Extents block = launch.launch.block;
    const std::uint32_t plane = block.x * block.y;
    for (const std::uint32_t x : {32u, 64u, 128u, 256u, 16u}) {
        if (x == block.x || plane % x != 0) continue;
        for (const LaunchSite& site : launchSites(kernel, kernel.kernel.name)) {
            const std::vector<TextSpan> axes = dimensionsOf(kernel, site, 1);
            if (axes.size() < 2) continue;
            const TextSpan first = behindNames(kernel, axes[0], site.begin);
            const TextSpan second = behindNames(kernel, axes[1], site.begin);
            if (!source::wholeNumber(kernel.textOf(first)) ||
                !source::wholeNumber(kernel.textOf(second)))
                continue;
            // One name for both sides of a square stays what it is elsewhere.
            const bool isOne = first.begin == second.begin;
            addEdit(cause, "block-shape",
                    SourceEdit(kernel)
                        .replace(isOne ? axes[0] : first, std::to_string(x))
                        .replace(isOne ? axes[1] : second, std::to_string(plane / x)));
        }
    }
}

/// The last bracket of `__shared__ float tile[A][B]`, or of the only one.
void padShared(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    for (const auto& [declared, sizes] : kernel.sharedNamed(line.array)) {
        if (sizes.empty()) continue;
        SourceEdit edit = kernel;
        if (sizes.size() > 1)
            return addEdit(cause, "pad-shared-array", edit.insert(sizes.back().end, " + 1"));
        if (!line.address || sizes.front().size() == 0) return;
        // `tile[row * 32 + column]`: the factor that rows are apart by.
        const AddressFormula& formula = *line.address;
        std::set<std::string, std::less<>> factors;
        for (const std::int64_t bytes : {formula.thread[0], formula.thread[1]}) {
            const std::int64_t apart = std::abs(bytes / formula.elementBytes);
            if (apart < 2) continue;
            factors.insert({std::to_string(apart), "blockDim.x", "blockDim.y"});
            for (const CudaToken& token : kernel.tokens()) {
                if (token.kind != CudaTokenKind::identifier || factors.contains(token.text))
                    continue;
                const auto value = kernel.valueOf(token.text, kernel.body.end);
                if (value && source::wholeNumber(kernel.textOf(*value)) == apart)
                    factors.emplace(token.text);
            }
        }
        std::string used;
        for (const TextSpan index : kernel.indicesOf(line.array, kernel.body)) {
            if (declared.holds(index.begin)) continue;
            const std::vector<CudaToken> tokens = kernel.tokensIn(index);
            for (std::size_t i = 0; i < tokens.size(); ++i) {
                const bool isDim = tokens[i].is("blockDim") && i + 2 < tokens.size();
                const std::size_t after = i + (isDim ? 3 : 1);
                const TextSpan factor{tokens[i].begin, tokens[after - 1].end};
                const std::string name = kernel.copyOf(factor);
                const bool isFactor = (i > 0 && tokens[i - 1].is("*")) ||
                                      (after < tokens.size() && tokens[after].is("*"));
                if (!isFactor || !factors.contains(name)) continue;
                if (!used.empty() && used != name) return;
                used = name;
                edit.replace(factor, '(' + name + " + 1)");
            }
        }
        if (used.empty() || used.starts_with("blockDim")) return;
        edit.replace(sizes.front(),
                     '(' + kernel.copyOf(sizes.front()) + ") / " + used + " * (" + used + " + 1)");
        return addEdit(cause, "pad-shared-array", edit);
    }
}

auto isToken(std::string_view word) {
    return [word](const CudaToken& token) { return token.is(word); };
}

/// `for (int k = 0; k < C; ++k) ... a[t * C + k]`, and `for (int i = t * C; i < t * C + C; ++i)`.
void strideLoops(const KernelText& kernel, RemedyCause& cause) {
    const std::string allThreads = "gridDim.x * blockDim.x";
    for (const source::SourceCall& loop : kernel.callsOf("for", kernel.body)) {
        const std::size_t open = kernel.masked().find('(', loop.begin);
        const std::vector<TextSpan> head = kernel.partsOf({open + 1, loop.end - 1}, ';');
        if (head.size() != 3) continue;
        const auto begins = kernel.partsOf(head[0], '=');
        const std::vector<CudaToken> named = kernel.tokensIn(begins[0]);
        const std::vector<CudaToken> test = kernel.tokensIn(head[1]);
        const auto less = std::ranges::find_if(test, isToken("<"));
        if (begins.size() != 2 || named.empty() || test.end() - less < 2) continue;
        const std::string counter(named.back().text);
        const auto other = std::find_if(less + 2, test.end(), isToken("&"));
        const TextSpan limit{std::next(less)->begin, std::prev(other)->end};
        SourceEdit edit = kernel;
        if (kernel.textOf(begins[1]) == "0") {
            // Each `t * C + k` in the kernel: t is what stands before the factor.
            const std::vector<CudaToken> tokens = kernel.tokensIn(kernel.body);
            for (std::size_t i = 4; i < tokens.size(); ++i) {
                if (!tokens[i].is(counter) || !tokens[i - 1].is("+") ||
                    !tokens[i - 2].is(kernel.textOf(limit)) || !tokens[i - 3].is("*"))
                    continue;
                std::size_t from = i - 4;
                int depth = 0;
                for (;; --from) {
                    depth += tokens[from].is(")") ? 1 : tokens[from].is("(") ? -1 : 0;
                    if (depth == 0 || from == 0) break;
                }
                while (from > 1 && tokens[from - 1].is(".")) from -= 2;
                const TextSpan thread{tokens[from].begin, tokens[i - 4].end};
                edit.replace({thread.begin, tokens[i].end},
                             counter + " * (" + allThreads + ") + " + kernel.copyOf(thread));
            }
            addEdit(cause, "stride-by-block", edit);
            continue;
        }
        const std::string_view words =
            kernel.textOf(kernel.valueOf(kernel.textOf(begins[1]), loop.begin).value_or(begins[1]));
        const std::size_t times = words.rfind('*');
        if (times == words.npos || kernel.textOf(head[2]).find("++") == words.npos) continue;
        const std::string count(trimmed(words.substr(times + 1)));
        edit.replace(begins[1], std::string(trimmed(words.substr(0, times))))
            .replace(limit, count + " * (int)(" + allThreads + ')')
            .replace(head[2], counter + " += " + allThreads);
        addEdit(cause, "stride-by-block", edit);
    }
}

/// `a[4 * i]`, `a[4 * i + 1]`, ... of what is only read.
void loadVectors(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    const auto isRead = [&](const source::KernelParameter& parameter) {
        return parameter.name == line.array && parameter.type.find("const") != std::string::npos;
    };
    const std::string type = kernel.elementOf(line.array);
    if (!std::ranges::any_of(kernel.kernel.parameters, isRead) ||
        (type != "float" && type != "int" && type != "unsigned" && type != "unsigned int"))
        return;
    const std::string vector = type.starts_with("unsigned") ? "uint4" : type + '4';
    const std::vector<TextSpan> all = kernel.indicesOf(line.array, kernel.body);
    std::string base;
    std::set<std::size_t> seen;
    SourceEdit edit = kernel;
    for (const TextSpan index : all) {
        std::string words;
        for (const CudaToken& token : kernel.tokensIn(index)) words += token.text;
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
        const std::size_t name = kernel.masked().rfind(line.array, index.begin);
        edit.replace({name, index.end + 1}, line.array + "4." + "xyzw"[part]);
    }
    if (seen.size() < 2) return;
    addEdit(
        cause, "vector-load",
        edit.insertLineBefore(kernel.statementAt(all.front().begin).begin,
                              "const " + vector + ' ' + line.array + "4 = reinterpret_cast<const " +
                                  vector + "*>(" + line.array + ")[" + base + "];"));
}

/// `x % 2` becomes `x / 32 % 2`.
void branchByWarp(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    SourceEdit edit = kernel;
    const std::vector<CudaToken> tokens = edit.tokensIn(edit.line(line.place.line));
    for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
        if ((tokens[at].is("%") && source::wholeNumber(tokens[at + 1].text)) ||
            (tokens[at].is("&") && tokens[at + 1].is("1")))
            edit.insert(tokens[at].begin, "/ warpSize ");
    }
    addEdit(cause, "branch-by-warp", edit);
}

/// `atomicAdd(&a[i], v);` whose result nobody uses.
void aggregateAtomics(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    for (const auto& [at, end, arguments] :
         kernel.callsOf("atomicAdd", kernel.line(line.place.line))) {
        const TextSpan ruled = kernel.ruledAt(kernel.statementAt(at), at);
        if (arguments.size() != 2 || ruled.begin != at || kernel.masked()[end] != ';') continue;
        std::string target = kernel.copyOf(arguments[0]);
        const std::string value = kernel.copyOf(arguments[1]);
        const std::string indent = "\n" + kernel.indentAt(at) + "    ";
        std::string group = "cooperative_groups::coalesced_threads()";
        std::string label;
        if (!line.address || line.address->thread != std::array<std::int64_t, 3>{}) {
            const std::vector<TextSpan> index = kernel.indicesOf(line.array, arguments[0]);
            if (index.empty()) continue;
            group = "cooperative_groups::labeled_partition(" + group + ", label)";
            label = indent + "const auto label = " + kernel.copyOf(index.back()) + ';';
            target.replace(index.back().begin - arguments[0].begin, index.back().size(), "label");
        }
        SourceEdit edit = kernel;
        edit.replace({at, end + 1},
                     "{" + label + indent + "const auto lanes = " + group + ";" + indent +
                         "const auto sum = cooperative_groups::reduce(lanes, " + value +
                         ", cooperative_groups::plus<decltype(" + value + " + " + value + ")>());" +
                         indent + "if (lanes.thread_rank() == 0) atomicAdd(" + target +
                         ", sum);\n" + kernel.indentAt(at) + '}');
        if (kernel.textOf({0, at}).find("cooperative_groups/reduce.h") == std::string_view::npos)
            edit.insert(0, "#include <cooperative_groups/reduce.h>\n");
        addEdit(cause, "aggregate-atomics", edit);
    }
}

/// What can only be told, by what the addresses are.
std::string adviceFor(const ProgramLine& line, const KernelText& kernel) {
    if (line.kind == AccessKind::branch)
        return line.lanes && (line.lanes->bit || line.lanes->every) ? "whole-warps" : "";
    if (isAtomic(line.kind)) {
        // What is exchanged cannot be added up first.
        const std::string_view row = kernel.textOf(kernel.line(line.place.line));
        const bool isSum = row.find("CAS") == row.npos && row.find("Exch") == row.npos;
        return isSum ? "aggregate-atomics" : "";
    }
    if (!line.address) return {};
    const AddressFormula& formula = *line.address;
    const std::int64_t step = std::abs(formula.thread[0]);
    if (!formula.eachPass.empty()) return "sequential-addressing";
    if (line.sectors == 0) return "fewer-conflicts";
    for (const TextSpan index : kernel.indicesOf(line.array, kernel.line(line.place.line))) {
        if (kernel.masked()[index.end + 1] == '.') return "structure-of-arrays";
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
    const std::optional<KernelText> kernel = kernelAt(sources.units, line.place);
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
        if (cause.edits.empty()) exchangeXAndY(*kernel, cause);
    }
    if (block.y > 1 && block.x < lanesPerWarp && !formula.ofLanes)
        reshapeBlock(*kernel, launch, cause);
    if (line.sectors != 0 && step > formula.elementBytes) {
        if (line.kind == AccessKind::load) loadVectors(*kernel, line, cause);
        strideLoops(*kernel, cause);
    }
}

}  // namespace warplens
