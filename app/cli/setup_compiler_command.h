#pragma once

#include <filesystem>
#include <string>

#include "kernels/programs/compiler_setup.h"

namespace warplens {

/// Set to 1 it stands for the answer yes, in scripts.
inline constexpr const char* licenceVariable = "WARPLENS_ACCEPT_CUDA_EULA";

/// Says what would be put where, under which licence, and asks. `from` is empty where it would be
/// fetched. Throws CommandFailed where the answer is no (exit code 1), and where nobody can be
/// asked (3).
void askForCompiler(const std::filesystem::path& from);

/// Asks, and sets it up, showing how far it is. Throws InvalidRequest and CommandFailed.
programs::OwnCompiler setUpCompilerShowing(const std::filesystem::path& from);

/// Before a program is compiled by NVIDIA's compiler: where none is there, and on a terminal, the
/// same question, once in this process, and the compiler is set up where the answer is yes. Else
/// nothing is done, and what compiles says how to get one (NoCompiler).
void offerCompiler();

}  // namespace warplens
