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
    branchOddEven,
    branchByWarp,
    branchLongArms,
    copyStrided,
    copyOffset,
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
enum class ElementType : std::uint8_t { float32, int32 };

[[nodiscard]] constexpr std::uint64_t byteCount(ElementType) {
    return 4;
}

/// One array parameter of a kernel, in the order of the kernel's parameter list.
struct KernelArray final {
    std::string_view name;
    ArrayRole role;
    ElementType type;
    /// Elements the kernel may touch.
    std::uint64_t (*length)(const Arguments&, const Launch&);
};

/// One `BRANCH` mark in a kernel's body.
struct KernelBranch final {
    std::string_view name;
    std::string_view meaning;
};

/// Position of a thread along x and y of the whole grid, in threads.
struct GridPosition final {
    std::uint64_t x = 0;
    std::uint64_t y = 0;
    friend bool operator==(const GridPosition&, const GridPosition&) = default;
};

/// What is true of a kernel without running it.
struct Kernel final {
    KernelId id;
    std::string_view name;      ///< the function's name in its body file
    std::string_view bodyFile;  ///< file below kernels/bodies
    std::span<const Parameter> parameters;
    std::span<const KernelArray> arrays;
    std::span<const KernelBranch> branches;
    /// Elements along the thread axes x, y, z; null when the grid itself is the problem.
    Extents (*work)(const Arguments&);
    /// Element of the output array a thread writes; nullopt for a thread outside the problem.
    std::optional<std::uint64_t> (*element)(const Arguments&, const Launch&, Index3 block,
                                            Index3 thread);
    /// Inverse of `element`: the thread's position in the grid that writes it.
    GridPosition (*threadOf)(const Arguments&, std::uint64_t element);
    /// Columns of the output array where it is a matrix, 0 where it is a vector.
    std::uint64_t (*outputColumns)(const Arguments&);
    /// Bytes the algorithm must move between memory and the SMs: each input value it needs read
    /// once, each output value written once.
    std::uint64_t (*algorithmBytes)(const Arguments&, const Launch&);
};

[[nodiscard]] const Kernel& kernelOf(KernelId id);
[[nodiscard]] std::span<const Kernel> allKernels();

/// The arguments a kernel has when nothing is set.
[[nodiscard]] Arguments initialArguments(const Kernel& kernel);

/// Every argument out of its bounds or unknown to the kernel.
[[nodiscard]] std::vector<Breach> validate(const Kernel& kernel, const Arguments& arguments);

/// What keeps a legal launch with valid arguments from being run: arrays and thread positions that
/// the kernel's 32-bit indices could not address (2^31-1).
[[nodiscard]] std::vector<Breach> validateRun(const Kernel& kernel, const Arguments& arguments,
                                              const Launch& launch);

/// Whether the launch has the thread that writes `element` of the output array.
[[nodiscard]] bool reaches(const Kernel& kernel, const Arguments& arguments, const Launch& launch,
                           std::uint64_t element);

/// Bytes of all arrays together; the arguments must be valid.
[[nodiscard]] std::uint64_t arrayBytes(const Kernel& kernel, const Arguments& arguments,
                                       const Launch& launch);

}  // namespace warplens
