// run_program [--compiler PATH] [--cc 90] [--keep FOLDER] FILE.cu... [-- ARGUMENTS]: compiles a
// program with nvcc against our runtime API, runs it, and prints what was counted as JSON. Exits as
// the program does.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/json/json.h"
#include "kernels/programs/nvcc/compile_program.h"
#include "kernels/programs/nvcc/run_collector.h"
#include "kernels/programs/run_child.h"

namespace {

using namespace warplens;
using namespace warplens::programs;
namespace fs = std::filesystem;

struct ToolArguments final {
    fs::path compiler;
    fs::path folder;
    CudaProgram program;
    std::vector<std::string> ofProgram;
};

ToolArguments parsed(int count, char** texts) {
    ToolArguments arguments;
    for (int at = 1; at < count; ++at) {
        const std::string text = texts[at];
        if (text == "--compiler" && at + 1 < count)
            arguments.compiler = texts[++at];
        else if (text == "--cc" && at + 1 < count)
            arguments.program.computeCapability = std::atoi(texts[++at]);
        else if (text == "--keep" && at + 1 < count)
            arguments.folder = texts[++at];
        else if (text == "--")
            arguments.ofProgram.assign(texts + at + 1, texts + count), at = count;
        else if (text.starts_with("-"))
            arguments.program.options.push_back(text);
        else
            arguments.program.files.push_back(text);
    }
    return arguments;
}

CommandResult runCommand(const std::vector<std::string>& words) {
    ChildCommand command;
    command.arguments = words;
    command.environment = ownEnvironment();
    command.limits.wall = std::chrono::seconds(300);
    const ChildResult result = runChild(command);
    return {result.status == 0, result.output};
}

/// A folder that is gone with it, unless it was given.
class WorkFolder final {
  public:
    explicit WorkFolder(fs::path given) : path_(std::move(given)), isOwn_(path_.empty()) {
        std::string pattern = (fs::temp_directory_path() / "run-program-XXXXXX").string();
        if (isOwn_) path_ = mkdtemp(pattern.data());
        fs::create_directories(path_);
    }
    ~WorkFolder() {
        std::error_code error;
        if (isOwn_) fs::remove_all(path_, error);
    }
    [[nodiscard]] const fs::path& path() const { return path_; }

  private:
    fs::path path_;
    bool isOwn_;
};

int run(const ToolArguments& arguments) {
    const auto compiler = findCudaCompiler(arguments.compiler);
    if (!compiler) {
        std::fprintf(stderr, "no nvcc on this machine\n");
        return 3;
    }
    const WorkFolder folder(arguments.folder);
    const CompiledProgram compiled =
        compileProgram(*compiler, arguments.program, folder.path(), runCommand);
    RunCollector collector(arguments.program.files);
    ChildCommand command;
    command.arguments = {compiled.binary.string()};
    command.arguments.insert(command.arguments.end(), arguments.ofProgram.begin(),
                             arguments.ofProgram.end());
    std::string options =
        std::string(traceEnvironment) + "=pipe=" + std::to_string(ChildCommand::pipe);
    for (const fs::path& ptx : compiled.debugPtx) options += ";debug=" + ptx.string();
    command.environment = ownEnvironment();
    command.environment.push_back(options);
    command.limits.wall = std::chrono::seconds(120);
    command.hasPipe = true;
    const ChildResult child = runChild(
        command, [&](const char* bytes, std::size_t size) { collector.take(bytes, size); });
    ProgramTrace trace = collector.finish();
    trace.exit = {.status = child.status,
                  .signal = child.signal == 0 ? "" : std::to_string(child.signal),
                  .stopped = child.stopped,
                  .output = child.output,
                  .outputCut = child.outputCut};
    std::puts(toJson(trace).c_str());
    return child.status.value_or(128 + child.signal);
}

}  // namespace

int main(int count, char** texts) {
    const ToolArguments arguments = parsed(count, texts);
    if (arguments.program.files.empty()) {
        std::fprintf(
            stderr,
            "run_program [--compiler PATH] [--cc 90] [--keep FOLDER] FILE.cu... [-- ARGUMENTS]\n");
        return 2;
    }
    try {
        return run(arguments);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
