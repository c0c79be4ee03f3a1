#include <bit>

#include "core/kernel/catalogue/facts.h"

namespace warplens::catalogue {
namespace {

constexpr Parameter parameters[] = {
    {"n", 1 << 24, 1, largestIndex, "values to add up"},
};
constexpr KernelArray arrays[] = {
    {"in", ArrayRole::input, ElementType::float32, vectorLength},
    {"sums", ArrayRole::output, ElementType::float32,
     [](const Arguments&, const Launch& l) { return std::uint64_t{l.grid.x}; }},
};
constexpr std::string_view shared[] = {"values"};
constexpr KernelBranch branches[] = {
    {"inside", "the thread has a value to load"},
    {"works", "the thread adds two values at this stride"},
    {"first", "the thread writes the block's sum"},
};

std::vector<Breach> launchRule(const Arguments&, const Launch& l) {
    std::vector<Breach> breaches;
    if (l.block.y != 1 || l.block.z != 1 || !std::has_single_bit(l.block.x)) {
        breaches.push_back(
            {"block", toString(l.block), "a power of two along x alone, this reduction halves it"});
    }
    return breaches;
}

/// Only the first thread of a block writes: the sum of the block.
Element element(const Arguments&, const Launch&, Index3 block, Index3 thread) {
    return thread.x == 0 ? Element(block.x) : std::nullopt;
}
GridPosition threadOf(const Arguments&, const Launch& l, std::uint64_t element) {
    return {element * l.block.x, 0, 0};
}
std::uint64_t bytes(const Arguments& a, const Launch& l) {
    return 4 * (arg(a, "n") + std::uint64_t{l.grid.x});
}

Kernel reduction(KernelId id, std::string_view name) {
    return {.id = id,
            .name = name,
            .bodyFile = "reductions.inl",
            .parameters = parameters,
            .arrays = arrays,
            .shared = shared,
            .branches = branches,
            .usesBarriers = true,
            .work = vectorWork,
            .launchRule = launchRule,
            .element = element,
            .threadOf = threadOf,
            .algorithmBytes = bytes,
            .stepsPerElement = [](const Arguments&, const Launch& l) {
                return std::uint64_t{l.block.x};
            }};
}

const Kernel kernels[] = {
    reduction(KernelId::reduceInterleaved, "reduceInterleaved"),
    reduction(KernelId::reduceSequential, "reduceSequential"),
};

}  // namespace

std::span<const Kernel> reductionKernels() {
    return kernels;
}

}  // namespace warplens::catalogue
