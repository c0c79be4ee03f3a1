#include "core/program/launch_shape.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <regex>
#include <set>

#include "core/launch/mapping.h"
#include "core/program/index_derivation.h"
#include "core/text/encoding.h"
#include "core/text/format.h"

namespace warplens {
namespace {

std::uint64_t threadsOf(const LaunchReport& launch) {
    return launch.launch.grid.count() * launch.launch.block.count();
}

/// Whether a name is set once and never changed, as by a loop.
bool isSetOnce(const std::string& name, const std::string& body) {
    const std::regex changed(R"((\+\+|--)\s*)" + name + R"(\b|\b)" + name +
                             R"(\s*(\+\+|--|[-+*/%&|^]=|<<=|>>=|=(?!=)))");
    return std::distance(std::sregex_iterator(body.begin(), body.end(), changed),
                         std::sregex_iterator()) == 1;
}

/// From 1, of an offset.
std::uint32_t lineNumber(const source::SourceEdit& text, std::size_t at) {
    return static_cast<std::uint32_t>(std::ranges::count(text.masked().substr(0, at), '\n')) + 1;
}

/// Whether another launch does what this one leaves.
bool isDoneByAnother(const ProgramTrace& trace, const LaunchReport& launch, std::uint64_t threads,
                     std::uint64_t left) {
    return std::ranges::any_of(trace.launches, [&](const LaunchReport& other) {
        const auto& arguments = other.arguments.entries();
        if (other.kernel == launch.kernel && other.arguments == launch.arguments) return false;
        return threadsOf(other) == left ||
               std::ranges::any_of(arguments, [&](const auto& argument) {
                   return std::cmp_equal(argument.second, threads) ||
                          std::cmp_equal(argument.second, left);
               });
    });
}

/// `x.cu:9: step <<<4, 49>>>: ` and the words.
void addOnce(std::vector<std::string>& all, const LaunchReport& launch, const std::string& words) {
    const std::string text = launch.place.file + ':' + std::to_string(launch.place.line) + ": " +
                             shortKernelName(launch.kernel) + ' ' + toLaunchSyntax(launch.launch) +
                             ": " + words;
    if (std::ranges::find(all, text) == all.end()) all.push_back(text);
}

/// The one line that stores to the array, and its launch; null where there are none or several.
std::pair<const LaunchReport*, const ProgramLine*> onlyStoreTo(const ProgramTrace& trace,
                                                               const std::string& array) {
    std::pair<const LaunchReport*, const ProgramLine*> found{};
    for (const LaunchReport& launch : trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            if (line.source != Source::predicted || line.array != array ||
                line.kind != AccessKind::store)
                continue;
            if (found.first != nullptr) return {};
            found = {&launch, &line};
        }
    }
    return found;
}

std::uint32_t Extents::*alongOf(char axis) {
    return axis == 'x' ? &Extents::x : axis == 'y' ? &Extents::y : &Extents::z;
}

/// `c` of `c < cols`, and where along the grid it is.
struct GridGuard final {
    std::string name;
    char axis = 'x';
    std::uint32_t Extents::*along = &Extents::x;    ///< of the grid
    std::uint32_t Extents::*ofBlock = &Extents::x;  ///< whose threads it counts within a block
    std::string limit;
    bool isLess = true;                   ///< else `>=`
    std::uint64_t threads = 0;            ///< that the grid has along it
    std::optional<std::uint64_t> most{};  ///< what the limit is, where it is an argument
    std::uint32_t line = 0;               ///< of its condition
};

/// What a condition asks of names that are set to a thread's place in the grid, as `blockIdx.y * 16
/// + threadIdx.y`; of a square block by its other axis, too, as where a tile is stored.
std::vector<GridGuard> guardsIn(const std::string& condition, const std::string& body,
                                const LaunchReport& launch) {
    static const std::regex comparison(R"(\b(\w+)\s*(<|>=)\s*(\w+))");
    const Extents& block = launch.launch.block;
    std::vector<GridGuard> all;
    for (std::sregex_iterator one(condition.begin(), condition.end(), comparison), end; one != end;
         ++one) {
        const std::regex set(
            "\\b" + one->str(1) +
            R"(\s*=\s*(?:threadIdx\.([xyz])\s*\+\s*)?(?:[\w.]+\s*\*\s*blockIdx\.([xyz])|blockIdx\.([xyz])\s*\*\s*[\w.]+))"
            R"((?:\s*\+\s*threadIdx\.([xyz]))?\s*[;,])");
        std::smatch found;
        if (!std::regex_search(body, found, set) || found[1].matched == found[4].matched) continue;
        const char axis = (found.str(2) + found.str(3)).front();
        GridGuard guard{.name = one->str(1),
                        .axis = axis,
                        .along = alongOf(axis),
                        .ofBlock = alongOf((found.str(1) + found.str(4)).front()),
                        .limit = one->str(3),
                        .isLess = one->str(2) == "<"};
        if (block.*guard.along != block.*guard.ofBlock) continue;
        guard.threads = std::uint64_t{launch.launch.grid.*guard.along} * block.*guard.along;
        for (const auto& [name, value] : launch.arguments.entries()) {
            if (name == guard.limit && value >= 0) guard.most = static_cast<std::uint64_t>(value);
        }
        all.push_back(std::move(guard));
    }
    return all;
}

/// `the grid ends at c = 159 along x`
std::string gridEndsAt(const GridGuard& guard) {
    return std::string(gridEnds) + guard.name + " = " + groupedDigits(guard.threads - 1) +
           " along " + guard.axis;
}

/// Of a guard that the grid is too short for, where the limits of two guards in each other's place
/// would do, and one is multiplied by its own: `y < h` of `y * h + x`. Empty of others.
std::string limitsExchanged(const GridGuard& guard, const std::vector<GridGuard>& all,
                            const std::string& body) {
    const auto isTimesLimit = [&](const GridGuard& one) {
        return std::regex_search(
            body, std::regex("\\b(" + one.name + R"(\s*\*\s*)" + one.limit + "|" + one.limit +
                             R"(\s*\*\s*)" + one.name + ")\\b"));
    };
    for (const GridGuard& other : all) {
        if (other.along == guard.along || other.limit == guard.limit || !other.most ||
            guard.threads < *other.most || other.threads < *guard.most)
            continue;
        for (const auto& [one, next] : {std::pair{&guard, &other}, std::pair{&other, &guard}}) {
            if (isTimesLimit(*one))
                return "the limits of " + one->name + " and " + next->name +
                       " are in each other's place: " + one->name + " is multiplied by " +
                       one->limit + ", the length of a row, and asked to be less than that";
        }
    }
    return {};
}

/// What keeps threads from what stands at a place, or the grid from having them.
struct ShortAxis final {
    std::string words{};
    LeftOut why = LeftOut::unknown;
    GridGuard guard{};
    std::vector<GridGuard> all{};
};

/// `the grid ends at c = 159 along x, though cols is 420`, of the conditions around what stands at
/// the place and of those by which threads leave before; empty where the grid is long enough.
ShortAxis shortAxis(const KernelText& kernel, std::size_t at, const LaunchReport& launch) {
    const std::string body = kernel.copyOf(kernel.body);
    ShortAxis axis;
    for (const CudaToken& token : kernel.tokensIn({kernel.body.begin, at})) {
        if (!token.is("if")) continue;
        const source::Statement guard = kernel.statementsAround(token.begin).back();
        if (!guard.inside.holds(at) &&
            source::findWord(kernel.textOf(guard.inside), "return") == source::nowhere)
            continue;
        for (GridGuard& each : guardsIn(kernel.copyOf(guard.condition), body, launch)) {
            each.line = lineNumber(kernel, token.begin);
            if (each.most) axis.all.push_back(std::move(each));
        }
    }
    const auto isShort = [](const GridGuard& each) { return each.threads < *each.most; };
    const auto found = std::ranges::find_if(axis.all, isShort);
    if (found == axis.all.end()) return axis;
    axis.guard = *found;
    axis.why = LeftOut::byCondition;
    axis.words = limitsExchanged(axis.guard, axis.all, body);
    if (!axis.words.empty()) return axis;
    axis.why = LeftOut::byGrid;
    axis.words = gridEndsAt(axis.guard) + ", though " + axis.guard.limit + " is " +
                 groupedDigits(*axis.guard.most);
    return axis;
}

/// A thread that the guard keeps out, in the first block that has such along its axis.
void showKeptOut(const GridGuard& guard, const LaunchReport& launch, Finding& finding) {
    if (!guard.most || guard.threads <= *guard.most || finding.block) return;
    const auto inBlock = launch.launch.block.*guard.ofBlock;
    const auto indexAlong = [](std::uint32_t Extents::*axis, std::uint64_t value) {
        const auto at = static_cast<std::uint32_t>(value);
        return axis == &Extents::x   ? Index3{at, 0, 0}
               : axis == &Extents::y ? Index3{0, at, 0}
                                     : Index3{0, 0, at};
    };
    finding.block = indexAlong(guard.along, *guard.most / inBlock);
    finding.thread = indexAlong(guard.ofBlock, *guard.most % inBlock);
}

/// `row = blockIdx.y * blockDim.x + threadIdx.y`, or `blockIdx.x * gridDim.x + threadIdx.x`: blocks
/// begin further apart than they have threads, or less far. Of a block's size nothing where a loop
/// has the index, which may take what is between.
std::optional<Finding> gapOfIndex(const KernelText& kernel, const LaunchReport& launch) {
    static const std::regex form(
        R"((?:\b(\w+)\s*=\s*|[^-*/%\s]\s*)(?:blockIdx\.([xyz])\s*\*\s*(block|grid)Dim\.([xyz])|(block|grid)Dim\.([xyz])\s*\*\s*blockIdx\.([xyz]))\s*\+\s*(threadIdx\.[xyz]|\w+)\b(?!\s*[*/%[(.]))");
    const std::string body = kernel.masked().substr(kernel.body.begin, kernel.body.size());
    const auto isInLoop = [&](const std::string& name) {
        return std::ranges::any_of(kernel.tokensIn(kernel.body), [&](const CudaToken& token) {
            return (token.is("for") || token.is("while")) &&
                   (name.empty() ||
                    source::findWord(
                        kernel.textOf(kernel.statementsAround(token.begin).back().whole), name) !=
                        source::nowhere);
        });
    };
    for (std::sregex_iterator one(body.begin(), body.end(), form), end; one != end; ++one) {
        const std::string name = one->str(1);
        const std::string block = one->str(2) + one->str(7);
        const std::string of = one->str(3) + one->str(5);
        const std::string axis = one->str(4) + one->str(6);
        const std::size_t at = kernel.body.begin + static_cast<std::size_t>(one->position(8));
        const auto value = kernel.valueOf(one->str(8), at);
        const std::string thread = value ? kernel.copyOf(*value) : one->str(8);
        const Extents& sizes = of == "grid" ? launch.launch.grid : launch.launch.block;
        const std::uint64_t apart = sizes.*alongOf(axis[0]);
        const std::uint64_t threads = launch.launch.block.*alongOf(block[0]);
        const std::uint64_t blocks = launch.launch.grid.*alongOf(block[0]);
        if (thread != "threadIdx." + block || apart == threads || blocks < 2 ||
            (of == "block" && isInLoop(name)))
            continue;
        const std::uint64_t first = apart > threads ? threads : (blocks - 1) * apart + threads;
        const std::uint64_t last = (apart > threads ? apart : blocks * threads) - 1;
        return Finding{.kind = FindingKind::notReached,
                       .words = "no thread has " + (name.empty() ? "the index" : name) + " = " +
                                groupedDigits(first) +
                                (first == last ? "" : " to " + groupedDigits(last)) +
                                ": a block begins every " + of + "Dim." + axis + ", which is " +
                                groupedDigits(apart) + ", and its " + thread + " ends at " +
                                groupedDigits(threads - 1),
                       .place = {kernel.file(), lineNumber(kernel, at), 1},
                       .kernel = launch.kernel,
                       .launch = launch.index,
                       .leftOut = LeftOut::byIndex};
    }
    return std::nullopt;
}

/// A load of `in[y * h + x]` where y is less than h, and x goes on to w, which is more: what no row
/// ends with is not reached then, and no result need show it.
std::optional<Finding> overlappingRows(const KernelText& kernel, const LaunchReport& launch,
                                       const std::vector<GridGuard>& guards,
                                       const std::string& body) {
    for (const GridGuard& row : guards) {
        for (const GridGuard& column : guards) {
            if (row.along == column.along || *row.most >= *column.most) continue;
            const std::regex access(R"(\b(\w+)\s*\[\s*(?:)" + row.name + R"(\s*\*\s*)" + row.limit +
                                    "|" + row.limit + R"(\s*\*\s*)" + row.name + R"()\s*\+\s*)" +
                                    column.name + R"(\s*\](?!\s*[-+*/]?=))");
            std::smatch found;
            if (!std::regex_search(body, found, access)) continue;
            return Finding{
                .kind = FindingKind::notReached,
                .words = "no thread reaches the end of " + found.str(1) + ": " + row.name +
                         " is multiplied by " + row.limit + ", which is " +
                         groupedDigits(*row.most) + ", and " + column.name + " goes on to " +
                         groupedDigits(*column.most - 1) + ", into the next row",
                .place = {kernel.file(),
                          lineNumber(kernel, kernel.body.begin +
                                                 static_cast<std::size_t>(found.position(1))),
                          1},
                .kernel = launch.kernel,
                .launch = launch.index,
                .accessed =
                    AccessedBytes{.array = found.str(1),
                                  .elements = static_cast<std::int64_t>(*row.most * *column.most)}};
        }
    }
    return std::nullopt;
}

/// `out[y * width + x]` where x goes on beyond width, with no condition on it: the last threads of
/// a row are in the next one, and no bounds are broken but in the last row.
std::optional<Finding> rowsOverrun(const KernelText& kernel, const LaunchReport& launch,
                                   const std::string& body) {
    static const std::regex access(R"(\b(\w+)\s*\[\s*\w+\s*\*\s*(\w+)\s*\+\s*(\w+)\s*\])");
    for (std::sregex_iterator one(body.begin(), body.end(), access), end; one != end; ++one) {
        const std::string column = one->str(3);
        const std::regex asked("\\b" + column + R"(\s*(?:<|>)|(?:<|>)=?\s*)" + column + "\\b");
        const auto guards = guardsIn(column + " < " + one->str(2), body, launch);
        if (guards.empty() || guards[0].threads <= guards[0].most.value_or(guards[0].threads) ||
            std::regex_search(body, asked))
            continue;
        const GridGuard& row = guards[0];
        return Finding{.kind = FindingKind::mayBeWhy,
                       .words = "a row of " + one->str(1) + " ends at " + column + " = " +
                                groupedDigits(*row.most - 1) + ", as " + row.limit + " is " +
                                groupedDigits(*row.most) + ", and threads go on to " + column +
                                " = " + groupedDigits(row.threads - 1) +
                                ", into the next row: no condition keeps them out",
                       .place = {kernel.file(),
                                 lineNumber(kernel, kernel.body.begin +
                                                        static_cast<std::size_t>(one->position())),
                                 1},
                       .kernel = launch.kernel,
                       .launch = launch.index};
    }
    return std::nullopt;
}

/// Of a kernel's finding that names no cause: that the grid is too short, where it is.
void tellShortAxis(Finding& finding, const ProgramTrace& trace, const ProgramSources& sources) {
    const auto launch =
        std::ranges::find(trace.launches, finding.launch.value_or(0), &LaunchReport::index);
    const auto kernel = kernelAt(sources.units, finding.place);
    if (!kernel || launch == trace.launches.end()) return;
    // Where an if stands in the same line, what it rules.
    const source::TextSpan line = kernel->line(finding.place.line);
    const std::size_t last =
        line.begin + kernel->masked().substr(line.begin, line.size()).find_last_not_of(" \n}");
    const ShortAxis axis =
        shortAxis(*kernel, std::max(kernel->beginOf(finding.place.line), last), *launch);
    if (axis.why != LeftOut::byCondition &&
        (axis.words.empty() || finding.leftOut != LeftOut::byIndex))
        return;
    finding.words = finding.words.substr(0, finding.words.rfind(": ")) + ": " + axis.words;
    finding.leftOut = axis.why;
}

}  // namespace

