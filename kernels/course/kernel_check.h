#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/program/program_trace.h"
#include "core/scenario/scenario.h"

/// Whether a kernel does what its header says, and nothing that it must not. The experiment must
/// pass `validateRun`.
namespace warplens::course {

struct HeaderFault final {
    std::uint32_t line = 0;  ///< of the entry
    std::string words;
};

/// The first thread of some blocks, from the first to the last, that stores elsewhere than
/// `element` says or is not found by `written by`. Throws TraceFault (kernels/library/predict.h).
[[nodiscard]] std::optional<HeaderFault> wrongElement(const Experiment& experiment);

/// What the machine finds wrong with the launch (kernels/ptx/check): races, shared memory that is
/// read before it is written, accesses beside arrays; races are left out where the header has
/// `races`. Of many blocks some are looked at. Throws TraceFault, std::bad_alloc. Cost: half a
/// second.
[[nodiscard]] std::vector<Finding> findingsIn(const Experiment& experiment);

}  // namespace warplens::course
