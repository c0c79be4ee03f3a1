#include "core/kernel/kernel.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace warplens {
namespace {

using Length = std::uint64_t;
using Element = std::optional<std::uint64_t>;

constexpr std::int64_t largestIndex = 2147483647;  // the kernels index with int
constexpr std::int64_t largestSide = 46340;        // its square is the last below 2^31

Length arg(const Arguments& arguments, std::string_view name) {
    return static_cast<Length>(arguments.at(name));
}
Extents line(std::uint64_t count) {
    return {static_cast<std::uint32_t>(count), 1, 1};
}
Extents plane(std::uint64_t x, std::uint64_t y) {
    return {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 1};
}

GridPosition positionInGrid(const Launch& launch, Index3 block, Index3 thread) {
    return {std::uint64_t{block.x} * launch.block.x + thread.x,
            std::uint64_t{block.y} * launch.block.y + thread.y};
}
Element elementOfMatrix(std::uint64_t row, std::uint64_t column, Length rows, Length columns) {
    if (row >= rows || column >= columns) return std::nullopt;
    return row * columns + column;
}
Element elementOfVector(const Arguments& a, const Launch& l, Index3 block, Index3 thread) {
    const std::uint64_t i = positionInGrid(l, block, thread).x;
    // y and z have no meaning to a one-dimensional kernel: every layer repeats the same element.
    return i < arg(a, "n") ? Element(i) : std::nullopt;
}

GridPosition threadOfVector(const Arguments&, std::uint64_t element) {
    return {element, 0};
}
/// Threads along x take neighbouring columns of a matrix with `columns` columns.
GridPosition threadAlongRow(std::uint64_t element, Length columns) {
    return {element % columns, element / columns};
}
GridPosition transposed(GridPosition position) {
    return {position.y, position.x};
}

Length noColumns(const Arguments&) {
    return 0;
}
Length vectorLength(const Arguments& a, const Launch&) {
    return arg(a, "n");
}
Extents vectorWork(const Arguments& a) {
    return line(arg(a, "n"));
}

// --- warp_rank.inl -------------------------------------------------------------------------------
constexpr KernelArray warpRankArrays[] = {
    {"warps", ArrayRole::output, ElementType::int32,
     [](const Arguments&, const Launch& l) { return l.threadCount(); }},
};
Element elementOfLaunch(const Arguments&, const Launch& l, Index3 block, Index3 thread) {
    const std::uint64_t rank = thread.x + std::uint64_t{l.block.x} * thread.y +
                               std::uint64_t{l.block.x} * l.block.y * thread.z;
    const std::uint64_t blockRank =
        block.x + std::uint64_t{l.grid.x} * (block.y + std::uint64_t{l.grid.y} * block.z);
    return blockRank * l.block.count() + rank;
}

// --- matrix_add.inl ------------------------------------------------------------------------------
constexpr Parameter matrixAddParameters[] = {
    {"n", 512, 1, largestSide, "rows and columns of each matrix"},
};
Length squareLength(const Arguments& a, const Launch&) {
    return arg(a, "n") * arg(a, "n");
}
constexpr KernelArray matrixAddArrays[] = {
    {"a", ArrayRole::input, ElementType::float32, squareLength},
    {"b", ArrayRole::input, ElementType::float32, squareLength},
    {"c", ArrayRole::output, ElementType::float32, squareLength},
};
constexpr KernelBranch insideMatrix[] = {{"inside", "the thread has an element of the matrix"}};
Extents squareWork(const Arguments& a) {
    return plane(arg(a, "n"), arg(a, "n"));
}
Length squareColumns(const Arguments& a) {
    return arg(a, "n");
}
Length matrixAddBytes(const Arguments& a, const Launch& l) {
    return 12 * squareLength(a, l);
}

// --- matrix_multiply.inl -------------------------------------------------------------------------
constexpr Parameter matrixMultiplyParameters[] = {
    {"rows", 3000, 1, largestIndex, "rows of the left matrix and of the product"},
    {"inner", 4000, 1, largestIndex, "columns of the left matrix, rows of the right one"},
    {"cols", 3000, 1, largestIndex, "columns of the right matrix and of the product"},
};
Length leftLength(const Arguments& a, const Launch&) {
    return arg(a, "rows") * arg(a, "inner");
}
Length rightLength(const Arguments& a, const Launch&) {
    return arg(a, "inner") * arg(a, "cols");
}
Length productLength(const Arguments& a, const Launch&) {
    return arg(a, "rows") * arg(a, "cols");
}
constexpr KernelArray matrixMultiplyArrays[] = {
    {"left", ArrayRole::input, ElementType::float32, leftLength},
    {"right", ArrayRole::input, ElementType::float32, rightLength},
    {"out", ArrayRole::output, ElementType::float32, productLength},
};
Length productColumns(const Arguments& a) {
    return arg(a, "cols");
}
Length productBytes(const Arguments& a, const Launch& l) {
    return 4 * (leftLength(a, l) + rightLength(a, l) + productLength(a, l));
}

// --- branches.inl --------------------------------------------------------------------------------
constexpr Parameter shortBranchParameters[] = {
    {"n", 64, 1, largestIndex, "threads with work, one value each"},
};
constexpr Parameter longBranchParameters[] = {
    {"n", 1 << 20, 1, largestIndex, "values, one thread each"},
    {"shift", 0, 0, 5, "threads change arm every 2^shift: 0 every thread, 5 every warp"},
    {"repeats", 64, 1, 1 << 20, "rounds of eight multiply-adds in the arm taken"},
};
constexpr KernelArray shortBranchArrays[] = {
    {"c", ArrayRole::output, ElementType::float32, vectorLength},
};
constexpr KernelArray inOutVectors[] = {
    {"in", ArrayRole::input, ElementType::float32, vectorLength},
    {"out", ArrayRole::output, ElementType::float32, vectorLength},
};
constexpr KernelBranch oddEvenBranches[] = {
    {"inside", "the thread has a value of its own"},
    {"even", "the thread's index is even"},
};
constexpr KernelBranch byWarpBranches[] = {
    {"inside", "the thread has a value of its own"},
    {"even_warp", "the thread's warp has an even rank in the grid"},
};
constexpr KernelBranch longArmBranches[] = {
    {"inside", "the thread has a value of its own"},
    {"odd", "bit `shift` of the thread's index is set"},
};
Length outputOnlyBytes(const Arguments& a, const Launch&) {
    return 4 * arg(a, "n");
}
Length inOutBytes(const Arguments& a, const Launch&) {
    return 8 * arg(a, "n");
}

// --- copies.inl ----------------------------------------------------------------------------------
constexpr std::int64_t copyLength = 1 << 24;  // in and out at stride 1: 128 MiB, twice a large L2
constexpr Parameter stridedParameters[] = {
    {"n", copyLength, 1, largestIndex, "values copied"},
    {"stride", 2, 1, 1 << 20, "distance between the values neighbouring threads read"},
};
constexpr Parameter offsetParameters[] = {
    {"n", copyLength, 1, largestIndex, "values copied"},
    {"offset", 1, 0, 1 << 20, "values skipped before the first one read"},
};
constexpr KernelArray stridedArrays[] = {
    {"in", ArrayRole::input, ElementType::float32,
     [](const Arguments& a, const Launch&) { return (arg(a, "n") - 1) * arg(a, "stride") + 1; }},
    {"out", ArrayRole::output, ElementType::float32, vectorLength},
};
constexpr KernelArray offsetArrays[] = {
    {"in", ArrayRole::input, ElementType::float32,
     [](const Arguments& a, const Launch&) { return arg(a, "n") + arg(a, "offset"); }},
    {"out", ArrayRole::output, ElementType::float32, vectorLength},
};
constexpr KernelBranch insideVector[] = {{"inside", "the thread has a value to copy"}};

Element elementByColumn(const Arguments& a, const Launch& l, Index3 block, Index3 thread) {
    const auto [x, y] = positionInGrid(l, block, thread);
    return elementOfMatrix(y, x, arg(a, "n"), arg(a, "n"));
}
Element elementByRow(const Arguments& a, const Launch& l, Index3 block, Index3 thread) {
    const auto [x, y] = positionInGrid(l, block, thread);
    return elementOfMatrix(x, y, arg(a, "n"), arg(a, "n"));
}
Element productByColumn(const Arguments& a, const Launch& l, Index3 block, Index3 thread) {
    const auto [x, y] = positionInGrid(l, block, thread);
    return elementOfMatrix(y, x, arg(a, "rows"), arg(a, "cols"));
}
Element productByRow(const Arguments& a, const Launch& l, Index3 block, Index3 thread) {
    const auto [x, y] = positionInGrid(l, block, thread);
    return elementOfMatrix(x, y, arg(a, "rows"), arg(a, "cols"));
}

GridPosition squareByColumn(const Arguments& a, std::uint64_t element) {
    return threadAlongRow(element, arg(a, "n"));
}
GridPosition squareByRow(const Arguments& a, std::uint64_t element) {
    return transposed(squareByColumn(a, element));
}
GridPosition productThreadByColumn(const Arguments& a, std::uint64_t element) {
    return threadAlongRow(element, arg(a, "cols"));
}
GridPosition productThreadByRow(const Arguments& a, std::uint64_t element) {
    return transposed(productThreadByColumn(a, element));
}

const std::array<Kernel, 10> kernels{{
    {KernelId::writeWarpRank,
     "writeWarpRank",
     "warp_rank.inl",
     {},
     warpRankArrays,
     {},
     nullptr,
     elementOfLaunch,
     [](const Arguments&, std::uint64_t) { return GridPosition{}; },
     noColumns,
     [](const Arguments&, const Launch& l) { return 4 * l.threadCount(); }},
    {KernelId::matrixAddCoalesced, "matrixAddCoalesced", "matrix_add.inl", matrixAddParameters,
     matrixAddArrays, insideMatrix, squareWork, elementByColumn, squareByColumn, squareColumns,
     matrixAddBytes},
    {KernelId::matrixAddSwapped, "matrixAddSwapped", "matrix_add.inl", matrixAddParameters,
     matrixAddArrays, insideMatrix, squareWork, elementByRow, squareByRow, squareColumns,
     matrixAddBytes},
    {KernelId::matrixMultiplyCoalesced, "matrixMultiplyCoalesced", "matrix_multiply.inl",
     matrixMultiplyParameters, matrixMultiplyArrays, insideMatrix,
     [](const Arguments& a) { return plane(arg(a, "cols"), arg(a, "rows")); }, productByColumn,
     productThreadByColumn, productColumns, productBytes},
    {KernelId::matrixMultiplySwapped, "matrixMultiplySwapped", "matrix_multiply.inl",
     matrixMultiplyParameters, matrixMultiplyArrays, insideMatrix,
     [](const Arguments& a) { return plane(arg(a, "rows"), arg(a, "cols")); }, productByRow,
     productThreadByRow, productColumns, productBytes},
    {KernelId::branchOddEven, "branchOddEven", "branches.inl", shortBranchParameters,
     shortBranchArrays, oddEvenBranches, vectorWork, elementOfVector, threadOfVector, noColumns,
     outputOnlyBytes},
    {KernelId::branchByWarp, "branchByWarp", "branches.inl", shortBranchParameters,
     shortBranchArrays, byWarpBranches, vectorWork, elementOfVector, threadOfVector, noColumns,
     outputOnlyBytes},
    {KernelId::branchLongArms, "branchLongArms", "branches.inl", longBranchParameters, inOutVectors,
     longArmBranches, vectorWork, elementOfVector, threadOfVector, noColumns, inOutBytes},
    {KernelId::copyStrided, "copyStrided", "copies.inl", stridedParameters, stridedArrays,
     insideVector, vectorWork, elementOfVector, threadOfVector, noColumns, inOutBytes},
    {KernelId::copyOffset, "copyOffset", "copies.inl", offsetParameters, offsetArrays, insideVector,
     vectorWork, elementOfVector, threadOfVector, noColumns, inOutBytes},
}};

}  // namespace

