#include "core/kernel/catalogue/facts.h"

namespace warplens::catalogue {
namespace {

constexpr Parameter parameters[] = {
    {"n", 512, 1, largestSide, "rows and columns of each matrix"},
};

std::uint64_t squareLength(const Arguments& a, const Launch&) {
    return arg(a, "n") * arg(a, "n");
}

std::uint64_t columns(const Arguments& a) {
    return arg(a, "n");
}
constexpr KernelArray arrays[] = {
    {"a", ArrayRole::input, ElementType::float32, squareLength, columns},
    {"b", ArrayRole::input, ElementType::float32, squareLength, columns},
    {"c", ArrayRole::output, ElementType::float32, squareLength, columns},
};
constexpr KernelBranch branches[] = {{"inside", "the thread has an element of the matrix"}};

Extents work(const Arguments& a) {
    return extents(arg(a, "n"), arg(a, "n"));
}
std::uint64_t bytes(const Arguments& a, const Launch& l) {
    return 12 * squareLength(a, l);
}

Kernel matrixAdd(KernelId id, std::string_view name, ElementOf element, ThreadOf threadOf) {
    return {.id = id,
            .name = name,
            .bodyFile = "matrix_add.inl",
            .parameters = parameters,
            .arrays = arrays,
            .branches = branches,
            .work = work,
            .element = element,
            .threadOf = threadOf,
            .algorithmBytes = bytes,
            .flops = squareLength};
}

const Kernel kernels[] = {
    matrixAdd(
        KernelId::matrixAddCoalesced, "matrixAddCoalesced",
        [](const Arguments& a, const Launch& l, Index3 block, Index3 thread) {
            const auto [x, y, z] = positionInGrid(l, block, thread);
            return elementOfMatrix(y, x, arg(a, "n"), arg(a, "n"));
        },
        [](const Arguments& a, const Launch&, std::uint64_t element) {
            return threadAlongRow(element, arg(a, "n"));
        }),
    matrixAdd(
        KernelId::matrixAddSwapped, "matrixAddSwapped",
        [](const Arguments& a, const Launch& l, Index3 block, Index3 thread) {
            const auto [x, y, z] = positionInGrid(l, block, thread);
            return elementOfMatrix(x, y, arg(a, "n"), arg(a, "n"));
        },
        [](const Arguments& a, const Launch&, std::uint64_t element) {
            return transposed(threadAlongRow(element, arg(a, "n")));
        }),
};

}  // namespace

std::span<const Kernel> matrixAddKernels() {
    return kernels;
}

}  // namespace warplens::catalogue
