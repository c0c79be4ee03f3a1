#pragma once

#include <span>
#include <vector>

#include "core/kernel/compiled_branch.h"
#include "core/scenario/scenario.h"
#include "kernels/measure/code/cubin.h"
#include "kernels/measure/counters/cupti_library.h"

namespace warplens {

/// What the compiler made of a kernel.
struct CompiledKernel final {
    std::vector<CompiledBranch> branches;  ///< its marks, in the order of the kernel's facts
    /// Neighbouring loads from shared memory were merged into wider ones, so that there are fewer
    /// requests than the source has.
    bool mergedSharedLoads = false;
};

/// What became of the kernel in a cubin that holds the plain kernels, built with
/// line information: an instruction belongs to a mark when it comes from the mark's line. CUPTI
/// tells the lines and needs no GPU for it. Throws CountersUnavailable where it cannot, and
/// std::runtime_error where the cubin does not hold the kernel.
[[nodiscard]] CompiledKernel compiledKernel(const CuptiLibrary& cupti, std::span<const char> cubin,
                                            const Experiment& experiment);

/// The same for the code that runs on a device of this compute capability (90 for 9.0): the cubin
/// inside this very program that the driver chooses. Throws as above.
[[nodiscard]] CompiledKernel compiledKernelHere(const CuptiLibrary& cupti, int computeCapability,
                                                const Experiment& experiment);

}  // namespace warplens
