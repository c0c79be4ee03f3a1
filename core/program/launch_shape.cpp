#include "core/program/launch_shape.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <regex>
#include <set>

#include "core/launch/mapping.h"
#include "core/program/index_derivation.h"
#include "core/program/remedy_edits.h"
#include "core/text/encoding.h"
#include "core/text/format.h"

namespace warplens {
namespace {

std::uint64_t threadsOf(const LaunchReport& launch) {
    return launch.launch.grid.count() * launch.launch.block.count();
}

/// The names that hold blockIdx.x * blockDim.x + threadIdx.x and are never changed.
std::set<std::string> ranksIn(const std::string& body) {
    static const std::regex set(
        R"(\b(\w+)\s*=\s*(?:(?:blockIdx\.x\s*\*\s*blockDim\.x|blockDim\.x\s*\*\s*blockIdx\.x)\s*\+\s*threadIdx\.x|threadIdx\.x\s*\+\s*(?:blockIdx\.x\s*\*\s*blockDim\.x|blockDim\.x\s*\*\s*blockIdx\.x))\s*[;,])");
    std::set<std::string> names;
    for (std::sregex_iterator at(body.begin(), body.end(), set), end; at != end; ++at) {
        const std::string name = at->str(1);
        const std::regex changed(R"((\+\+|--)\s*)" + name + R"(\b|\b)" + name +
                                 R"(\s*(\+\+|--|[-+*/%&|^]=|<<=|>>=|=(?!=)))");
        const auto all = std::distance(std::sregex_iterator(body.begin(), body.end(), changed),
                                       std::sregex_iterator());
        if (all == 1) names.insert(name);
    }
    return names;
}

/// From 1, of an offset.
std::uint32_t lineNumber(const KernelText& kernel, std::size_t at) {
    return static_cast<std::uint32_t>(std::ranges::count(kernel.masked().substr(0, at), '\n')) + 1;
}

/// Whether another launch does what this one leaves.
bool isDoneByAnother(const ProgramTrace& trace, std::uint64_t threads, std::uint64_t left) {
    return std::ranges::any_of(trace.launches, [&](const LaunchReport& other) {
        const auto& arguments = other.arguments.entries();
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

/// Along which axis of the grid the kernel's name counts its threads: `y` of `r = blockIdx.y * 16 +
/// threadIdx.y`; 0 where it does not.
char axisOfName(const std::string& body, const std::string& name) {
    const std::regex set("\\b" + name +
                         R"(\s*=\s*blockIdx\.([xyz])\s*\*\s*[\w.]+\s*\+\s*threadIdx\.\1\s*[;,])");
    std::smatch found;
    return std::regex_search(body, found, set) ? found.str(1).front() : '\0';
}

}  // namespace

void tellWhyUnwritten(ProgramTrace& trace, const ProgramSources& sources) {
    static const std::regex form(R"((?:^|the last )(\d+) of the (\d+) elements copied from (\w+))");
    static const std::regex comparison(R"(\b(\w+)\s*(?:<|>=)\s*(\w+))");
    for (Finding& finding : trace.findings) {
        std::smatch parts;
        const std::string words = finding.words;
        if ((finding.kind != FindingKind::notReached &&
             finding.kind != FindingKind::unwrittenMemory) ||
            !finding.kernel.empty() || !std::regex_search(words, parts, form))
            continue;
        const auto [launch, store] = onlyStoreTo(trace, parts.str(3));
        const auto kernel = store == nullptr ? std::nullopt : kernelAt(sources.units, store->place);
        if (!kernel) continue;
        const std::uint64_t elements = std::stoull(parts.str(2));
        const std::uint64_t written = elements - std::stoull(parts.str(1));
        const std::string body = kernel->masked().substr(kernel->body.begin, kernel->body.size());
        const std::size_t at = accessBegin(*kernel, *store);
        for (const source::Statement& each : kernel->statementsAround(at)) {
            if (!kernel->body.holds(each.whole.begin) ||
                !kernel->textOf(each.whole).starts_with("if") || !each.inside.holds(at))
                continue;
            const std::string condition = kernel->copyOf(each.condition);
            const std::string stored = kernel->copyOf(kernel->ruledAt(at));
            const std::string index = stored.substr(0, stored.find('='));
            const IndexDerivation made(index, body, "");
            std::string why;
            std::set<std::string> asked;
            for (std::sregex_iterator one(condition.begin(), condition.end(), comparison), end;
                 one != end; ++one) {
                const char axis = axisOfName(body, one->str(1));
                if (axis == '\0') continue;
                if (std::ranges::none_of(made.texts(), [&](std::string_view text) {
                        return source::findWord(text, one->str(1)) != source::nowhere;
                    }))
                    asked.insert(one->str(1));
                const auto along = axis == 'x'   ? &Extents::x
                                   : axis == 'y' ? &Extents::y
                                                 : &Extents::z;
                const std::uint64_t threads =
                    std::uint64_t{launch->launch.grid.*along} * launch->launch.block.*along;
                for (const auto& [name, value] : launch->arguments.entries()) {
                    if (name == one->str(2) && std::cmp_less(threads, value) && why.empty())
                        why = "; " + std::string(gridEnds) + one->str(1) + " = " +
                              groupedDigits(threads - 1) + " along " + axis + ", though " + name +
                              " is " + groupedDigits(static_cast<std::uint64_t>(value));
                }
            }
            const bool isKeptOut = threadsOf(*launch) >= elements && store->activeLanes == written;
            if (why.empty() && (isKeptOut || !asked.empty())) {
                why = "; the grid has the threads, and the condition of this line keeps them out";
                if (!asked.empty())
                    why += ": it asks of " + joined(asked, " and ") + ", which `" +
                           std::string(trimmed(index)) + "` is not made of";
                finding.otherLine = finding.place.line;
                finding.place = {kernel->file(), lineNumber(*kernel, each.whole.begin), 1};
                finding.kernel = launch->kernel;
                finding.launch = launch->index;
            }
            finding.words += why;
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
    static const std::regex guard(
        R"(\bif\s*\(\s*(\w+)\s*(<|>=)\s*(\w+)\s*(?:&&[^;{]*)?\)\s*(return)?)");
    std::set<std::string> told;
    for (const Finding& finding : trace.findings) {
        if (finding.kind == FindingKind::notReached) told.insert(finding.kernel);
    }
    for (const LaunchReport& launch : trace.launches) {
        const Extents& block = launch.launch.block;
        const std::uint64_t threads = threadsOf(launch);
        const bool isRow = threads == std::uint64_t{launch.launch.grid.x} * block.x;
        if (!isRow || launch.overridden || told.contains(launch.kernel)) continue;
        const auto kernel = launchedKernel(launch, sources);
        if (!kernel) continue;
        const std::string body = kernel->masked().substr(kernel->body.begin, kernel->body.size());
        const std::set<std::string> ranks = ranksIn(body);
        for (std::sregex_iterator at(body.begin(), body.end(), guard), end; at != end; ++at) {
            const bool isLess = at->str(2) == "<";
            if (!ranks.contains(at->str(1)) || isLess == (*at)[4].matched) continue;
            for (const auto& [name, value] : launch.arguments.entries()) {
                if (name != at->str(3) || value <= 0) continue;
                const auto most = static_cast<std::uint64_t>(value);
                if (most <= threads || most - threads >= block.x ||
                    isDoneByAnother(trace, threads, most - threads) ||
                    !told.insert(launch.kernel).second)
                    continue;
                const std::uint32_t line = lineNumber(
                    *kernel, kernel->body.begin + static_cast<std::size_t>(at->position(0)));
                const std::string last = groupedDigits(most - 1);
                trace.findings.push_back(
                    {.kind = FindingKind::notReached,
                     .words = "no thread has " + at->str(1) + " = " + groupedDigits(threads) +
                              (most - 1 == threads ? "" : " to " + last) + ", though " + name +
                              " is " + groupedDigits(most) + ": the grid has " +
                              groupedDigits(threads) +
                              " threads, its number of blocks rounded "
                              "down",
                     .place = {kernel->file(), line, 1},
                     .kernel = launch.kernel,
                     .launch = launch.index});
            }
        }
    }
}

}  // namespace warplens