void tellWhyUnwritten(ProgramTrace& trace, const ProgramSources& sources) {
    static const std::regex form(R"((?:^|the last )(\d+) of the (\d+) elements copied from (\w+))");
    for (Finding& finding : trace.findings) {
        std::smatch parts;
        const std::string words = finding.words;
        if (finding.kind != FindingKind::notReached && finding.kind != FindingKind::unwrittenMemory)
            continue;
        if (!finding.kernel.empty()) tellShortAxis(finding, trace, sources);
        if (!finding.kernel.empty() || !std::regex_search(words, parts, form)) continue;
        const auto [launch, store] = onlyStoreTo(trace, parts.str(3));
        const auto kernel = store == nullptr ? std::nullopt : kernelAt(sources.units, store->place);
        if (!kernel) continue;
        const std::uint64_t elements = std::stoull(parts.str(2));
        const std::uint64_t written = elements - std::stoull(parts.str(1));
        const std::size_t at = accessBegin(*kernel, *store);
        const ShortAxis axis = shortAxis(*kernel, at, *launch);
        if (!axis.words.empty()) {
            finding.words += "; " + axis.words;
            finding.leftOut = axis.why;
        }
        if (axis.why == LeftOut::byCondition) {
            for (const GridGuard& guard : axis.all) showKeptOut(guard, *launch, finding);
            finding.otherLine =
                std::exchange(finding.place, {kernel->file(), axis.guard.line, 1}).line;
            finding.kernel = launch->kernel;
            finding.launch = launch->index;
        }
        if (!axis.words.empty()) continue;
        const std::string body = kernel->masked().substr(kernel->body.begin, kernel->body.size());
        for (const source::Statement& each : kernel->statementsAround(at)) {
            if (!kernel->body.holds(each.whole.begin) ||
                !kernel->textOf(each.whole).starts_with("if") || !each.inside.holds(at))
                continue;
            const std::string stored = kernel->copyOf(kernel->ruledAt(at));
            const std::string index = stored.substr(0, stored.find('='));
            const IndexDerivation made(index, body, "");
            const bool isKeptOut = threadsOf(*launch) >= elements && store->activeLanes == written;
            std::set<std::string> asked;
            Finding told = finding;
            for (const GridGuard& guard : guardsIn(kernel->copyOf(each.condition), body, *launch)) {
                const bool isOther = std::ranges::none_of(made.texts(), [&](std::string_view text) {
                    return source::findWord(text, guard.name) != source::nowhere;
                });
                if (isOther) asked.insert(guard.name);
                if (isOther || isKeptOut) showKeptOut(guard, *launch, told);
            }
            if (isKeptOut || !asked.empty()) {
                told.asked = joined(asked, " and ");
                told.words +=
                    "; the grid has the threads, and the condition of this line keeps them out";
                if (!asked.empty())
                    told.words += ": it asks of " + told.asked + ", which `" +
                                  std::string(trimmed(index)) + "` is not made of";
                told.leftOut = LeftOut::byCondition;
                told.accessed = AccessedBytes{.kind = store->kind,
                                              .array = index.substr(0, index.find('[')),
                                              .elements = static_cast<std::int64_t>(elements)};
                told.otherLine = finding.place.line;
                told.place = {kernel->file(), lineNumber(*kernel, each.whole.begin), 1};
                told.kernel = launch->kernel;
                told.launch = launch->index;
                finding = std::move(told);
            }
            break;
        }
    }
}

