#include "kernels/programs/trace_program.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <future>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/program/branch_reasons.h"
#include "core/program/clues.h"
#include "core/program/cuda_tokens.h"
#include "core/program/joined_atomics.h"
#include "core/program/launch_shape.h"
#include "core/program/named_elements.h"
#include "core/program/reasons.h"
#include "core/program/remedy_findings.h"
#include "core/text/encoding.h"
#include "kernels/programs/compiler.h"
#include "kernels/programs/program_build.h"
#include "kernels/programs/proposed_main.h"
#include "kernels/programs/sandbox.h"
#include "kernels/programs/traced_run.h"

namespace warplens {
namespace {

constexpr std::size_t mostStatement = 80;  ///< bytes

/// Says of each branch what its statement is, from the files that they stand in: the line up to the
/// end of its condition, or all of it without the blanks around it and the brace behind.
void readStatements(BlockSteps& steps) {
    static const std::regex headers(R"(^(\}\s*)?(else\s+)?(if|for|while|switch)\s*$)");
    static const std::regex blanks(R"(\s+)");
    static const std::regex before(R"(^(\} ?)?else (?=if\b))");
    std::map<std::string, std::string> files;
    for (StepBranch& branch : steps.branches) {
        const SourcePlace& place = steps.places[branch.place];
        const auto [file, isNew] = files.try_emplace(place.file);
        if (isNew) {
            std::ifstream in(place.file);
            file->second.assign(std::istreambuf_iterator<char>(in), {});
        }
        const std::string_view line = lineOf(file->second, place.line);
        const std::size_t first = line.find_first_not_of(" \t");
        const std::size_t last = line.find_last_not_of(" \t\r{");
        if (first == line.npos || last == line.npos || first > last) continue;
        std::string statement(line.substr(first, last - first + 1));
        // Up to the end of its condition, be that in a line below, without what it rules.
        const auto begin = static_cast<std::size_t>(line.data() - file->second.data()) + first;
        const std::string_view code = std::string_view(file->second).substr(begin, 400);
        const std::string masked = source::maskedText(code);
        const std::size_t open = masked.find('(');
        const std::size_t end = open == masked.npos ? open : source::closing(masked, open);
        if (end != masked.npos && std::regex_search(masked.substr(0, open), headers))
            statement = code.substr(0, end);
        statement = std::regex_replace(statement, blanks, " ");
        branch.statement = asUtf8(std::regex_replace(statement, before, ""), mostStatement);
    }
}

struct CallFrame final {
    SourcePlace place;
    bool isStub = false;  ///< nvcc's own function that launches a kernel
};

/// Where a call begins in its line, from 1: a launch at its kernel's name, another at the first
/// function of CUDA's, or where the line does. 0 of an empty line.
std::uint32_t columnOf(std::string_view line, bool isLaunch) {
    std::size_t begin = line.find(isLaunch ? "<<<" : "cuda");
    if (begin != line.npos && isLaunch) {
        int brackets = 0;  // of a template's arguments
        const auto isName = [&](char c) {
            brackets += c == '>' ? 1 : c == '<' ? -1 : 0;
            return brackets > 0 || c == '<' || c == '_' || c == ':' ||
                   std::isalnum(static_cast<unsigned char>(c)) != 0;
        };
        while (begin > 0 && isName(line[begin - 1])) --begin;
    }
    if (begin == line.npos) begin = line.find_first_not_of(" \t");
    return begin == line.npos ? 0 : static_cast<std::uint32_t>(begin + 1);
}

/// Of each of these calls in a program's code the place of the first address that is in a file of
/// the person's; `ownName` says how such a file is called, and of any other nothing. Without
/// addr2line, or where the program does not say, places are empty. Cost: one process for all.
std::vector<SourcePlace> placesOfCalls(
    const std::filesystem::path& binary, const std::vector<CallAddresses>& calls,
    const ProgramSources& sources,
    const std::function<std::string(const std::string& file)>& ownName) {
    std::vector<SourcePlace> places(calls.size());
    const std::string tool = findProgram("addr2line");
    if (tool.empty()) return places;
    // Innermost first, of the functions that optimising put into one another.
    std::map<std::uint64_t, std::vector<CallFrame>> known;
    for (const CallAddresses& call : calls) {
        for (const std::uint64_t address : call) known[address] = {};
    }
    ChildCommand command{.arguments = {tool, "-a", "-f", "-i", "-e", binary.string()}};
    for (const auto& [address, frames] : known) {
        char text[32];
        std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
        command.arguments.emplace_back(text);
    }
    command.calls = SystemCalls::ofProgram;
    command.limits.memoryBytes = memoryLimit(std::uint64_t{8} << 30);
    command.limits.wall = std::chrono::seconds(10);
    const ChildResult result =
        runChild(Sandbox::ofThisMachine().confined(std::move(command), {.readable = {binary}}));
    // Each address, and two lines for each of its frames: the function, and `/folder/file.cu:12` or
    // `??:0`.
    const std::vector<std::string_view> lines = splitLines(result.output);
    auto now = known.end();
    for (std::size_t at = 0; at + 1 < lines.size(); at += lines[at].starts_with("0x") ? 1 : 2) {
        if (lines[at].starts_with("0x")) {
            now = known.find(std::strtoull(std::string(lines[at]).c_str(), nullptr, 16));
            continue;
        }
        if (now == known.end()) break;
        CallFrame& frame = now->second.emplace_back();
        frame.isStub = lines[at].find("__device_stub_") != std::string_view::npos;
        const std::string_view line = lines[at + 1].substr(0, lines[at + 1].find(" ("));
        const std::size_t colon = line.rfind(':');
        if (colon == std::string_view::npos) continue;
        frame.place.file = ownName(std::string(line.substr(0, colon)));
        frame.place.line = static_cast<std::uint32_t>(std::atoi(line.data() + colon + 1));
    }
    for (std::size_t at = 0; at < calls.size(); ++at) {
        bool isKernel = false;
        bool isLaunch = false;
        std::vector<CallFrame> frames;
        for (const std::uint64_t address : calls[at])
            std::ranges::copy(known[address], std::back_inserter(frames));
        for (const CallFrame& frame : frames) {
            // What nvcc calls in place of a kernel stands where the kernel does.
            if (frame.isStub || std::exchange(isKernel, false)) {
                isKernel = frame.isStub;
                isLaunch = true;
                continue;
            }
            if (frame.place.file.empty() || frame.place.line == 0) continue;
            places[at] = frame.place;
            places[at].column =
                columnOf(lineOf(textOf(sources, frame.place.file), frame.place.line), isLaunch);
            break;
        }
    }
    return places;
}

programs::CudaCompiler requiredCudaCompiler(const std::filesystem::path& given) {
    if (auto found = programs::findCudaCompiler(given)) return *std::move(found);
    if (!given.empty()) throw NoCompiler("--compiler " + given.string() + ": no nvcc is there");
    throw NoCompiler(std::string("a .cu file needs NVIDIA's compiler, and none is here: ") +
                     programs::howToGetCompiler);
}

/// Files as the person calls them, by their whole paths.
std::map<std::string, std::string> namesOf(const ProgramSources& sources) {
    std::map<std::string, std::string> names;
    for (const auto* files : {&sources.headers, &sources.units}) {
        for (const ProgramFile& file : *files) {
            names[wholePath(file.path).string()] = file.path;
            names[std::filesystem::absolute(file.path).lexically_normal().string()] = file.path;
        }
    }
    for (std::size_t i = 0; i < sources.units.size(); ++i) {
        const std::string& path = sources.units[i].path;
        const std::string name = programs::standInName(wholePath(path).string(), i);
        if (!name.empty()) names[name] = path;
    }
    return names;
}

/// `a` of `cudaMalloc((void**)&a, bytes)` in that line; of several calls, which come in turns, that
/// of the `nth`. Empty where it is not sure which one is made.
std::string allocatedName(std::string_view line, std::size_t nth) {
    std::vector<std::string> names;
    for (std::size_t call = 0;; ++call) {
        call = std::min(line.find("cudaMalloc", call), line.find("cudaHostAlloc", call));
        if (call == line.npos) break;
        const std::size_t mark = line.find('&', call);
        if (mark == line.npos) return {};
        const std::size_t end = line.find_first_of(",)", mark);
        names.emplace_back(trimmed(line.substr(mark + 1, end - mark - 1)));
    }
    if (names.empty()) return {};
    const bool isSure =
        names.size() == 1 || (line.find("if") == line.npos && line.find('?') == line.npos &&
                              line.find("||") == line.npos && line.find("&&") == line.npos);
    return isSure ? names[nth % names.size()] : std::string();
}

/// `9.0` of 90.
std::string capabilityOf(int number) {
    return std::to_string(number / 10) + '.' + std::to_string(number % 10);
}

/// What the launch is told to be of one source.
void showOnly(Source source, LaunchReport& launch) {
    // What is written is why compiled code costs too much, too.
    for (ProgramLine& line : launch.lines) {
        const bool isBranch = line.kind == AccessKind::branch;
        if (!isCostly(line) || (!line.reason.empty() && !isBranch)) continue;
        const ProgramLine* written = nullptr;
        for (const ProgramLine& other : launch.lines) {
            if (other.source == Source::predicted && other.place.line == line.place.line &&
                other.place.file == line.place.file && other.kind == line.kind &&
                other.array == line.array && !other.reason.empty() &&
                (written == nullptr || written->isGuard))
                written = &other;
        }
        if (written == nullptr) continue;
        line.reason = written->reason;
        line.decidedBy = written->decidedBy;
        line.isGuard = written->isGuard;
    }
    std::erase_if(launch.lines, [&](const ProgramLine& line) { return line.source != source; });
    launch.values = valuesOf(launch.lines);
    if (!launch.compiled) return;
    if (source == Source::predicted) return launch.compiled.reset();
    launch.exact = launch.compiled->exact;
    launch.blocksTraced = launch.compiled->blocksTraced;
    launch.seconds = launch.compiled->seconds;
    launch.bounds.clear();
}

/// What one lane does for its warp costs as much, as it is written and as it was compiled.
void settleJoined(LaunchReport& launch) {
    bool hasChanged = false;
    for (const ProgramLine& joined : launch.lines) {
        if (!joined.isJoined || joined.mostSameAddress <= 1) continue;
        for (ProgramLine& line : launch.lines) {
            if (line.kind != joined.kind || line.array != joined.array ||
                line.place.line != joined.place.line || line.place.file != joined.place.file)
                continue;
            line.isJoined = true;
            line.sameAddress = line.requests;
            line.wavefronts = line.idealWavefronts;
            hasChanged = true;
        }
    }
    if (hasChanged) launch.values = valuesOf(launch.lines);
}

/// What the compiled code shows of a load is said of it as it is written, too.
void settleMerged(LaunchReport& launch) {
    for (const ProgramLine& merged : launch.lines) {
        if (merged.atOnce == 0) continue;
        for (ProgramLine& line : launch.lines) {
            if (line.kind == merged.kind && line.array == merged.array &&
                line.place.line == merged.place.line && line.place.file == merged.place.file)
                line.atOnce = std::max(line.atOnce, merged.atOnce);
        }
    }
}

/// What each line's cost comes from. What one of the launches of the kernel before has counted the
/// same in the same way has the same reason: a program may have many thousands of launches.
void addReasons(std::vector<LaunchReport>& launches, const ProgramSources& sources) {
    constexpr std::size_t mostBefore = 8;
    std::map<std::string_view, std::deque<const LaunchReport*>> ofKernel;
    for (LaunchReport& launch : launches) {
        joinBranches(launch.lines, sources);
        std::deque<const LaunchReport*>& before = ofKernel[launch.instance];
        for (std::size_t at = 0; at < launch.lines.size(); ++at) {
            ProgramLine& line = launch.lines[at];
            const bool couldBeJoined = line.isJoined;
            const bool isKnown = std::ranges::any_of(before, [&](const LaunchReport* other) {
                if (at >= other->lines.size() || other->launch != launch.launch ||
                    other->arguments != launch.arguments)
                    return false;
                line.reason = other->lines[at].reason;
                line.decidedBy = other->lines[at].decidedBy;
                line.isGuard = other->lines[at].isGuard;
                line.hasNoElse = other->lines[at].hasNoElse;
                line.isJoined = couldBeJoined && other->lines[at].isJoined;
                return line == other->lines[at];
            });
            if (isKnown) continue;
            line.isJoined = couldBeJoined && (line.mostSameAddress == 1 ||
                                              isJoinedByAssembler(line, launch, sources));
            line.isGuard = isGuard(line, launch, sources);
            if (line.kind == AccessKind::branch && line.divergent != 0) {
                const LineText around = lineText(sources, line.place);
                line.hasNoElse = around.kernel && hasNoElse(*around.kernel, line.place.line);
            }
            addReason(line, launch, sources);
        }
        before.push_front(&launch);
        if (before.size() > mostBefore) before.pop_back();
    }
    for (LaunchReport& launch : launches) {
        settleJoined(launch);
        settleMerged(launch);
    }
    // A branch that is none in one launch keeps nobody out in the others.
    const auto key = [](const LaunchReport& launch, const ProgramLine& line) {
        return std::tuple(std::string_view(launch.kernel), std::string_view(line.place.file),
                          line.place.line, line.place.column, line.nth, line.source);
    };
    std::set<decltype(key(launches[0], launches[0].lines[0]))> others;
    for (const LaunchReport& launch : launches) {
        for (const ProgramLine& line : launch.lines) {
            if (line.kind == AccessKind::branch && line.divergent > 1 && !line.isGuard)
                others.insert(key(launch, line));
        }
    }
    for (LaunchReport& launch : launches) {
        for (ProgramLine& line : launch.lines) {
            if (!line.isGuard || !others.contains(key(launch, line))) continue;
            line.isGuard = false;
            addReason(line, launch, sources);
        }
    }
}

}  // namespace

ProgramSource sourceOf(const TraceRequest& request) {
    ProgramSource source = request.source;
    source.launch.grid = request.grid;
    source.launch.block = request.block;
    source.kernel = request.kernel;
    return source;
}

TracedProgram traceProgram(const TraceRequest& request, const TraceListener& listener) {
    const programs::CudaCompiler compiler = requiredCudaCompiler(request.compiler);
    std::future<std::string> version =
        std::async(std::launch::async, programs::versionOf, compiler);
    const programs::BuiltProgram built = programs::buildProgram(
        sourceOf(request), compiler, request.computeCapability, listener.cancelled);
    TracedProgram begun;
    begun.trace.compileSeconds = built.seconds;
    begun.trace.notes = built.notes;
    if (!request.source.note.empty()) begun.trace.notes.push_back(request.source.note);
    begun.sources = built.sources;
    begun.hasMain = built.hasMain;
    begun.proposed = built.proposed;
    const std::map<std::string, std::string> names = namesOf(built.sources);
    RunnableProgram program{
        .binary = built.binary, .registers = built.registers, .readable = built.reachable.folders};
    program.readable.insert(program.readable.end(), built.reachable.files.begin(),
                            built.reachable.files.end());
    const auto ownName = [&](const std::string& file) {
        const auto found = names.find(std::filesystem::path(file).lexically_normal().string());
        if (found != names.end()) return found->second;
        const auto standIn = names.find(std::filesystem::path(file).filename().string());
        if (standIn != names.end()) return standIn->second;
        const bool isOwn = std::ranges::any_of(names, [&](const auto& each) {
            return each.second == file;  // `#line` in the main that was proposed
        });
        return isOwn ? file : std::string();
    };
    program.correct = [&](SourcePlace& place) {
        if (const std::string name = ownName(place.file); !name.empty()) place.file = name;
    };
    program.ofAddresses = [&](const std::vector<CallAddresses>& calls) {
        return placesOfCalls(built.binary, calls, built.sources, ownName);
    };
    program.nameOfArrayAt = [&,
                             made = std::map<std::pair<std::string, std::uint32_t>, std::size_t>()](
                                const SourcePlace& place) mutable {
        return allocatedName(lineOf(textOf(built.sources, place.file), place.line),
                             made[{place.file, place.line}]++);
    };
    TracedProgram traced = tracedRun(program, request, listener, std::move(begun));
    const std::string nameOfVersion = version.get();
    traced.sources = built.sources;
    joinLeaks(traced.trace);
    addReasons(traced.trace.launches, built.sources);
    nameElements(traced.trace, built.sources);
    tellLostChanges(traced.trace.findings, built.sources);
    addMeetings(traced.trace, built.sources);
    tellWhyUnwritten(traced.trace, built.sources);
    addLeftOut(traced.trace, built.sources);
    addFewAtWork(traced.trace, built.sources);
    addPointerSizes(traced.trace, built.sources);
    settleClues(traced.trace, built.sources);
    for (LaunchReport& launch : traced.trace.launches) {
        if (launch.compiled) {
            launch.compiled->compiler = "nvcc";
            launch.compiled->version = nameOfVersion;
            launch.compiled->computeCapability = capabilityOf(request.computeCapability);
        }
        if (request.shown) showOnly(*request.shown, launch);
    }
    if (traced.steps) readStatements(*traced.steps);
    source::refuseWish(traced);
    return traced;
}

}  // namespace warplens
