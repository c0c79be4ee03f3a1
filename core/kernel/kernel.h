#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/kernel/arguments.h"
#include "core/launch/breach.h"
#include "core/launch/launch.h"

namespace warplens {

/// One per function in kernels/bodies.
enum class KernelId : std::uint8_t {
    writeWarpRank,
    matrixAddCoalesced,
    matrixAddSwapped,
    matrixMultiplyCoalesced,
    matrixMultiplySwapped,
    matrixMultiplyGlobal,
    matrixMultiplyTiled,
    matrixMultiplyTiledDynamic,
    branchOddEven,
    branchByWarp,
    branchPredicate,
    branchWarmUp,
    branchLongArms,
    branchLoopTrips,
    copyStrided,
    copyOffset,
    copyVector,
    scalePicture,
    walkRowMajor,
    walkColumnMajor,
    elementwise1D,
    elementwise2D,
    elementwise3D,
    reduceInterleaved,
    reduceSequential,
    transposeTile,
    transposeTilePadded,
    arrayInLocalMemory,
    arrayInRegisters,
    sumInRounds,
};

/// A problem size that can be set. The bounds are inclusive.
struct Parameter final {
    std::string_view name;
    std::int64_t initial;
    std::int64_t minimum;
    std::int64_t maximum;
    std::string_view meaning;
};

enum class ArrayRole : std::uint8_t { input, output };
enum class ElementType : std::uint8_t { float32, int32, float32x4 };

[[nodiscard]] constexpr std::uint64_t byteCount(ElementType type) {
    return type == ElementType::float32x4 ? 16 : 4;
}

/// One array parameter of a kernel, in the order of the kernel's parameter list.
struct KernelArray final {
    std::string_view name;
    ArrayRole role;
    ElementType type;
    /// Elements the kernel may touch.
    std::uint64_t (*length)(const Arguments&, const Launch&);
    /// Elements of one row where it is a matrix stored by rows; null where it is none.
    std::uint64_t (*columns)(const Arguments&) = nullptr;
};

/// One `BRANCH` or `WHILE` mark in a kernel's body.
struct KernelBranch final {
    std::string_view name;
    std::string_view meaning;
};

/// Position of a thread in the whole grid, in threads along each axis.
struct GridPosition final {
    std::uint64_t x = 0;
    std::uint64_t y = 0;
    std::uint64_t z = 0;
    friend bool operator==(const GridPosition&, const GridPosition&) = default;
};

/// What is true of a kernel without running it.
struct Kernel final {
    KernelId id;
    std::string_view name;      ///< the function's name in its body file
    std::string_view bodyFile;  ///< file below kernels/bodies
    std::span<const Parameter> parameters = {};
    std::span<const KernelArray> arrays;
    std::span<const std::string_view> shared = {};  ///< arrays in shared memory, as declared
    std::span<const KernelBranch> branches = {};
    bool usesBarriers = false;
    /// Elements along the thread axes x, y, z; null when the grid itself is the problem.
    Extents (*work)(const Arguments&) = nullptr;
    /// What the kernel asks of its launch beyond CUDA's limits; null when nothing.
    std::vector<Breach> (*launchRule)(const Arguments&, const Launch&) = nullptr;
    /// The only block it runs with; null where that is left to the launch.
    Extents (*blockFor)(const Arguments&) = nullptr;
    /// Dynamic shared memory it needs; null when none.
    std::uint32_t (*dynamicSharedBytes)(const Arguments&, const Launch&) = nullptr;
    /// Element of the output array a thread writes; nullopt for a thread that writes none.
    std::optional<std::uint64_t> (*element)(const Arguments&, const Launch&, Index3 block,
                                            Index3 thread);
    /// Inverse of `element`: the thread that writes it.
    GridPosition (*threadOf)(const Arguments&, const Launch&, std::uint64_t element);
    /// Bytes the algorithm must move between memory and the SMs: each input value it needs read
    /// once, each output value written once.
    std::uint64_t (*algorithmBytes)(const Arguments&, const Launch&);
    /// Arithmetic steps behind one output element; null for a handful.
    std::uint64_t (*stepsPerElement)(const Arguments&, const Launch&) = nullptr;
    /// Floating-point additions and multiplications of the whole problem, a multiply-add as two;
    /// null for a kernel that is not about arithmetic.
    std::uint64_t (*flops)(const Arguments&, const Launch&) = nullptr;
};

[[nodiscard]] const Kernel& kernelOf(KernelId id);
[[nodiscard]] std::span<const Kernel> allKernels();

/// The arguments a kernel has when nothing is set.
[[nodiscard]] Arguments initialArguments(const Kernel& kernel);

/// Every argument out of its bounds or unknown to the kernel.
[[nodiscard]] std::vector<Breach> validate(const Kernel& kernel, const Arguments& arguments);

/// What keeps a legal launch with valid arguments from being run: arrays and thread positions that
/// the kernel's 32-bit indices could not address (2^31-1), and the kernel's own launch rule.
[[nodiscard]] std::vector<Breach> validateRun(const Kernel& kernel, const Arguments& arguments,
                                              const Launch& launch);

/// Whether the launch has the thread that writes `element` of the output array.
[[nodiscard]] bool reaches(const Kernel& kernel, const Arguments& arguments, const Launch& launch,
                           std::uint64_t element);

/// Bytes of all arrays together; the arguments must be valid.
[[nodiscard]] std::uint64_t arrayBytes(const Kernel& kernel, const Arguments& arguments,
                                       const Launch& launch);

}  // namespace warplens