std::string askedShapeInWords(const LaunchReport& launch) {
    if (!launch.overridden) return {};
    const Launch& now = launch.launch;
    const std::uint64_t own = launch.own.threadCount();
    if (now.threadCount() < own)
        return "as asked for: " + groupedDigits(now.threadCount()) + " of the program's " +
               counted(own, "thread") + "; what the others do may be left out";
    const auto isFewer = [&](std::uint32_t Extents::*axis) {
        return std::uint64_t{now.grid.*axis} * now.block.*axis <
               std::uint64_t{launch.own.grid.*axis} * launch.own.block.*axis;
    };
    if (now.grid == launch.own.grid) {
        const std::string axes =
            joined(std::array{&Extents::x, &Extents::y, &Extents::z} | std::views::filter(isFewer),
                   ", ", [](auto axis) {
                       return axis == &Extents::x ? "x" : axis == &Extents::y ? "y" : "z";
                   });
        return axes.empty() ? "as asked for, not as the program has it"
                            : "as asked for: fewer threads along " + axes +
                                  " than the program has; what these do may be left out";
    }
    return "as asked for: grid " + toString(launch.own.grid) + " -> " + toString(now.grid) +
           (now.block == launch.own.block ? "" : ", to cover as many threads");
}

std::vector<std::string> askedShapes(const std::vector<LaunchReport>& launches) {
    std::vector<std::string> all;
    for (const LaunchReport& launch : launches)
        if (launch.overridden) addOnce(all, launch, askedShapeInWords(launch));
    return all;
}

