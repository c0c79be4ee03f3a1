#include "core/kernel/catalogue/facts.h"

namespace warplens::catalogue {
namespace {

constexpr std::int64_t mostValues = 1 << 28;    // 4 GiB
constexpr std::uint64_t mostThreads = 1 << 30;  // one round on from the last value is still an int
constexpr Parameter parameters[] = {
    {"n", 1 << 24, 1, mostValues, "float4 values read, 16 bytes each"},
    {"work", 0, 0, 1 << 16, "multiply-adds on each value, one waiting for the other"},
};

std::uint64_t threadsAlongX(const Arguments&, const Launch& l) {
    return std::uint64_t{l.grid.x} * l.block.x;
}
constexpr KernelArray arrays[] = {
    {"in", ArrayRole::input, ElementType::float32x4, vectorLength},
    {"sums", ArrayRole::output, ElementType::float32, threadsAlongX},
};
constexpr KernelBranch branches[] = {{"more", "the thread has another value to read"}};

std::vector<Breach> indexRule(const Arguments& a, const Launch& l) {
    const std::uint64_t threads = threadsAlongX(a, l);
    if (threads <= mostThreads) return {};
    return {
        {"threads along x", std::to_string(threads),
         "at most " + std::to_string(mostThreads) + ", the kernel steps a grid ahead with int"}};
}

const Kernel kernels[] = {
    {.id = KernelId::sumInRounds,
     .name = "sumInRounds",
     .bodyFile = "scheduling.inl",
     .parameters = parameters,
     .arrays = arrays,
     .branches = branches,
     .launchRule = indexRule,
     .element = [](const Arguments&, const Launch& l, Index3 block,
                   Index3 thread) { return Element(positionInGrid(l, block, thread).x); },
     .threadOf = threadOfVector,
     .algorithmBytes = [](const Arguments& a,
                          const Launch& l) { return 16 * arg(a, "n") + 4 * threadsAlongX(a, l); },
     .stepsPerElement =
         [](const Arguments& a, const Launch& l) {
             return (arg(a, "n") / threadsAlongX(a, l) + 1) * (4 + arg(a, "work"));
         },
     .flops = [](const Arguments& a,
                 const Launch&) { return arg(a, "n") * (4 + 2 * arg(a, "work")); }},
};

}  // namespace

std::span<const Kernel> schedulingKernels() {
    return kernels;
}

}  // namespace warplens::catalogue
