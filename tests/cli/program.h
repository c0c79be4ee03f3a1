#pragma once

#include <gtest/gtest.h>
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

/// Shell text with a person's own files: what is compiled is kept for the tests of this folder, and
/// for the next run of them. `$OWN` has two launches of four warps a block, `$MEASURED` is one that
/// `$KEPT` was measured of. `main_of 'float* a' BYTES LAUNCHES` prints a main that launches on so
/// many bytes of zeros.
[[nodiscard]] ProgramRun runOwn(const std::string& script);

[[nodiscard]] testing::AssertionResult holds(const std::string& text, const std::string& words);

/// The day on which the worker that plays parts says that it measured: `2026-11-22`, in UTC.
[[nodiscard]] std::string today();

}  // namespace warplens::tests
