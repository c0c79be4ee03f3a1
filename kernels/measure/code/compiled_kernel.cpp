#include "kernels/measure/code/compiled_kernel.h"

#include <algorithm>
#include <stdexcept>

namespace warplens {
CompiledKernel compiledKernel(std::span<const char> cubin, const std::string& symbol,
                              const Kernel& file) {
    const std::vector<SassFunction> functions = functionsOf(cubin);
    const auto function = std::ranges::find(functions, symbol, &SassFunction::name);
    if (function == functions.end()) throw std::runtime_error("no compiled kernel " + symbol);
    CompiledKernel result;
    for (const KernelBranch& branch : file.branches) {
        result.branches.push_back({branch.name, BranchForm::predicated});
    }
    for (const SassInstruction& instruction : function->instructions) {
        result.mergedSharedLoads |= instruction.isWideSharedLoad();
        result.incrementsShared |= instruction.isSharedIncrement();
        if (!instruction.conditional() || (!instruction.isBranch() && !instruction.isExit())) {
            continue;
        }
        for (std::size_t i = 0; i < file.branches.size(); ++i) {
            BranchForm& form = result.branches[i].form;
            if (instruction.line != file.branches[i].line || form == BranchForm::branch) continue;
            form = instruction.isBranch() ? BranchForm::branch : BranchForm::exit;
        }
    }
    return result;
}

}  // namespace warplens
