#include "kernels/programs/nvcc/compile_program.h"

#include <fstream>
#include <future>

#include "embedded/warplens_nvcc.h"

namespace warplens::programs {
namespace {

namespace fs = std::filesystem;

void writeRuntime(const fs::path& path) {
    const std::string_view bytes = embedded::embeddedFile("runtime_api.o");
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.flush();
    if (!file)
        throw fs::filesystem_error("cannot write", path, std::make_error_code(std::errc::io_error));
}

void requireDone(const CommandResult& result) {
    if (!result.isDone)
        throw CudaCompileFailed(result.output.empty() ? "nvcc failed" : result.output);
}

}  // namespace

CompiledProgram compileProgram(const CudaCompiler& compiler, const CudaProgram& program,
                               const fs::path& folder, const RunCommand& run) {
    CompiledProgram compiled;
    compiled.binary = folder / "program";
    const fs::path runtime = folder / "runtime_api.o";
    writeRuntime(runtime);
    const std::string virtualArchitecture = "compute_" + std::to_string(program.computeCapability);
    const auto command = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), compiler.nvcc.string());
        arguments.insert(arguments.end(), program.options.begin(), program.options.end());
        return arguments;
    };
    std::vector<std::future<CommandResult>> steps;
    const auto begin = [&](std::vector<std::string> arguments) {
        steps.push_back(std::async(std::launch::async, run, command(std::move(arguments))));
    };
    // Compressed PTX could not be read out of the binary. What it is linked with comes behind the
    // sources.
    std::vector<std::string> whole{"-lineinfo",
                                   "-gencode",
                                   "arch=" + virtualArchitecture + ",code=" + virtualArchitecture,
                                   "--no-compress",
                                   "-cudart",
                                   "none",
                                   "-o",
                                   compiled.binary.string()};
    for (const fs::path& file : program.files) whole.push_back(file.string());
    whole.insert(whole.end(), {runtime.string(), "-lstdc++", "-lpthread"});
    begin(whole);
    for (const fs::path& file : program.files) {
        compiled.debugPtx.push_back(folder /
                                    (std::to_string(compiled.debugPtx.size()) + ".debug.ptx"));
        begin({"-G", "-ptx", "-w", "-arch=" + virtualArchitecture, "-o",
               compiled.debugPtx.back().string(), file.string()});
    }
    std::vector<CommandResult> results;
    for (std::future<CommandResult>& step : steps) results.push_back(step.get());
    for (const CommandResult& result : results) requireDone(result);
    compiled.output = results.front().output;
    return compiled;
}

}  // namespace warplens::programs
