#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/kernel/kernel.h"
#include "core/program/launch_report.h"
#include "core/program/program_trace.h"
#include "core/scenario/scenario.h"

/// The PTX of a course's kernels: beside them, in the course's folder `ptx`, where it was made of
/// the same text, else made by NVIDIA's compiler when it is needed and kept in the cache.
namespace warplens::course {

/// From now on kernels of courses have PTX (kernels/library/kernel_program.h). What that throws
/// then: NoCompiler, CompileFailed with nvcc's words, NotConfined.
void providePtx();

/// Writes both kinds of PTX of the kernel beside it, for machines without a compiler. Throws as
/// above, and std::system_error.
void keepPtxBeside(const Kernel& kernel);

// Whether a kernel does what its header says, and nothing that it must not. The experiment must
// pass `validateRun`.

struct HeaderFault final {
    std::uint32_t line = 0;  ///< of the entry
    std::string words;
};

/// The first thread of some blocks, from the first to the last, that stores elsewhere than
/// `element` says or is not found by `written by`. Throws TraceFault (kernels/library/predict.h).
[[nodiscard]] std::optional<HeaderFault> wrongElement(const Experiment& experiment);

/// Where `moves` is more than twice, or less than half, of the bytes that the launch, as
/// predicted, touches: of each array's loads and of its stores those of all requests, and no more
/// than the array has. What several requests share is counted once only where that tells it, so
/// less than a factor of two says nothing.
[[nodiscard]] std::optional<HeaderFault> wrongMoves(const Experiment& experiment,
                                                    const LaunchReport& predicted);

/// What the machine finds wrong with the launch (kernels/ptx/check): races, shared memory that is
/// read before it is written, accesses beside arrays; races are left out where the header has
/// `races`. Of many blocks some are looked at. Throws TraceFault, std::bad_alloc. Cost: half a
/// second.
[[nodiscard]] std::vector<Finding> findingsIn(const Experiment& experiment);

}  // namespace warplens::course
