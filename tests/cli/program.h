#pragma once

#include <string>

namespace warplens::tests {

/// What a run of the program left.
struct ProgramRun final {
    int exitCode = -1;
    std::string output;
    std::string errors;
};

/// Runs shell text in an empty folder that is removed afterwards, without a display. The program is
/// `"$WARPLENS"` there.
[[nodiscard]] ProgramRun runShell(const std::string& script);

/// Runs `warplens ARGUMENTS` so; the arguments are shell text.
[[nodiscard]] ProgramRun runProgram(const std::string& arguments);

/// The day on which the worker that plays parts says that it measured: `2026-11-22`, in UTC.
[[nodiscard]] std::string today();

}  // namespace warplens::tests
