#pragma once

#include <cstdint>
#include <memory>

#include "core/scenario/scenario.h"
#include "kernels/library/array_memory.h"
#include "kernels/library/kernel_program.h"
#include "kernels/library/shared_layout.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::library {

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
    /// `memory` as made for the same experiment; without values loops that only compute are passed
    /// by. `ptx`, where given, is run in place of what stands for the source, with all its loops;
    /// it stays where it is as long as this process lives. Throws TraceFault (predict.h).
    PreparedLaunch(const Experiment& experiment, std::shared_ptr<const ArrayMemory> memory,
                   std::string_view ptx = {});
    PreparedLaunch(const PreparedLaunch&) = delete;
    PreparedLaunch& operator=(const PreparedLaunch&) = delete;
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
