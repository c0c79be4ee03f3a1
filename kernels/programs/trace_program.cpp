#include "kernels/programs/trace_program.h"

#include <algorithm>
#include <future>
#include <map>

#include "core/program/reasons.h"
#include "core/text/lines.h"
#include "kernels/programs/branch_statements.h"
#include "kernels/programs/call_places.h"
#include "kernels/programs/compiler.h"
#include "kernels/programs/program_build.h"
#include "kernels/programs/proposed_main.h"
#include "kernels/programs/traced_run.h"

namespace warplens {
namespace {

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
    return names;
}

/// `a` of `cudaMalloc((void**)&a, bytes)` in that line.
std::string allocatedName(const ProgramSources& sources, const SourcePlace& place) {
    const std::string_view line = lineOf(textOf(sources, place.file), place.line);
    const std::size_t call = std::min(line.find("cudaMalloc"), line.find("cudaHostAlloc"));
    const std::size_t mark = line.find('&', call == line.npos ? line.size() : call);
    if (mark == line.npos) return {};
    const std::size_t end = line.find_first_of(",)", mark);
    return std::string(trimmed(line.substr(mark + 1, end - mark - 1)));
}

/// `9.0` of 90.
std::string capabilityOf(int number) {
    return std::to_string(number / 10) + '.' + std::to_string(number % 10);
}

/// What the launch is told to be of one source.
void showOnly(Source source, LaunchReport& launch) {
    std::erase_if(launch.lines, [&](const ProgramLine& line) { return line.source != source; });
    launch.values = valuesOf(launch.lines);
    if (!launch.compiled) return;
    if (source == Source::predicted) return launch.compiled.reset();
    launch.exact = launch.compiled->exact;
    launch.blocksTraced = launch.compiled->blocksTraced;
    launch.seconds = launch.compiled->seconds;
    launch.bounds.clear();
}

}  // namespace

TracedProgram traceProgram(const TraceRequest& request, const TraceListener& listener) {
    ProgramSource source = request.source;
    source.launch.grid = request.grid;
    source.launch.block = request.block;
    source.kernel = request.kernel;
    const programs::CudaCompiler compiler = requiredCudaCompiler(request.compiler);
    std::future<std::string> version = std::async(std::launch::async, programs::versionOf, compiler);
    const programs::BuiltProgram built =
        programs::buildProgram(source, compiler, request.computeCapability, listener.cancelled);
    TracedProgram begun;
    begun.trace.compileSeconds = built.seconds;
    begun.trace.notes = built.notes;
    begun.hasMain = built.hasMain;
    begun.proposed = built.proposed;
    const std::map<std::string, std::string> names = namesOf(built.sources);
    RunnableProgram program{.binary = built.binary, .readable = built.reachable.folders};
    program.readable.insert(program.readable.end(), built.reachable.files.begin(),
                            built.reachable.files.end());
    const auto ownName = [&](const std::string& file) {
        const auto found = names.find(std::filesystem::path(file).lexically_normal().string());
        if (found != names.end()) return found->second;
        const bool isOwn = std::ranges::any_of(names, [&](const auto& each) {
            return each.second == file;  // `#line` in the main that was proposed
        });
        return isOwn ? file : std::string();
    };
    program.correct = [&](SourcePlace& place) {
        if (const std::string name = ownName(place.file); !name.empty()) place.file = name;
    };
    program.ofAddresses = [&](const std::vector<CallAddresses>& calls) {
        return placesOfCalls(built.binary, calls, ownName);
    };
    program.nameOfArrayAt = [&](const SourcePlace& place) {
        return allocatedName(built.sources, place);
    };
    TracedProgram traced = tracedRun(program, request, listener, std::move(begun));
    const std::string nameOfVersion = version.get();
    for (LaunchReport& launch : traced.trace.launches) {
        for (ProgramLine& line : launch.lines) line.reason = reasonFor(line, launch, built.sources);
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