std::vector<std::string> lanesWithoutThread(const std::vector<LaunchReport>& launches) {
    std::vector<std::string> all;
    for (const LaunchReport& launch : launches) {
        std::uint64_t passes = 0;
        for (const ProgramLine& line : launch.lines) {
            if (line.source == Source::predicted && line.kind != AccessKind::branch)
                passes = std::max(passes, line.requests / std::max(1u, line.addresses));
        }
        // What is done once or a few times may have no other threads.
        if (threadsOf(launch) == 1 && passes >= lanesPerWarp)
            addOnce(all, launch,
                    "1 of the 32 lanes of a warp has a thread, and it takes " +
                        groupedDigits(passes) + " steps one after the other");
        const Extents& block = launch.launch.block;
        const std::uint64_t lanes = std::uint64_t{warpCountPerBlock(block)} * lanesPerWarp;
        const std::uint32_t idle = idleLaneCount(block);
        if (10 * idle < lanes || threadsOf(launch) <= lanesPerWarp) continue;
        addOnce(all, launch,
                groupedDigits(idle) + " of the " + groupedDigits(lanes) +
                    " lanes of each block never have a thread, as it has " +
                    counted(block.count(), "thread") + ": the next whole number of warps is " +
                    groupedDigits(lanes) + " threads");
    }
    return all;
}

