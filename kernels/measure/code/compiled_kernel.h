#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/kernel/compiled_branch.h"
#include "core/library/kernel_file.h"
#include "kernels/measure/code/cubin.h"

namespace warplens {

/// What the compiler made of a kernel.
struct CompiledKernel final {
    std::vector<CompiledBranch> branches;  ///< those that are named, in the order of the file
    /// Neighbouring loads from shared memory were merged into wider ones, so that there are fewer
    /// requests than the source has.
    bool mergedSharedLoads = false;
    /// Adding 1 in shared memory became an instruction of its own, from compute capability 8.0 on:
    /// lanes at one word take one wavefront together, not one after the other.
    bool incrementsShared = false;
};

/// What became of the kernel in its machine code, compiled with line information: an instruction
/// belongs to a named branch when it comes from the branch's line. (CUPTI 13.0 tells lines, too,
/// but takes two kernels of the same code and length for one.) Throws std::runtime_error where the
/// cubin does not hold the symbol.
[[nodiscard]] CompiledKernel compiledKernel(std::span<const char> cubin, const std::string& symbol,
                                            const Kernel& file);

}  // namespace warplens