std::span<const Kernel> allKernels() {
    return kernels;
}

const Kernel& kernelOf(KernelId id) {
    return kernels.at(static_cast<std::size_t>(id));
}

Arguments initialArguments(const Kernel& kernel) {
    Arguments arguments;
    for (const Parameter& parameter : kernel.parameters) {
        arguments.set(parameter.name, parameter.initial);
    }
    return arguments;
}

std::vector<Breach> validate(const Kernel& kernel, const Arguments& arguments) {
    std::vector<Breach> breaches;
    for (const auto& [name, value] : arguments.entries()) {
        const auto parameter = std::ranges::find(kernel.parameters, name, &Parameter::name);
        if (parameter == kernel.parameters.end()) {
            std::string known;
            for (const Parameter& p : kernel.parameters) known += " " + std::string(p.name);
            breaches.push_back({name, std::to_string(value),
                                known.empty() ? "this kernel has no problem size to set"
                                              : "this kernel has only" + known});
        } else if (value < parameter->minimum) {
            breaches.push_back(
                {name, std::to_string(value), "at least " + std::to_string(parameter->minimum)});
        } else if (value > parameter->maximum) {
            breaches.push_back(
                {name, std::to_string(value), "at most " + std::to_string(parameter->maximum)});
        }
    }
    return breaches;
}

std::vector<Breach> validateRun(const Kernel& kernel, const Arguments& arguments,
                                const Launch& launch) {
    std::vector<Breach> breaches;
    const auto refuse = [&](std::string name, std::uint64_t value) {
        breaches.push_back(
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
    return breaches;
}

bool reaches(const Kernel& kernel, const Arguments& arguments, const Launch& launch,
             std::uint64_t element) {
    const GridPosition position = kernel.threadOf(arguments, element);
    return position.x < std::uint64_t{launch.grid.x} * launch.block.x &&
           position.y < std::uint64_t{launch.grid.y} * launch.block.y;
}

std::uint64_t arrayBytes(const Kernel& kernel, const Arguments& arguments, const Launch& launch) {
    std::uint64_t bytes = 0;
    for (const KernelArray& array : kernel.arrays) {
        bytes += array.length(arguments, launch) * byteCount(array.type);
    }
    return bytes;
}

}  // namespace warplens