void addLeftOut(ProgramTrace& trace, const ProgramSources& sources) {
    std::set<std::string> told;
    for (const Finding& finding : trace.findings) {
        if (finding.kind == FindingKind::notReached || finding.kind == FindingKind::repeatedWork ||
            finding.leftOut == LeftOut::byCondition)
            told.insert(finding.kernel);
    }
    for (const LaunchReport& launch : trace.launches) {
        const auto kernel = launchedKernel(launch, sources);
        if (launch.overridden || told.contains(launch.kernel) || !kernel) continue;
        const std::string body = kernel->masked().substr(kernel->body.begin, kernel->body.size());
        if (auto overrun = rowsOverrun(*kernel, launch, body))
            trace.findings.push_back(*std::move(overrun));
        if (auto gap = gapOfIndex(*kernel, launch)) {
            trace.findings.push_back(*std::move(gap));
            told.insert(launch.kernel);
            continue;
        }
        std::vector<GridGuard> guards;
        for (const CudaToken& token : kernel->tokensIn(kernel->body)) {
            if (!token.is("if")) continue;
            const source::Statement around = kernel->statementsAround(token.begin).back();
            const bool leaves =
                source::findWord(kernel->textOf(around.inside), "return") != source::nowhere;
            for (GridGuard& each : guardsIn(kernel->copyOf(around.condition), body, launch)) {
                each.line = lineNumber(*kernel, token.begin);
                if (each.most && each.isLess != leaves && isSetOnce(each.name, body))
                    guards.push_back(std::move(each));
            }
        }
        if (auto rows = overlappingRows(*kernel, launch, guards, body)) {
            trace.findings.push_back(*std::move(rows));
            told.insert(launch.kernel);
            continue;
        }
        const auto isEnough = [&](const GridGuard& guard, std::uint32_t Extents::*along) {
            return std::uint64_t{launch.launch.grid.*along} * launch.launch.block.*guard.along >=
                   *guard.most;
        };
        for (const GridGuard& guard : guards) {
            if (isEnough(guard, guard.along)) continue;
            const std::string limits = limitsExchanged(guard, guards, body);
            const std::uint64_t left = *guard.most - guard.threads;
            const bool isRoundedDown = left < launch.launch.block.*guard.along;
            // In each other's place the grid's two numbers of blocks would do.
            const bool isExchanged = std::ranges::any_of(guards, [&](const GridGuard& other) {
                return other.along != guard.along && isEnough(guard, other.along) &&
                       isEnough(other, guard.along);
            });
            if ((!isRoundedDown && !isExchanged && limits.empty()) ||
                isDoneByAnother(trace, launch, guard.threads, left) ||
                !told.insert(launch.kernel).second)
                continue;
            const std::string last = groupedDigits(*guard.most - 1);
            trace.findings.push_back(
                {.kind = FindingKind::notReached,
                 .words =
                     "no thread has " + guard.name + " = " + groupedDigits(guard.threads) +
                     (left == 1 ? "" : " to " + last) + ", though " + guard.limit + " is " +
                     groupedDigits(*guard.most) + ": " +
                     (!limits.empty() ? limits
                      : isExchanged   ? gridEndsAt(guard)
                                    : "the grid has " + groupedDigits(guard.threads) + " threads" +
                                          (guard.threads == threadsOf(launch)
                                               ? std::string()
                                               : std::string(" along ") + guard.axis) +
                                          ", its number of blocks rounded down"),
                 .place = {kernel->file(), guard.line, 1},
                 .kernel = launch.kernel,
                 .launch = launch.index,
                 .leftOut = !limits.empty() ? LeftOut::byCondition
                            : isExchanged   ? LeftOut::byGrid
                                            : LeftOut::unknown});
        }
    }
}

