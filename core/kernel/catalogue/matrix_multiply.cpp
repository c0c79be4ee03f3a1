#include "core/kernel/catalogue/facts.h"

namespace warplens::catalogue {
namespace {

// --- rectangular: rows x inner by inner x cols ---------------------------------------------------
constexpr Parameter rectangularParameters[] = {
    {"rows", 3000, 1, largestIndex, "rows of the left matrix and of the product"},
    {"inner", 4000, 1, largestIndex, "columns of the left matrix, rows of the right one"},
    {"cols", 3000, 1, largestIndex, "columns of the right matrix and of the product"},
};

std::uint64_t leftLength(const Arguments& a, const Launch&) {
    return arg(a, "rows") * arg(a, "inner");
}
std::uint64_t rightLength(const Arguments& a, const Launch&) {
    return arg(a, "inner") * arg(a, "cols");
}
std::uint64_t productLength(const Arguments& a, const Launch&) {
    return arg(a, "rows") * arg(a, "cols");
}

std::uint64_t leftColumns(const Arguments& a) {
    return arg(a, "inner");
}
std::uint64_t rightColumns(const Arguments& a) {
    return arg(a, "cols");
}
constexpr KernelArray rectangularArrays[] = {
    {"left", ArrayRole::input, ElementType::float32, leftLength, leftColumns},
    {"right", ArrayRole::input, ElementType::float32, rightLength, rightColumns},
    {"out", ArrayRole::output, ElementType::float32, productLength, rightColumns},
};

std::uint64_t rectangularBytes(const Arguments& a, const Launch& l) {
    return 4 * (leftLength(a, l) + rightLength(a, l) + productLength(a, l));
}
std::uint64_t rectangularFlops(const Arguments& a, const Launch&) {
    return 2 * arg(a, "rows") * arg(a, "inner") * arg(a, "cols");
}
std::uint64_t rectangularSteps(const Arguments& a, const Launch&) {
    return arg(a, "inner");
}

// --- square: n x n by n x n ----------------------------------------------------------------------
constexpr Parameter squareParameters[] = {
    {"n", 512, 1, largestSide, "rows and columns of each matrix"},
};
constexpr Parameter tiledParameters[] = {
    {"n", 512, 1, largestSide, "rows and columns of each matrix"},
    {"tile", 16, 8, 32, "side of the tiles in shared memory: 8, 16 or 32"},
};

std::uint64_t squareLength(const Arguments& a, const Launch&) {
    return arg(a, "n") * arg(a, "n");
}

std::uint64_t squareColumns(const Arguments& a) {
    return arg(a, "n");
}
constexpr KernelArray squareArrays[] = {
    {"a", ArrayRole::input, ElementType::float32, squareLength, squareColumns},
    {"b", ArrayRole::input, ElementType::float32, squareLength, squareColumns},
    {"c", ArrayRole::output, ElementType::float32, squareLength, squareColumns},
};

Extents squareWork(const Arguments& a) {
    return extents(arg(a, "n"), arg(a, "n"));
}
Element squareElement(const Arguments& a, const Launch& l, Index3 block, Index3 thread) {
    const auto [x, y, z] = positionInGrid(l, block, thread);
    return elementOfMatrix(y, x, arg(a, "n"), arg(a, "n"));
}
GridPosition squareThread(const Arguments& a, const Launch&, std::uint64_t element) {
    return threadAlongRow(element, arg(a, "n"));
}
std::uint64_t squareBytes(const Arguments& a, const Launch& l) {
    return 12 * squareLength(a, l);
}
std::uint64_t squareFlops(const Arguments& a, const Launch&) {
    return 2 * arg(a, "n") * arg(a, "n") * arg(a, "n");
}
std::uint64_t squareSteps(const Arguments& a, const Launch&) {
    return arg(a, "n");
}

Extents tileBlock(const Arguments& a) {
    return extents(arg(a, "tile"), arg(a, "tile"));
}
std::vector<Breach> tileRule(const Arguments& a, const Launch& l) {
    std::vector<Breach> breaches;
    const std::uint64_t tile = arg(a, "tile");
    if (tile != 8 && tile != 16 && tile != 32) {
        breaches.push_back({"tile", std::to_string(tile), "8, 16 or 32"});
    } else if (l.block != tileBlock(a)) {
        breaches.push_back(
            {"block", toString(l.block), "must be the tile's size, " + toString(tileBlock(a))});
    }
    return breaches;
}

constexpr KernelBranch inside[] = {{"inside", "the thread has an element of the product"}};
constexpr KernelBranch tileBranches[] = {
    {"inside_a", "the thread's value of a's tile lies inside the matrix"},
    {"inside_b", "the thread's value of b's tile lies inside the matrix"},
    {"inside", "the thread has an element of the product"},
};
constexpr std::string_view tiles[] = {"tile_a", "tile_b"};

Kernel rectangularProduct(KernelId id, std::string_view name, Extents (*work)(const Arguments&),
                          ElementOf element, ThreadOf threadOf) {
    return {.id = id,
            .name = name,
            .bodyFile = "matrix_multiply.inl",
            .parameters = rectangularParameters,
            .arrays = rectangularArrays,
            .branches = inside,
            .work = work,
            .element = element,
            .threadOf = threadOf,
            .algorithmBytes = rectangularBytes,
            .stepsPerElement = rectangularSteps,
            .flops = rectangularFlops};
}

Kernel squareProduct(KernelId id, std::string_view name) {
    return {.id = id,
            .name = name,
            .bodyFile = "matrix_multiply.inl",
            .parameters = squareParameters,
            .arrays = squareArrays,
            .branches = inside,
            .work = squareWork,
            .element = squareElement,
            .threadOf = squareThread,
            .algorithmBytes = squareBytes,
            .stepsPerElement = squareSteps,
            .flops = squareFlops};
}

Kernel tiledProduct(KernelId id, std::string_view name) {
    Kernel kernel = squareProduct(id, name);
    kernel.parameters = tiledParameters;
    kernel.shared = tiles;
    kernel.branches = tileBranches;
    kernel.usesBarriers = true;
    kernel.launchRule = tileRule;
    kernel.blockFor = tileBlock;
    return kernel;
}

Kernel tiledProductInDynamicMemory(KernelId id, std::string_view name) {
    Kernel kernel = tiledProduct(id, name);
    kernel.dynamicSharedBytes = [](const Arguments& a, const Launch&) {
        return static_cast<std::uint32_t>(2 * 4 * arg(a, "tile") * arg(a, "tile"));
    };
    return kernel;
}

const Kernel kernels[] = {
    rectangularProduct(
        KernelId::matrixMultiplyCoalesced, "matrixMultiplyCoalesced",
        [](const Arguments& a) { return extents(arg(a, "cols"), arg(a, "rows")); },
        [](const Arguments& a, const Launch& l, Index3 block, Index3 thread) {
            const auto [x, y, z] = positionInGrid(l, block, thread);
            return elementOfMatrix(y, x, arg(a, "rows"), arg(a, "cols"));
        },
        [](const Arguments& a, const Launch&, std::uint64_t element) {
            return threadAlongRow(element, arg(a, "cols"));
        }),
    rectangularProduct(
        KernelId::matrixMultiplySwapped, "matrixMultiplySwapped",
        [](const Arguments& a) { return extents(arg(a, "rows"), arg(a, "cols")); },
        [](const Arguments& a, const Launch& l, Index3 block, Index3 thread) {
            const auto [x, y, z] = positionInGrid(l, block, thread);
            return elementOfMatrix(x, y, arg(a, "rows"), arg(a, "cols"));
        },
        [](const Arguments& a, const Launch&, std::uint64_t element) {
            return transposed(threadAlongRow(element, arg(a, "cols")));
        }),
    squareProduct(KernelId::matrixMultiplyGlobal, "matrixMultiplyGlobal"),
    tiledProduct(KernelId::matrixMultiplyTiled, "matrixMultiplyTiled"),
    tiledProductInDynamicMemory(KernelId::matrixMultiplyTiledDynamic, "matrixMultiplyTiledDynamic"),
};

}  // namespace

std::span<const Kernel> matrixMultiplyKernels() {
    return kernels;
}

}  // namespace warplens::catalogue
