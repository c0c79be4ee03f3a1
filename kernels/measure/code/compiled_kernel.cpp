#include "kernels/measure/code/compiled_kernel.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include "core/text/atomic_file.h"
#include "core/text/program_path.h"
#include "kernels/bodies/body_text.h"
#include "kernels/measure/counters/cupti_params.h"
#include "kernels/bodies/kernel_id.h"

namespace warplens {
namespace {

/// Part of the mangled name that tells the kernel, in the namespace of the plain dialect.
std::string mangledPart(const Kernel& kernel, const Experiment& experiment) {
    std::string part = "5plain" + std::to_string(kernel.name.size()) + std::string(kernel.name);
    if (kernelIdOf(kernel) == KernelId::matrixMultiplyTiled) {
        part += "ILi" + std::to_string(experiment.arguments.at("tile")) + 'E';
    } else {
        part += 'E';
    }
    return part;
}

const SassFunction& functionNamed(const std::vector<SassFunction>& functions,
                                  const std::string& part) {
    const auto found = std::ranges::find_if(functions, [&](const SassFunction& function) {
        return function.name.find(part) != std::string::npos;
    });
    if (found == functions.end()) throw std::runtime_error("no compiled kernel " + part);
    return *found;
}

std::uint32_t lineOf(const CuptiLibrary& cupti, std::span<const char> cubin,
                     const SassFunction& function, std::uint32_t offset) {
    CUpti_GetSassToSourceCorrelationParams params{};
    params.size = CUpti_GetSassToSourceCorrelationParamsSize;
    params.cubin = cubin.data();
    params.cubinSize = cubin.size();
    params.functionName = function.name.c_str();
    params.pcOffset = offset;
    cupti.check(cupti.getSassToSource(&params), "cuptiGetSassToSourceCorrelation");
    // The names are allocated by CUPTI for the caller.
    std::free(params.fileName);
    std::free(params.dirName);
    return params.lineNumber;
}

}  // namespace

CompiledKernel compiledKernel(const CuptiLibrary& cupti, std::span<const char> cubin,
                              const Experiment& experiment) {
    const Kernel& kernel = kernelOf(scenarioNamed(experiment.scenario).kernel);
    const std::vector<SassFunction> functions = functionsOf(cubin);
    const std::string part = mangledPart(kernel, experiment);
    const SassFunction& function = functionNamed(functions, part);
    CompiledKernel result;
    for (const KernelBranch& mark : kernel.branches) {
        result.branches.push_back({std::string(mark.name), BranchForm::predicated});
    }
    for (const SassInstruction& instruction : function.instructions) {
        result.mergedSharedLoads |= instruction.isWideSharedLoad();
        if (!instruction.conditional() || (!instruction.isBranch() && !instruction.isExit())) {
            continue;
        }
        const std::uint32_t line = lineOf(cupti, cubin, function, instruction.offset);
        for (CompiledBranch& mark : result.branches) {
            if (line != markLine(kernel, mark.branch) || mark.form == BranchForm::branch) continue;
            mark.form = instruction.isBranch() ? BranchForm::branch : BranchForm::exit;
        }
    }
    return result;
}

CompiledKernel compiledKernelHere(const CuptiLibrary& cupti, int computeCapability,
                                  const Experiment& experiment) {
    static const std::string program = readFile(programPath().string(), std::uint64_t{1} << 30);
    static const std::vector<EmbeddedCubin> cubins = cubinsIn(program);
    const Kernel& kernel = kernelOf(scenarioNamed(experiment.scenario).kernel);
    const std::string part = mangledPart(kernel, experiment);
    const EmbeddedCubin* best = nullptr;
    for (const EmbeddedCubin& cubin : cubins) {
        // The driver takes the newest of the same major version that is not newer than the device.
        if (cubin.computeCapability / 10 != computeCapability / 10 ||
            cubin.computeCapability > computeCapability ||
            (best != nullptr && cubin.computeCapability <= best->computeCapability)) {
            continue;
        }
        const auto functions = functionsOf(cubin.bytes);
        if (std::ranges::any_of(functions, [&](const SassFunction& function) {
                return function.name.find(part) != std::string::npos;
            })) {
            best = &cubin;
        }
    }
    if (best == nullptr) {
        throw std::runtime_error("this program holds no machine code for compute capability " +
                                 std::to_string(computeCapability / 10) + '.' +
                                 std::to_string(computeCapability % 10));
    }
    return compiledKernel(cupti, best->bytes, experiment);
}

}  // namespace warplens