std::uint64_t FirstThreadsLoop::threadsOf(const Launch& launch) const {
    std::uint64_t threads = 1;
    for (const char axis : {'x', 'y', 'z'}) {
        const auto along = alongOf(axis);
        if (!pinned.contains(std::string("threadIdx.") + axis)) threads *= launch.block.*along;
        if (!pinned.contains(std::string("blockIdx.") + axis)) threads *= launch.grid.*along;
    }
    return threads;
}

std::optional<FirstThreadsLoop> firstThreadsLoop(const KernelText& kernel) {
    static const std::regex stays(R"(!\s*([\w.]+)|([\w.]+)\s*(?:==\s*\d+|<\s*1)\b)");
    static const std::regex leaves(
        R"(([\w.]+)\s*(?:!=\s*\d+|>\s*0|>=\s*1)\b|(?:^|\|\|)\s*([\w.]+)\s*(?=\|\||$))");
    static const std::regex ofGrid(gridIndex);
    static const std::regex ofAxis(R"((?:thread|block)Idx\.[xyz])");
    FirstThreadsLoop found;
    std::vector<source::Statement> guards;
    for (const CudaToken& token : kernel.tokensIn(kernel.body)) {
        if (token.is("if")) guards.push_back(kernel.statementsAround(token.begin).back());
        if (!token.is("for") && !token.is("while")) continue;
        found.loop = {token.begin, kernel.statementsAround(token.begin).back().whole.end};
        for (const source::Statement& guard : guards) {
            const std::string condition = kernel.copyOf(guard.condition);
            const bool isEnd =
                source::findWord(kernel.textOf(guard.inside), "return") != source::nowhere;
            if ((!isEnd && !guard.inside.holds(token.begin)) ||
                condition.find(isEnd ? "&&" : "||") != std::string::npos)
                continue;
            found.guard = guard;
            const std::regex& form = isEnd ? leaves : stays;
            for (std::sregex_iterator one(condition.begin(), condition.end(), form), end;
                 one != end; ++one) {
                const std::string name = one->str(1) + one->str(2);
                const auto value = kernel.valueOf(name, guard.whole.begin);
                const std::string index = value ? kernel.copyOf(*value) : name;
                std::smatch of;
                if (std::regex_match(index, of, ofGrid)) {
                    found.index = name;
                    found.pinned.merge(std::set<std::string>{"threadIdx." + of.str(1) + of.str(2),
                                                             "blockIdx." + of.str(1) + of.str(2)});
                } else if (std::regex_match(index, ofAxis)) {
                    found.pinned.insert(index);
                }
            }
        }
        if (!found.pinned.empty()) return found;
    }
    return std::nullopt;
}

