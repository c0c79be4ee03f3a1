#pragma once

#include <filesystem>

#include "core/library/kernel_file.h"

namespace warplens::course {

/// The program that runs the kernel (runner_main.cpp), compiled by the system's compiler; taken
/// from the cache where it was made before of the same text. Throws CompileFailed with the
/// compiler's words, NoCompiler, NotConfined and MalformedKernelFile. Cost: about a second.
[[nodiscard]] std::filesystem::path buildRunner(const Kernel& kernel);

}  // namespace warplens::course
