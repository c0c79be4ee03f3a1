#pragma once

#include <string>

#include "kernels/programs/program_request.h"

namespace warplens {

/// Adds to a program what its build says of it: the other files of the program that its first file
/// is of, and the folders, macros, libraries, language and optimisation that they are compiled
/// with. `build` is a call of make, which says what it would do (`-n`) within the sandbox and
/// compiles nothing, or the path of a compile_commands.json, which knows options but not which
/// files are linked. What was taken, in words. Throws InvalidRequest, NotConfined, Cancelled.
[[nodiscard]] std::string takeBuild(ProgramSource& source, const std::string& build);

}  // namespace warplens
