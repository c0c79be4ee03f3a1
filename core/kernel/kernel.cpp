#include "core/kernel/kernel.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/library/kernel_facts.h"
#include "core/library/kernel_files.h"

namespace warplens {
namespace {

constexpr std::int64_t largestIndex = 2147483647;  // the kernels index with int

}  // namespace

std::span<const Kernel> allKernels() {
    static const std::vector<Kernel> kernels = [] {
        std::vector<Kernel> all;
        for (const KernelFile& file : kernelFiles()) all.push_back(kernelOfFile(file));
        return all;
    }();
    return kernels;
}

const Kernel& kernelOf(KernelIndex index) {
    return allKernels()[static_cast<std::size_t>(index)];
}

const Kernel& kernelNamed(std::string_view name) {
    const auto found = std::ranges::find(allKernels(), name, &Kernel::name);
    if (found == allKernels().end()) throw std::logic_error("no kernel " + std::string(name));
    return *found;
}

Arguments initialArguments(const Kernel& kernel) {
    Arguments arguments;
    for (const Parameter& parameter : kernel.parameters) {
        arguments.set(parameter.name, parameter.initial);
    }
    return arguments;
}

std::vector<LimitViolation> validate(const Kernel& kernel, const Arguments& arguments) {
    std::vector<LimitViolation> violations;
    for (const auto& [name, value] : arguments.entries()) {
        const auto parameter = std::ranges::find(kernel.parameters, name, &Parameter::name);
        if (parameter == kernel.parameters.end()) {
            std::string known;
            for (const Parameter& p : kernel.parameters) known += " " + std::string(p.name);
            violations.push_back({name, std::to_string(value),
                                  known.empty() ? "this kernel has no problem size to set"
                                                : "this kernel has only" + known});
        } else if (value < parameter->minimum) {
            violations.push_back(
                {name, std::to_string(value), "at least " + std::to_string(parameter->minimum)});
        } else if (value > parameter->maximum) {
            violations.push_back(
                {name, std::to_string(value), "at most " + std::to_string(parameter->maximum)});
        }
    }
    return violations;
}

std::vector<LimitViolation> validateRun(const Kernel& kernel, const Arguments& arguments,
                                        const Launch& launch) {
    std::vector<LimitViolation> violations;
    if (kernel.launchRule != nullptr) violations = kernel.launchRule(arguments, launch);
    const auto refuse = [&](std::string name, std::uint64_t value) {
        violations.push_back(
            {std::move(name), std::to_string(value),
             "at most " + std::to_string(largestIndex) + ", the kernel indexes with int"});
    };
    const std::uint64_t alongX = std::uint64_t{launch.grid.x} * launch.block.x;
    const std::uint64_t alongY = std::uint64_t{launch.grid.y} * launch.block.y;
    if (alongX > static_cast<std::uint64_t>(largestIndex)) refuse("threads along x", alongX);
    if (alongY > static_cast<std::uint64_t>(largestIndex)) refuse("threads along y", alongY);
    for (const KernelArray& array : kernel.arrays) {
        const std::uint64_t length = array.length(arguments, launch);
        if (length > static_cast<std::uint64_t>(largestIndex)) {
            refuse("elements of " + std::string(array.name), length);
        }
    }
    return violations;
}

bool reaches(const Kernel& kernel, const Arguments& arguments, const Launch& launch,
             std::uint64_t element) {
    GridPosition position;
    if (kernel.threadOf != nullptr) {
        position = kernel.threadOf(arguments, launch, element);
    } else if (kernel.work != nullptr) {
        const Extents work = kernel.work(arguments);
        position = {work.x - 1, work.y - 1, work.z - 1};
    }
    return position.x < std::uint64_t{launch.grid.x} * launch.block.x &&
           position.y < std::uint64_t{launch.grid.y} * launch.block.y &&
           position.z < std::uint64_t{launch.grid.z} * launch.block.z;
}

std::uint64_t arrayBytes(const Kernel& kernel, const Arguments& arguments, const Launch& launch) {
    std::uint64_t bytes = 0;
    for (const KernelArray& array : kernel.arrays) {
        bytes += array.length(arguments, launch) * byteCount(array.type);
    }
    return bytes;
}

}  // namespace warplens
