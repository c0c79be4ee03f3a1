#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/trace/build/program_build.h"
#include "kernels/trace/build/runtime_files.h"
#include "kernels/trace/build/source_files.h"

namespace warplens {

/// What every program is compiled after: the one of CUDA's headers that the others come with.
inline constexpr const char* firstHeader = "cuda_runtime.h";
/// 2,048 threads each: what a cooperative launch can hold here (runtime/launch.cpp).
inline constexpr int multiprocessorsTogether = 8;

/// -O0: what the source says. The hooks come from the thread sanitizer's instrumentation; its
/// runtime is not linked. %r15 is where events go.
[[nodiscard]] const std::vector<std::string>& compilerFlags();
/// The same once more as an ordinary program: for host code, and for blocks that are only run. What
/// a function without its `return` does stays as without optimisation, as students' are.
[[nodiscard]] const std::vector<std::string>& optimizerFlags();

/// `-std=gnu++17`.
[[nodiscard]] std::string standardOption(const ProgramSource& source);
/// That and what else depends on the program: macros that headers ask for, folders, our headers.
[[nodiscard]] std::vector<std::string> languageOptions(const ProgramSource& source,
                                                       const SourceFiles& sources,
                                                       const RuntimeFiles& files);
/// Other macros, as text that is put before each of the program's files.
[[nodiscard]] std::string definitionsOf(const ProgramSource& source, const SourceFiles& sources);

}  // namespace warplens
