#pragma once

#include <string>

namespace warplens::tests {

/// What a run of the program left.
struct ProgramRun final {
    int exitCode = -1;
    std::string output;
    std::string errors;
};

/// Runs `warplens ARGUMENTS` in an empty folder that is removed afterwards, without a display. The
/// arguments are shell text; `environment` is set before it, as in `A=1 B=2`.
[[nodiscard]] ProgramRun runProgram(const std::string& arguments,
                                    const std::string& environment = "");

}  // namespace warplens::tests
