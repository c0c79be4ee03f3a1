#include "kernels/programs/nvcc/trace_with_nvcc.h"

#include <map>

#include "kernels/programs/compiler.h"
#include "kernels/programs/nvcc/nvcc_build.h"
#include "kernels/programs/proposed_main.h"
#include "kernels/programs/traced_run.h"

namespace warplens::programs {
namespace {

CudaCompiler requiredCudaCompiler(const std::filesystem::path& given) {
    if (auto found = findCudaCompiler(given)) return *std::move(found);
    if (!given.empty()) throw NoCompiler("--compiler " + given.string() + ": no nvcc is there");
    throw NoCompiler(
        "a .cu file needs NVIDIA's compiler, nvcc: install the CUDA toolkit, or set CUDA_HOME to "
        "where it lies");
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

}  // namespace

TracedProgram traceWithNvcc(const TraceRequest& request, const TraceListener& listener) {
    ProgramSource source = request.source;
    source.launch.grid = request.grid;
    source.launch.block = request.block;
    source.kernel = request.kernel;
    const CudaCompiler compiler = requiredCudaCompiler(request.compiler);
    const NvccBuild built =
        buildWithNvcc(source, compiler, request.computeCapability, listener.cancelled);
    TracedProgram begun;
    begun.trace.compileSeconds = built.seconds;
    begun.trace.notes = built.notes;
    begun.hasMain = built.hasMain;
    begun.proposed = built.proposed;
    const std::map<std::string, std::string> names = namesOf(built.sources);
    RunnableProgram program{.binary = built.binary, .readable = built.reachable.folders};
    program.readable.insert(program.readable.end(), built.reachable.files.begin(),
                            built.reachable.files.end());
    program.correct = [&](SourcePlace& place) {
        const auto found =
            names.find(std::filesystem::path(place.file).lexically_normal().string());
        if (found != names.end()) place.file = found->second;
    };
    TracedProgram traced = tracedRun(program, request, listener, std::move(begun));
    source::refuseWish(traced);
    return traced;
}

}  // namespace warplens::programs