void addFewAtWork(ProgramTrace& trace, const ProgramSources& sources) {
    std::set<std::string> told;
    for (const LaunchReport& launch : trace.launches) {
        if (threadsOf(launch) <= lanesPerWarp || told.contains(launch.kernel)) continue;
        std::uint64_t all = 0;
        std::uint64_t alone = 0;  // of one lane of a warp
        for (const ProgramLine& line : launch.lines) {
            if (line.source != Source::predicted || line.kind == AccessKind::branch) continue;
            all += line.activeLanes;
            if (line.activeLanes == line.requests) alone += line.activeLanes;
        }
        if (10 * alone < 9 * all || all == 0) continue;
        const auto kernel = launchedKernel(launch, sources);
        const auto found = kernel ? firstThreadsLoop(*kernel) : std::nullopt;
        const std::uint64_t threads = found ? found->threadsOf(launch.launch) : 0;
        if (!found || threadsOf(launch) <= lanesPerWarp * threads || alone < lanesPerWarp * threads)
            continue;
        told.insert(launch.kernel);
        trace.findings.push_back(
            {.kind = FindingKind::oneThreadWorks,
             .words = groupedDigits(threads) + " of " + counted(threadsOf(launch), "thread") +
                      (threads == 1 ? " makes " : " make ") +
                      (alone == all ? "all " : groupedDigits(alone) + " of the ") +
                      groupedDigits(all) + " accesses to memory, one after the other: `" +
                      kernel->copyOf(found->guard.condition) + "` keeps the others out",
             .place = {kernel->file(), lineNumber(*kernel, found->guard.whole.begin), 1},
             .kernel = launch.kernel,
             .launch = launch.index});
    }
}

