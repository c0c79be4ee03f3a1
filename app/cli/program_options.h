#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/trace/trace_program.h"

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
    std::optional<std::string> standard;
    std::vector<std::string> arrays;     ///< NAME=ELEMENTS,FILL
    std::vector<std::string> arguments;  ///< more files, then the program's own
    bool failOnFindings = false;
};

/// A path holds a `/` or ends in `.cu`.
[[nodiscard]] bool isProgramPath(const std::string& text);

/// --kernel, --launch, --array, -I, -D, --std, --fail-on-findings and what follows `--`.
void addProgramOptions(CLI::App& parser, ProgramOptions& options);

/// What may not be given without a .cu file, as the parser names it.
void refuseProgramOptions(const CLI::App& parser);

/// The request for `file`. `set` are settings NAME=VALUE, which become macros, or a kernel's numbers
/// where there is no main. Throws InvalidRequest.
[[nodiscard]] TraceRequest traceRequestFrom(const std::string& file, const ProgramOptions& options,
                                            const std::optional<std::string>& grid,
                                            const std::optional<std::string>& block,
                                            const std::vector<std::string>& set);

/// Traces, showing how far it is; what keeps it from being traced ends the command: CommandFailed.
[[nodiscard]] TracedProgram tracedShowing(const TraceRequest& request);

}  // namespace warplens
