#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/kernel/kernel.h"

/// What the files of this folder share. Each file holds the facts of the kernels of one body file,
/// in the order of KernelId; kernel.cpp puts them together.
namespace warplens::catalogue {

[[nodiscard]] std::span<const Kernel> warpRankKernels();
[[nodiscard]] std::span<const Kernel> matrixAddKernels();
[[nodiscard]] std::span<const Kernel> matrixMultiplyKernels();
[[nodiscard]] std::span<const Kernel> branchKernels();
[[nodiscard]] std::span<const Kernel> copyKernels();
[[nodiscard]] std::span<const Kernel> layoutKernels();
[[nodiscard]] std::span<const Kernel> reductionKernels();
[[nodiscard]] std::span<const Kernel> transposeKernels();
[[nodiscard]] std::span<const Kernel> memorySpaceKernels();
[[nodiscard]] std::span<const Kernel> schedulingKernels();

inline constexpr std::int64_t largestIndex = 2147483647;  // the kernels index with int
inline constexpr std::int64_t largestSide = 46340;        // its square is the last below 2^31

using Element = std::optional<std::uint64_t>;
using ElementOf = Element (*)(const Arguments&, const Launch&, Index3 block, Index3 thread);
using ThreadOf = GridPosition (*)(const Arguments&, const Launch&, std::uint64_t element);

inline std::uint64_t arg(const Arguments& arguments, std::string_view name) {
    return static_cast<std::uint64_t>(arguments.at(name));
}

inline Extents extents(std::uint64_t x, std::uint64_t y = 1, std::uint64_t z = 1) {
    return {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
            static_cast<std::uint32_t>(z)};
}

/// Position of a thread in the whole grid.
inline GridPosition positionInGrid(const Launch& launch, Index3 block, Index3 thread) {
    return {std::uint64_t{block.x} * launch.block.x + thread.x,
            std::uint64_t{block.y} * launch.block.y + thread.y,
            std::uint64_t{block.z} * launch.block.z + thread.z};
}

// Vectors of n values, one thread each along x. y and z have no meaning to such a kernel: every
// layer repeats the same elements.
inline std::uint64_t vectorLength(const Arguments& a, const Launch&) {
    return arg(a, "n");
}
inline Extents vectorWork(const Arguments& a) {
    return extents(arg(a, "n"));
}
inline Element elementOfVector(const Arguments& a, const Launch& l, Index3 block, Index3 thread) {
    const std::uint64_t i = positionInGrid(l, block, thread).x;
    return i < arg(a, "n") ? Element(i) : std::nullopt;
}
inline GridPosition threadOfVector(const Arguments&, const Launch&, std::uint64_t element) {
    return {element, 0, 0};
}
inline std::uint64_t inOutBytes(const Arguments& a, const Launch&) {
    return 8 * arg(a, "n");
}

/// Element (row, column) of a matrix in row-major order, where it has one.
inline Element elementOfMatrix(std::uint64_t row, std::uint64_t column, std::uint64_t rows,
                               std::uint64_t columns) {
    if (row >= rows || column >= columns) return std::nullopt;
    return row * columns + column;
}
/// Threads along x take neighbouring columns of a matrix with `columns` columns.
inline GridPosition threadAlongRow(std::uint64_t element, std::uint64_t columns) {
    return {element % columns, element / columns, 0};
}
inline GridPosition transposed(GridPosition position) {
    return {position.y, position.x, position.z};
}

inline constexpr KernelArray inOutVectors[] = {
    {"in", ArrayRole::input, ElementType::float32, vectorLength},
    {"out", ArrayRole::output, ElementType::float32, vectorLength},
};

}  // namespace warplens::catalogue
