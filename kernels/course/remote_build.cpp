#include "kernels/course/remote_build.h"

#include <chrono>
#include <mutex>
#include <vector>

#include "core/text/atomic_file.h"
#include "core/text/digest.h"
#include "kernels/library/build/kernel_source.h"
#include "kernels/library/build/kernel_unit.h"
#include "kernels/programs/compiler.h"
#include "kernels/programs/program_cache.h"
#include "kernels/programs/reachable_files.h"
#include "kernels/trace/build/runtime_files.h"

#include "embedded/warplens_course.h"

namespace warplens::course {
namespace {

namespace fs = std::filesystem;

/// As built-in kernels are compiled (kernels/library/CMakeLists.txt hands them over).
std::vector<std::string> compilerFlags() {
    std::vector<std::string> flags;
    std::string_view rest = WARPLENS_KERNEL_FLAGS;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        if (end != 0) flags.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return flags;
}

std::string_view runnerObject() {
    return embeddedFiles().front().bytes;
}

const std::string& runnerDigest() {
    static const std::string digest = digestOf(runnerObject());
    return digest;
}

}  // namespace

fs::path buildRunner(const Kernel& kernel) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    const std::string compiler = requiredCompiler();
    const RuntimeFiles runtime = runtimeFilesIn(programCache());
    const std::string key =
        runnerDigest() + runtime.digest + compiler + kernel.file + '\0' + kernel.text;
    const ProgramCache cache("courses");
    const std::string name = digestOf(key) + digestOf("again" + key);
    if (const auto program = cache.find(name)) return *program;

    const auto begun = std::chrono::system_clock::now();
    const TemporaryFolder work(programCache() / "work");
    const fs::path& folder = work.path();
    const ReachableFiles reachable =
        reachableFiles({wholePath(kernel.folder) / kernel.file}, {kernel.folder});
    const auto run = [&](std::vector<std::string> words, std::vector<std::string> outputs) {
        Compilation compilation{.arguments = std::move(words),
                                .folder = folder,
                                .outputs = std::move(outputs),
                                .readable = reachable.folders,
                                .unread = reachable.special};
        compilation.readable.insert(compilation.readable.end(), reachable.files.begin(),
                                    reachable.files.end());
        compilation.readable.push_back(runtime.headers);
        requireDone(runCompiler(compilation), "the compiler");
    };
    const std::string headers = runtime.headers.string();
    writeFileAtomically(folder / "kernel.cpp", library::hostSourceOf(kernel));
    std::vector<std::string> arguments{compiler};
    for (std::string& flag : compilerFlags()) arguments.push_back(std::move(flag));
    arguments.insert(arguments.end(),
                     {"-fdiagnostics-color=never", "-iquote", wholePath(kernel.folder).string(),
                      "-isystem", headers, "-include", headers + "/cuda_runtime.h", "-MD", "-MF",
                      "kernel.d", "-S", "kernel.cpp", "-o", "kernel.s"});
    run(arguments, {"kernel.s", "kernel.d"});
    writeFileAtomically(folder / "unit.s",
                        library::unitOf(kernel, readFile(folder / "kernel.s", 1u << 30), headers,
                                        "wl_unit_course"));
    writeFileAtomically(folder / "runner.o", runnerObject());
    run({compiler, "-pie", "-o", "program", "unit.s", "runner.o", "-lm", "-lpthread"}, {"program"});
    const ProgramInputs inputs{.read = readDependencies(folder / "kernel.d"),
                               .absent = reachable.absent};
    return cache.keep(name, folder / "program", inputs, begun);
}

}  // namespace warplens::course
