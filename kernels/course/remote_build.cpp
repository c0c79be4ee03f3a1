#include "kernels/course/remote_build.h"

#include <mutex>
#include <unistd.h>
#include <vector>

#include "core/text/atomic_file.h"
#include "core/text/digest.h"
#include "kernels/library/build/kernel_source.h"
#include "kernels/library/build/kernel_unit.h"
#include "kernels/trace/build/program_build.h"
#include "kernels/trace/build/program_cache.h"
#include "kernels/trace/build/runtime_files.h"
#include "kernels/trace/run/child_process.h"

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

void run(const std::vector<std::string>& arguments, const fs::path& folder) {
    ChildCommand command{.arguments = arguments, .environment = {"LC_ALL=C"}};
    command.folder = folder.string();
    command.limits.memoryBytes = std::uint64_t{8} << 30;
    command.limits.wall = std::chrono::seconds(120);
    const ChildResult result = runChild(command);
    if (result.status == 0) return;
    std::string words = result.output;
    while (words.ends_with('\n')) words.pop_back();
    refuseWith(words.empty() ? "the compiler failed" : words);
}

}  // namespace

fs::path buildRunner(const Kernel& kernel) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    const std::string compiler = requiredCompiler();
    const RuntimeFiles runtime = runtimeFilesIn(programCache());
    const std::string key =
        runnerDigest() + runtime.digest + compiler + kernel.file + '\0' + kernel.text;
    const fs::path programs = programCache() / "courses";
    const fs::path program = programs / (digestOf(key) + digestOf("again" + key));
    if (fs::exists(program)) return program;

    const fs::path folder =
        programCache() / "work" / ("course-" + std::to_string(getpid()) + digestOf(key));
    fs::create_directories(folder);
    struct Removal final {
        const fs::path& folder;
        ~Removal() {
            std::error_code ignored;
            fs::remove_all(folder, ignored);
        }
    } const removal{folder};
    const std::string headers = runtime.headers.string();
    writeFileAtomically(folder / "kernel.cpp", library::hostSourceOf(kernel));
    std::vector<std::string> arguments{compiler};
    for (std::string& flag : compilerFlags()) arguments.push_back(std::move(flag));
    arguments.insert(
        arguments.end(),
        {"-fdiagnostics-color=never", "-iquote", fs::absolute(kernel.folder).string(), "-isystem",
         headers, "-include", headers + "/cuda_runtime.h", "-S", "kernel.cpp", "-o", "kernel.s"});
    run(arguments, folder);
    writeFileAtomically(folder / "unit.s",
                        library::unitOf(kernel, readFile(folder / "kernel.s", 1u << 30), headers,
                                        "wl_unit_course"));
    writeFileAtomically(folder / "runner.o", runnerObject());
    run({compiler, "-pie", "-o", "program", "unit.s", "runner.o", "-lm", "-lpthread"}, folder);
    fs::create_directories(programs);
    fs::rename(folder / "program", program);
    return program;
}

}  // namespace warplens::course
