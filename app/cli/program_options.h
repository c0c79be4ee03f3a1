#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/subcommand.h"
#include "core/launch/launch.h"
#include "kernels/programs/trace_program.h"

namespace CLI {
class App;
}  // namespace CLI

namespace warplens {

/// A person's program on the command line: what to trace of it, and what it is compiled with.
struct ProgramOptions final {
    std::optional<std::string> kernel;
    std::optional<std::uint32_t> launch;
    std::vector<std::string> includes;
    std::vector<std::string> defines;
    std::vector<std::string> libraries;       ///< -l
    std::optional<std::string> optimization;  ///< -O
    std::vector<std::string> hostOptions;     ///< --compiler-options
    std::optional<int> devices;               ///< that the program is told of
    std::optional<double> timeLimit;          ///< s, of the program's run
    std::optional<std::string> standard;
    std::optional<std::string> source;      ///< whose counts: `predicted` or `compiled`
    std::optional<std::string> build;       ///< make, or compile_commands.json
    std::optional<std::string> compiler;    ///< nvcc, or a toolkit's folder
    std::optional<std::string> capability;  ///< that nvcc compiles for: `9.0`
    std::vector<std::string> arrays;        ///< NAME=ELEMENTS,FILL
    std::vector<std::string> files;         ///< more of the program
    std::vector<std::string> arguments;     ///< the program's own
    bool failOnFindings = false;
    friend bool operator==(const ProgramOptions&, const ProgramOptions&) = default;
};

/// Of a program: what nvcc takes.
[[nodiscard]] bool isSourceFile(const std::string& path);

/// Whether the word names a file: it holds a `/` or ends as one of a program does, and is no id of
/// a course's.
[[nodiscard]] bool isProgramPath(const std::string& text);

/// What a command does with that which its SCENARIO names.
struct SubjectWays final {
    std::vector<const char*> ofScenarios;  ///< options that are of no use with a file
    bool hasSources = false;               ///< --source is of use with a scenario, too
    std::function<ExitCode()> scenario;    ///< or a lesson's launch, built-in or of a course
    std::function<ExitCode(std::vector<LimitViolation>)> program;  ///< gets what is of no use
};
/// The one place where a command chooses between them.
[[nodiscard]] ExitCode runSubject(const CLI::App& parser, const std::string& name,
                                  const ProgramOptions& program, const SubjectWays& ways);

/// -I, -D, -l, -O, --devices, --time-limit, --std, --build, --compiler, --cc and more files: how a
/// program is made and run. Of a command that has a --cc of its own that one stays.
void addBuildOptions(CLI::App& parser, ProgramOptions& options);

/// These, and what is traced and told of it: --kernel, --launch, --array, --source,
/// --fail-on-findings.
void addProgramOptions(CLI::App& parser, ProgramOptions& options);

/// All of a command that takes nothing but a .cu file: its launch, and addProgramOptions.
void addProgramOnlyOptions(CLI::App& parser, ExperimentOptions& launch, ProgramOptions& options);

/// `failed` where something is wrong and that is to fail.
[[nodiscard]] ExitCode exitCodeFor(const ProgramOptions& options,
                                   const std::vector<Finding>& findings);
/// The same, and `failed` of a program that ended with an error: what is told is what came before.
[[nodiscard]] ExitCode exitCodeFor(const ProgramOptions& options, const ProgramTrace& trace);

/// Takes the first `--` and all behind it out of the words, whatever they are: the arguments of a
/// user program. Nothing where there is no `--`. What nvcc writes otherwise, `-std=c++20` and
/// `-Xcompiler -Wall`, is a word of ours then.
[[nodiscard]] std::optional<std::vector<std::string>> takeProgramArguments(
    std::vector<std::string>& words);

/// `-DN=64`, `--std=c++20`: those of its options that change what a launch does, a word each.
[[nodiscard]] std::vector<std::string> optionWordsOf(const TraceRequest& request);

/// Relative to the working folder where it lies below that, else as it is.
[[nodiscard]] std::filesystem::path fromHere(const std::filesystem::path& path);

/// The request for a file, which stands where a scenario would. Its settings NAME=VALUE become
/// macros, or a kernel's numbers where there is no main. Throws InvalidRequest.
[[nodiscard]] TraceRequest traceRequestFrom(const ExperimentOptions& launch,
                                            const ProgramOptions& options);

/// Traces, showing how far it is; what keeps it from being traced ends the command: CommandFailed.
[[nodiscard]] TracedProgram tracedShowing(const TraceRequest& request);

}  // namespace warplens