void addPointerSizes(ProgramTrace& trace, const ProgramSources& sources) {
    static const std::regex size(R"(sizeof\s*(?:\(\s*(\w+)\s*\)|(\w+)))");
    for (const ProgramFile& file : sources.units) {
        const source::SourceEdit text(file.text, file.path);
        for (const std::string_view function : {"cudaMemcpy", "cudaMemcpyAsync"}) {
            for (const auto& [whole, parts] : text.bracketsOf(function, '(')) {
                std::smatch of;
                const std::string bytes = parts.size() < 4 ? "" : text.copyOf(parts[2]);
                const auto around = text.statementsAround(whole.begin);
                if (around.empty() || !std::regex_match(bytes, of, size)) continue;
                const std::string name = of.str(1) + of.str(2);
                const std::string body = text.copyOf(around.front().whole);
                const std::regex allocated(R"(cudaMalloc\w*\s*\([^;]*&\s*)" + name + R"(\b|\b)" +
                                           name + R"(\s*=[^;=]*\b(malloc|calloc|new)\b)");
                if ((text.textOf(parts[0]) != name && text.textOf(parts[1]) != name) ||
                    !std::regex_search(body, allocated))
                    continue;
                trace.findings.push_back(
                    {.kind = FindingKind::unwrittenMemory,
                     .words = std::string(function) + " copies 8 bytes: " + bytes +
                              " is the size of the pointer " + name + ", not of what it points to",
                     .place = {file.path, lineNumber(text, whole.begin), 1},
                     .kernel = {}});
            }
        }
    }
}

}  // namespace warplens
