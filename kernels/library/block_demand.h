#pragma once

#include <span>
#include <string>

#include "core/measurement/worker_protocol.h"
#include "core/occupancy/occupancy.h"
#include "core/scenario/scenario.h"

namespace warplens {

/// Bytes of static shared memory that the experiment's kernel declares. The experiment must pass
/// `validate`.
[[nodiscard]] std::uint32_t staticSharedBytes(const Experiment& experiment);

/// Registers of a thread, and the SM, where nobody knows better.
inline constexpr std::uint32_t assumedRegisters = 32;
inline constexpr ComputeCapability assumedCapability{9, 0};

/// What a block asks of an SM, and where each part of it is from, in words.
struct StatedDemand final {
    BlockDemand block;
    std::string registersFrom;
    std::string sharedFrom;
    std::string unknown{};  ///< why registers are assumed, in words; may be empty

    /// Takes what the compiler says, or why it says nothing.
    void take(const CompileAnswer& answer);
};

/// What is known of the experiment without a GPU: its threads and shared memory. How many registers
/// a thread takes only the compiled kernel tells: it is taken from `compiled`, a measurement of the
/// same kernel, or else assumed. Must pass `validate`.
[[nodiscard]] StatedDemand demandOf(const Experiment& experiment,
                                    const Measurement* compiled = nullptr);

/// To ask what the kernel's instance is compiled to.
[[nodiscard]] CompileRequest compileRequestFor(const Kernel& kernel, const std::string& instance,
                                               const std::string& computeCapability);

/// Among `measurements` the one that tells best how the experiment's kernel is compiled: of the
/// same scenario, with its resources, of the same sizes if there is one. Null when none tells.
[[nodiscard]] const Measurement* tellingResources(const Experiment& experiment,
                                                  std::span<const Measurement* const> measurements);

}  // namespace warplens
