#include "kernels/programs/compiler.h"

#include <cstdlib>
#include <fstream>
#include <system_error>

#include "kernels/programs/reachable_files.h"
#include "kernels/programs/sandbox.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

/// What must be seen of a compiler that is no part of the system: a toolkit's folder, where it lies
/// in the bin/ of one, and else the program alone.
std::vector<fs::path> foldersOf(const fs::path& compiler) {
    std::vector<fs::path> all;
    std::error_code error;
    for (const fs::path& path : {compiler, fs::canonical(compiler, error)}) {
        if (path.empty() || isOfTheSystem(path)) continue;
        const fs::path toolkit = path.parent_path().parent_path();
        const bool isToolkit = path.parent_path().filename() == "bin" && isProjectFolder(toolkit);
        all.push_back(isToolkit ? toolkit : path);
    }
    return all;
}

}  // namespace

std::string hostCompiler() {
    if (const char* chosen = std::getenv("WARPLENS_CXX"); chosen != nullptr && *chosen != '\0') {
        return findProgram(chosen);
    }
    return findProgram("g++");
}

std::string requiredCompiler() {
    std::string compiler = hostCompiler();
    if (compiler.empty()) {
        throw NoCompiler(
            "a program's host code needs a C++ compiler: install g++ (apt install g++), or name "
            "one "
            "with WARPLENS_CXX");
    }
    return compiler;
}

std::string identityOf(const std::string& compiler) {
    std::error_code error;
    const fs::file_time_type time = fs::last_write_time(fs::canonical(compiler, error), error);
    return compiler + std::to_string(time.time_since_epoch().count());
}

ChildResult runCompiler(const Compilation& compilation, const std::function<bool()>& cancelled) {
    ChildCommand command{.arguments = compilation.arguments,
                         .environment = {"LC_ALL=C"},
                         .calls = SystemCalls::ofCompiler};
    command.limits.memoryBytes = memoryLimit(std::uint64_t{8} << 30);
    command.limits.fileBytes = std::uint64_t{1} << 30;
    command.limits.processes = 4096;
    command.limits.wall = compilation.most;
    command.startsAfter = compilation.startsAfter;
    Confinement what{.readable = compilation.readable,
                     .unread = compilation.unread,
                     .folder = compilation.folder,
                     .scratchBytes = std::uint64_t{1} << 30};
    what.readable.push_back(compilation.folder);
    for (fs::path& path : foldersOf(compilation.arguments.front())) {
        what.readable.push_back(std::move(path));
    }
    for (const std::string& output : compilation.outputs) {
        what.writable.push_back(compilation.folder / output);
        std::ofstream(what.writable.back(), std::ios::app);  // it must be there
    }
    return runChild(Sandbox::ofThisMachine().confined(std::move(command), what), {}, cancelled);
}

void requireDone(const ChildResult& result, const std::string& what) {
    if (result.cancelled) throw Cancelled();
    if (result.status == 0) return;
    std::string words = result.output;
    while (words.ends_with('\n')) words.pop_back();
    if (!result.stopped.empty())
        words += (words.empty() ? "" : "\n") + what + ": " + result.stopped;
    throw CompileFailed(words.empty() ? what + " failed" : words);
}

}  // namespace warplens
