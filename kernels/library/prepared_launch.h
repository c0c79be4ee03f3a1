#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/measurement/worker_protocol.h"
#include "core/occupancy/occupancy.h"
#include "core/scenario/scenario.h"
#include "core/trace/warp_observer.h"
#include "kernels/library/array_memory.h"
#include "kernels/library/kernel_program.h"
#include "kernels/ptx/run/grid.h"
#include "kernels/ptx/run/program.h"

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

namespace warplens::library {

/// One array in a block's shared memory.
struct SharedArray final {
    trace::SharedPlace place;
    std::uint64_t bytes = 0;
    bool isStatic = false;
    std::uint64_t address = 0;  ///< of its first byte, in the machine's window
    std::uint64_t from = 0;     ///< of a part: where it begins in dynamic memory
};

/// The shared memory of a block: static arrays in the order of their declaration, then the launch's
/// dynamic memory, of which a part ends where the next begins.
struct SharedLayout final {
    std::vector<SharedArray> arrays;  ///< in the kernel's order
    std::uint32_t staticBytes = 0;
};

/// Of the experiment's kernel, whose arrays lie in the machine as `there`; null where that is not
/// known: then declared arrays have no end.
[[nodiscard]] SharedLayout sharedLayoutOf(const Experiment& experiment,
                                          const ptx::SharedLayout* there);
[[nodiscard]] SharedLayout sharedLayoutOf(const Experiment& experiment);

/// Which of the kernel's arrays an address is of, as the machine sees it; more than it has for what
/// is none of them.
[[nodiscard]] std::size_t arrayAt(std::uint64_t address);

/// To be called for each request before it is done: memory of inputs is shared. Throws TraceFault.
void refuseStoresToInputs(const Kernel& kernel, const ptx::Program& program,
                          const ptx::Request& request);

/// An experiment's kernel on the machine: its program, taken, with the arrays in its memory. As the
/// machine sees them, arrays lie where a trace says so (`trace::baseAddress`).
class PreparedLaunch final {
  public:
    /// `memory` as made for the same experiment; without values, and unless it `computes`, loops
    /// that only compute are passed by. `ptx`, where given, is run in place of what stands for the
    /// source; it stays where it is as long as this process lives. Throws TraceFault (predict.h).
    PreparedLaunch(const Experiment& experiment, std::shared_ptr<const ArrayMemory> memory,
                   std::string_view ptx = {}, bool computes = false);
    PreparedLaunch(PreparedLaunch&&) = delete;
    ~PreparedLaunch();

    [[nodiscard]] KernelProgram& kernel() const { return *program_.operator->(); }
    [[nodiscard]] ptx::Program& program() const { return program_->program(); }
    [[nodiscard]] const ptx::KernelLaunch& launch() const { return launch_; }
    [[nodiscard]] const SharedLayout& shared() const { return shared_; }

  private:
    const Kernel& file_;
    Experiment experiment_;
    std::shared_ptr<const ArrayMemory> memory_;
    TakenProgram program_;
    ptx::KernelLaunch launch_;
    SharedLayout shared_;
};

}  // namespace warplens::library
