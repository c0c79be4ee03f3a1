#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/program/program_sources.h"
#include "kernels/programs/cuda_compiler.h"

/// What a program needs that is not there when it is compiled and linked.
namespace warplens::programs {

/// Functions of C that the linker misses, as C++: each says at its call that it is not there, those
/// of NVIDIA's return an error, those that draw do nothing, MPI's are of a world of one process,
/// and all others end the program; where objects are to be linked each registers what it has. Empty
/// where there are none.
[[nodiscard]] std::string missingFunctions(const std::string& output);

/// Where a header is missing, the package that has it.
[[nodiscard]] std::string withPackages(std::string words);

/// Of files that have no main of their own, those that alone define a function that the linker
/// misses: of those that are named, else of those that lie beside the program's.
[[nodiscard]] std::vector<std::filesystem::path> definersOf(
    const std::string& output, const ProgramSources& sources,
    const std::vector<std::filesystem::path>& named);

/// NVRTC's library beside nvcc, a toolkit's or a package's; empty where there is none.
[[nodiscard]] std::filesystem::path nvrtcOf(const CudaCompiler& compiler);

}  // namespace warplens::programs
