#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/program_sources.h"
#include "kernels/programs/program_request.h"

namespace warplens {

/// The text of a program's file, which is called `reported`. Throws InvalidRequest for a name of
/// several lines, what is no file, cannot be read, holds a zero byte or more than 4 MiB.
[[nodiscard]] std::string programText(const std::filesystem::path& path,
                                      const std::string& reported);

/// Whether a text, masked (core/program/cuda_tokens.h), has a function of that name with its body.
[[nodiscard]] bool definesFunction(std::string_view masked, std::string_view name);
/// The same of main, also of one that is broken: what is wrong with it the compiler says.
[[nodiscard]] bool definesMain(std::string_view masked);

/// Whether a text has a name that older versions of CUDA had and newer ones have no longer
/// (removed.h).
[[nodiscard]] bool namesWhatIsGone(std::string_view text);

/// Macros that the program is compiled with are names, which its text leaves open, and which it
/// uses where they are settings of a program with a main. Throws InvalidRequest.
void checkDefinitions(const ProgramSource& program, const std::vector<ProgramFile>& texts,
                      bool hasMain);

/// Of a program that does not compile: throws InvalidRequest where a macro is also the name of
/// something of its own, as a parameter's.
void refuseDeclared(const ProgramSource& program, const ProgramSources& texts, bool hasMain);

}  // namespace warplens
