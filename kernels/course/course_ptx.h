#pragma once

#include <filesystem>

#include "core/kernel/kernel.h"

/// The PTX of a course's kernels: beside them, in the course's folder `ptx`, where it was made of
/// the same text, else made by NVIDIA's compiler when it is needed and kept in the cache.
namespace warplens::course {

/// From now on kernels of courses have PTX (kernels/library/kernel_program.h). What that throws
/// then: NoCompiler, CompileFailed with nvcc's words, NotConfined.
void providePtx();

/// Writes both kinds of PTX of the kernel beside it, for machines without a compiler. Throws as
/// above, and std::system_error.
void keepPtxBeside(const Kernel& kernel);

}  // namespace warplens::course
