#include "core/kernel/catalogue/facts.h"

namespace warplens::catalogue {
namespace {

constexpr Parameter shortParameters[] = {
    {"n", 64, 1, largestIndex, "threads with work, one value each"},
};
constexpr Parameter longParameters[] = {
    {"n", 1 << 20, 1, largestIndex, "values, one thread each"},
    {"shift", 0, 0, 5, "threads change arm every 2^shift: 0 every thread, 5 every warp"},
    {"repeats", 64, 1, 1 << 20, "rounds of eight multiply-adds in the arm taken"},
};
constexpr Parameter loopParameters[] = {
    {"n", 1 << 20, 1, largestIndex, "values, one thread each"},
    {"trips", 32, 1, 1 << 16, "thread i goes round its loop i modulo this many times"},
};
constexpr KernelArray outputOnly[] = {
    {"c", ArrayRole::output, ElementType::float32, vectorLength},
};
constexpr KernelBranch oddEven[] = {
    {"inside", "the thread has a value of its own"},
    {"even", "the thread's index is even"},
};
constexpr KernelBranch byWarp[] = {
    {"inside", "the thread has a value of its own"},
    {"even_warp", "the thread's warp has an even rank in the grid"},
};
constexpr KernelBranch predicate[] = {
    {"inside", "the thread has a value of its own"},
    {"even", "the thread's index is even"},
    {"odd", "the thread's index is odd, asked a second time"},
};
constexpr KernelBranch longArms[] = {
    {"inside", "the thread has a value of its own"},
    {"odd", "bit `shift` of the thread's index is set"},
};
constexpr KernelBranch loopTrips[] = {
    {"inside", "the thread has a value of its own"},
    {"again", "the thread goes round its loop once more"},
};

std::uint64_t outputOnlyBytes(const Arguments& a, const Launch&) {
    return 4 * arg(a, "n");
}

Kernel shortBranch(KernelId id, std::string_view name, std::span<const KernelBranch> branches) {
    return {.id = id,
            .name = name,
            .bodyFile = "branches.inl",
            .parameters = shortParameters,
            .arrays = outputOnly,
            .branches = branches,
            .work = vectorWork,
            .element = elementOfVector,
            .threadOf = threadOfVector,
            .algorithmBytes = outputOnlyBytes};
}

const Kernel kernels[] = {
    shortBranch(KernelId::branchOddEven, "branchOddEven", oddEven),
    shortBranch(KernelId::branchByWarp, "branchByWarp", byWarp),
    shortBranch(KernelId::branchPredicate, "branchPredicate", predicate),
    shortBranch(KernelId::branchWarmUp, "branchWarmUp", byWarp),
    {.id = KernelId::branchLongArms,
     .name = "branchLongArms",
     .bodyFile = "branches.inl",
     .parameters = longParameters,
     .arrays = inOutVectors,
     .branches = longArms,
     .work = vectorWork,
     .element = elementOfVector,
     .threadOf = threadOfVector,
     .algorithmBytes = inOutBytes,
     .stepsPerElement = [](const Arguments& a, const Launch&) { return 8 * arg(a, "repeats"); },
     .flops = [](const Arguments& a,
                 const Launch&) { return 16 * arg(a, "repeats") * arg(a, "n"); }},
    {.id = KernelId::branchLoopTrips,
     .name = "branchLoopTrips",
     .bodyFile = "branches.inl",
     .parameters = loopParameters,
     .arrays = inOutVectors,
     .branches = loopTrips,
     .work = vectorWork,
     .element = elementOfVector,
     .threadOf = threadOfVector,
     .algorithmBytes = inOutBytes,
     .stepsPerElement = [](const Arguments& a, const Launch&) { return arg(a, "trips"); }},
};

}  // namespace

std::span<const Kernel> branchKernels() {
    return kernels;
}

}  // namespace warplens::catalogue
