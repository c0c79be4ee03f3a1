#include <array>
#include <regex>
#include <set>

#include "core/launch/mapping.h"
#include "core/program/loop_use.h"
#include "core/program/remedy_edits.h"

namespace warplens {

using source::SourceEdit;
using source::TextSpan;

namespace {

/// Where what the braces around an offset hold begins.
std::size_t blockBegin(const KernelText& kernel, std::size_t at) {
    for (int depth = 0; at-- > kernel.body.begin;) {
        depth += kernel.masked()[at] == '}' ? 1 : kernel.masked()[at] == '{' ? -1 : 0;
        if (depth < 0) return at + 1;
    }
    return kernel.body.begin;
}

/// The lanes' parts of what a loop adds up, or takes the least or most of, brought together in all
/// of them; nothing where a sum does not begin with nothing.
std::optional<std::string> bringTogether(const KernelText& kernel, TextSpan loop) {
    static const std::regex form(
        R"(\b(\w+)\s*(?:\+=|=\s*\1\s*\+|=\s*(?:(f?max|f?min|fmaxf|fminf)|fmaf?)\s*\())");
    static const std::regex nothing(R"(0(?:\.0*)?f?)");
    const std::string words = kernel.copyOf(loop);
    std::string code;
    std::set<std::string> done;
    for (std::sregex_iterator at(words.begin(), words.end(), form), end; at != end; ++at) {
        const std::string name = at->str(1);
        if (!done.insert(name).second) continue;
        const auto value = kernel.valueOf(name, loop.begin);
        if (!(*at)[2].matched && !(value && std::regex_match(kernel.copyOf(*value), nothing)))
            return std::nullopt;
        const std::string other = "__shfl_xor_sync(0xffffffff, " + name + ", step)";
        code += '\n' + kernel.indentAt(loop.begin) +
                "for (int step = warpSize / 2; step > 0; step /= 2) " + name +
                ((*at)[2].matched ? " = " + at->str(2) + '(' + name + ", " + other + ")"
                                  : " += " + other) +
                ';';
    }
    return code.empty() ? std::nullopt : std::optional(code);
}

/// As many warps as there were threads: `blocks * 32` in the launch, or within its dim3, unless
/// another kernel's launch has that, too.
bool multiplyGrid(const KernelText& kernel, SourceEdit& edit) {
    static const std::regex inBrackets(R"(\([^()]*\))");
    const std::string& masked = kernel.masked();
    std::set<std::size_t> done;
    for (const LaunchSite& site : launchSites(kernel, kernel.kernel.name)) {
        const std::size_t before = masked.find_last_not_of(" \t\n", site.grid[0].begin - 1);
        const bool isOfDim = masked[before] == '(' || masked[before] == '{';
        for (const LaunchSite& other : launchSites(kernel)) {
            if (isOfDim && other.grid[0].begin == site.grid[0].begin &&
                source::findWord(masked, kernel.kernel.name, other.begin) != other.begin)
                return false;
        }
        const TextSpan count = isOfDim ? site.grid[0] : site.numbers[0];
        if (!done.insert(count.begin).second) continue;
        const std::string blocks = kernel.copyOf(count);
        const bool isProduct =
            std::regex_replace(blocks, inBrackets, "").find_first_of("-+?:<>|&^%") ==
            source::nowhere;
        const std::string lanes = std::to_string(lanesPerWarp);
        edit.replace(count, blocks == "1"
                                ? lanes
                                : (isProduct ? blocks : '(' + blocks + ')') + " * " + lanes);
    }
    return !done.empty();
}

}  // namespace

void warpForEachRow(const KernelText& kernel, const ProgramLine& line, const LaunchReport& launch,
                    RemedyCause& cause) {
    static const std::regex thread(gridIndex);
    static const std::regex form(
        R"(([^;]*?\b(\w+)\s*=\s*)([^;]+)(;[^;]*;\s*)(?:\+\+\s*\2|\2\s*(?:\+\+|\+=\s*1))\s*)");
    static const std::regex ofThreads("threadIdx|blockIdx|gridDim|__shared__|__sync|__shfl");
    const Extents block = launch.launch.block;
    const std::string body = kernel.copyOf(kernel.body);
    std::smatch row;
    if (block.x % lanesPerWarp != 0 || block.y * block.z != 1 ||
        !std::regex_search(body, row, thread) || row.str(1) + row.str(2) != "x" ||
        std::regex_search(row.prefix().str() + row.suffix().str(), ofThreads))
        return;
    const std::string& masked = kernel.masked();
    SourceEdit edit = kernel;
    const std::size_t first = kernel.body.begin + static_cast<std::size_t>(row.position());
    edit.replace({first, first + row.str().size()}, '(' + row.str() + ") / warpSize");
    const auto loop = source::loopAround(kernel, accessBegin(kernel, line));
    if (!loop) return;
    for (std::size_t at = source::skipBlanks(masked, blockBegin(kernel, loop->begin));
         masked[at] != '}';) {
        const TextSpan whole = kernel.statementAt(at);
        const std::string_view words = kernel.textOf(whole);
        if (source::findWord(words, "for") == 0) {
            const std::size_t open = masked.find('(', at);
            const TextSpan head{open + 1, source::closing(masked, open) - 1};
            const std::string all = kernel.copyOf(head);
            const TextSpan inside{head.end + 1, whole.end};
            const source::LoopUse use = source::useOf(kernel, inside);
            std::smatch parts;
            if (use.carries || !std::regex_match(all, parts, form)) return;
            edit.replace(head, parts.str(1) + (parts.str(3) == "0" ? "" : parts.str(3) + " + ") +
                                   "threadIdx.x % warpSize" + parts.str(4) + parts.str(2) +
                                   " += warpSize");
            if (use.addsUp) {
                const auto together = bringTogether(kernel, inside);
                if (!together) return;
                edit.insert(whole.end, *together);
            }
        } else if (source::findWord(words, "while") == 0 || source::findWord(words, "do") == 0) {
            return;
        } else if (source::useOf(kernel, whole).stores || words.find("atomic") != words.npos) {
            edit.insert(at, "if (threadIdx.x % warpSize == 0) ");
        }
        at = source::skipBlanks(masked, whole.end);
    }
    if (multiplyGrid(kernel, edit)) addEdit(cause, "warp-for-each-row", edit);
}

void addHalvesUp(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause) {
    static const std::regex form(
        R"((\s*(?:\w+\s+)*(\w+)\s*=\s*)1\s*;\s*\2\s*<\s*([^;&|]+?)\s*;\s*\2\s*(?:\*=\s*2|<<=\s*1|\+=\s*\2)\s*)");
    const std::size_t access = accessBegin(kernel, line);
    for (const source::Statement& loop : kernel.statementsAround(access)) {
        const std::string head = kernel.copyOf(loop.condition);
        std::smatch parts;
        if (!kernel.textOf(loop.whole).starts_with("for") || !std::regex_match(head, parts, form))
            continue;
        const std::string step = parts.str(2);
        const std::string limit = parts.str(3);
        const bool isOne = limit.find_first_of("+-*/") == std::string::npos;
        const std::string twice = R"((?:2\s*\*\s*)" + step + '|' + step + R"(\s*\*\s*2))";
        const std::string thread = R"(\b(threadIdx\.x|[A-Za-z_]\w*))";
        const TextSpan inside{loop.condition.end + 1, loop.whole.end};
        std::string body = kernel.copyOf(inside);
        // `t % (2 * s) == 0`, `(t & (2 * s - 1)) == 0`
        body = std::regex_replace(
            body,
            std::regex(R"((?:\(\s*)" + thread + R"(\s*(?:%\s*\(\s*)" + twice + R"(|&\s*\(\s*)" +
                       twice + R"(\s*-\s*1)\s*\)\s*\)|)" + thread + R"(\s*%\s*\(\s*)" + twice +
                       R"(\s*\))\s*==\s*0)"),
            "$1$2 < " + step);
        // `int at = 2 * s * t; if (at < n)`
        const std::regex index(R"(\b(\w+)\s*=\s*)" + twice + R"(\s*\*\s*)" + thread + "\\s*;");
        std::smatch at;
        if (std::regex_search(body, at, index)) {
            const std::string name = at.str(1);
            body.replace(static_cast<std::size_t>(at.position()), at.str().size(),
                         name + " = " + at.str(2) + ';');
            body = std::regex_replace(body, std::regex("\\b" + name + R"(\s*<\s*[\w.]+)"),
                                      name + " < " + step);
        }
        if (body == kernel.textOf(inside)) continue;
        SourceEdit edit = kernel;
        edit.replace(loop.condition, parts.str(1) + (isOne ? limit : '(' + limit + ')') + " / 2; " +
                                         step + " > 0; " + step + " /= 2");
        addEdit(cause, "sequential-addressing", edit.replace(inside, body));
    }
}

}  // namespace warplens
