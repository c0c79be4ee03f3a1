#include "core/kernel/catalogue/facts.h"

namespace warplens::catalogue {
namespace {

constexpr Parameter parameters[] = {
    {"n", 1 << 20, 1, largestIndex, "values, one thread each"},
    {"shift", 1, 0, 1 << 20, "thread i begins at value (i + shift) modulo 16 of its array"},
};
constexpr KernelBranch inside[] = {{"inside", "the thread has a value of its own"}};

Kernel arrayKernel(KernelId id, std::string_view name) {
    return {.id = id,
            .name = name,
            .bodyFile = "memory_spaces.inl",
            .parameters = parameters,
            .arrays = inOutVectors,
            .branches = inside,
            .work = vectorWork,
            .element = elementOfVector,
            .threadOf = threadOfVector,
            .algorithmBytes = inOutBytes,
            .stepsPerElement = [](const Arguments&, const Launch&) { return std::uint64_t{32}; }};
}

const Kernel kernels[] = {
    arrayKernel(KernelId::arrayInLocalMemory, "arrayInLocalMemory"),
    arrayKernel(KernelId::arrayInRegisters, "arrayInRegisters"),
};

}  // namespace

std::span<const Kernel> memorySpaceKernels() {
    return kernels;
}

}  // namespace warplens::catalogue
