#include "kernels/course/course_ptx.h"

#include <chrono>
#include <system_error>
#include <vector>

#include "core/program/cuda_tokens.h"
#include "core/program/program_sources.h"
#include "core/text/encoding.h"
#include "core/text/files.h"
#include "kernels/library/kernel_program.h"
#include "kernels/programs/compiler.h"
#include "kernels/programs/cuda_compiler.h"
#include "kernels/programs/nvcc_steps.h"
#include "kernels/programs/program_cache.h"
#include "kernels/programs/reachable_files.h"

namespace warplens::course {
namespace {

namespace fs = std::filesystem;
using library::PtxKind;

constexpr int computeCapability = 90;

/// Of all that is compiled: the kernel's text and the headers that it names.
std::string digestOfSources(const Kernel& kernel) {
    std::string all = kernel.text;
    const ProgramSources sources =
        readProgramSources({(fs::path(kernel.folder) / kernel.file).string()}, {kernel.folder});
    for (const ProgramFile& header : sources.headers) {
        all += '\0' + fs::path(header.path).filename().string() + '\0' + header.text;
    }
    return digestOf(all);
}

std::string headOf(const Kernel& kernel) {
    return "// " + kernel.file + ": digest " + digestOfSources(kernel) + '\n';
}

fs::path placeBeside(const Kernel& kernel, PtxKind kind) {
    return fs::path(kernel.folder) / "ptx" / library::ptxFile(kernel, kind);
}

/// The kernel with the instances of its template, its lines as they are.
std::string unitOf(const Kernel& kernel) {
    std::string text = kernel.text + '\n';
    if (kernel.templateSize.empty()) return text;
    for (const source::KernelSource& declared :
         source::kernelsIn(source::maskedText(kernel.text))) {
        if (declared.name != kernel.name) continue;
        std::string types;
        for (const source::KernelParameter& parameter : declared.parameters) {
            types += (types.empty() ? "" : ", ") + parameter.type;
        }
        for (const std::string& instance : kernel.instances()) {
            text += "template __global__ void " + instance + '(' + types + ");\n";
        }
    }
    return text;
}

/// Without what is of the machine that it was compiled on: debug information but for lines, and the
/// folder's path.
std::string withoutPlaces(std::string ptx, const std::string& folder) {
    constexpr std::string_view begin = "\t.section\t.debug_";
    constexpr std::string_view end = "\n\t}";
    for (std::size_t at = 0; (at = ptx.find(begin, at)) != std::string::npos;) {
        const std::size_t last = ptx.find(end, at);
        ptx.erase(at, last == std::string::npos ? last : last + end.size() - at);
    }
    for (std::size_t at = 0; (at = ptx.find(folder + '/', at)) != std::string::npos;) {
        ptx.erase(at, folder.size() + 1);
    }
    return ptx;
}

std::string compiled(const Kernel& kernel, PtxKind kind) {
    const auto compiler = programs::findCudaCompiler();
    if (!compiler) {
        throw NoCompiler(
            std::string("the kernels of a course need NVIDIA's compiler, and none is here: ") +
            programs::howToGetCompiler +
            "; or their PTX beside them, by `warplens check FOLDER --keep-ptx` where there is one");
    }
    const std::string option = kind == PtxKind::source ? "-G" : "-lineinfo";
    const std::string architecture = "compute_" + std::to_string(computeCapability);
    const std::string text = unitOf(kernel);
    const std::string key = identityOf(compiler->nvcc.string()) + option + architecture +
                            kernel.folder + '\0' + kernel.file + '\0' + text;
    const ProgramCache cache("courses");
    const std::string name = digestOf(key) + digestOf("again" + key);
    if (const auto known = cache.find(name)) return readFile(*known, 1u << 28);

    const auto begun = std::chrono::system_clock::now();
    const TemporaryFolder work(programCache() / "work");
    writeFileAtomically(work.path() / kernel.file, text);
    const ReachableFiles reachable =
        reachableFiles({wholePath(kernel.folder) / kernel.file}, {kernel.folder});
    Compilation compilation{
        .arguments = {compiler->nvcc.string(), option, "-w", "-ptx", "-arch=" + architecture, "-I",
                      wholePath(kernel.folder).string(), "-MD", "-MF", "kernel.d", "-o",
                      "kernel.ptx", kernel.file},
        .folder = work.path(),
        .outputs = {"kernel.ptx", "kernel.d"},
        .readable = reachable.folders,
        .unread = reachable.special};
    if (const std::string host = hostCompiler(); !host.empty()) {
        compilation.arguments.insert(compilation.arguments.begin() + 1, {"-ccbin", host});
    }
    for (const auto* const more : {&reachable.files, &compiler->folders}) {
        compilation.readable.insert(compilation.readable.end(), more->begin(), more->end());
    }
    try {
        requireDone(runCompiler(compilation), "nvcc");
    } catch (const CompileFailed& failed) {
        const std::string words = failed.what();
        // Of the machine, not of the kernel.
        if (words.find("nvcc fatal") != std::string::npos) throw NoCompiler(words);
        throw CompileFailed(programs::withPlaces(words));
    }
    writeFileAtomically(work.path() / "kernel.ptx",
                        withoutPlaces(readFile(work.path() / "kernel.ptx", 1u << 28),
                                      wholePath(work.path()).string()));
    std::vector<fs::path> read;
    for (fs::path& path : readDependencies(work.path() / "kernel.d")) {
        if (!path.string().starts_with(work.path().string())) read.push_back(std::move(path));
    }
    return readFile(cache.keep(name, work.path() / "kernel.ptx",
                               {.read = std::move(read), .absent = reachable.absent}, begun),
                    1u << 28);
}

/// Empty where there is none, or it is of another text.
std::string keptBeside(const Kernel& kernel, PtxKind kind) {
    try {
        std::string text = readFile(placeBeside(kernel, kind), 1u << 28);
        if (text.starts_with(headOf(kernel))) return text;
    } catch (const std::system_error&) {
    }
    return {};
}

}  // namespace

void providePtx() {
    library::setCoursePtx([](const Kernel& kernel, PtxKind kind) {
        std::string beside = keptBeside(kernel, kind);
        return beside.empty() ? compiled(kernel, kind) : beside;
    });
}

void keepPtxBeside(const Kernel& kernel) {
    for (const PtxKind kind : {PtxKind::source, PtxKind::optimized}) {
        const fs::path place = placeBeside(kernel, kind);
        fs::create_directories(place.parent_path());
        writeFileAtomically(place, headOf(kernel) + compiled(kernel, kind));
    }
}

}  // namespace warplens::course
