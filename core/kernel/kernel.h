#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/kernel/arguments.h"
#include "core/launch/launch.h"
#include "core/launch/limit_violation.h"

namespace warplens {

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
    std::function<std::uint64_t(const Arguments&, const Launch&)> length;
    /// Elements of one row where it is a matrix stored by rows; null where it is none.
    std::function<std::uint64_t(const Arguments&)> columns = nullptr;
};

/// One condition that is named in a kernel's file.
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

/// Which of `allKernels`.
enum class KernelIndex : std::uint16_t {};

struct KernelFile;

/// What is true of a kernel without running it, as its file says (core/library/kernel_file.h).
/// Lives as long as the program.
struct Kernel final {
    std::string_view name;  ///< the function's
    const KernelFile* file = nullptr;
    std::vector<Parameter> parameters;
    std::vector<KernelArray> arrays;
    std::vector<std::string_view> shared;  ///< arrays in shared memory, as declared
    std::vector<KernelBranch> branches;
    bool usesBarriers = false;
    std::string_view elementNoun;  ///< what an element of the output is: `pixel`
    /// Elements along the thread axes x, y, z; null when the grid itself is the problem.
    std::function<Extents(const Arguments&)> work;
    /// What the kernel asks of its launch beyond CUDA's limits; null when nothing.
    std::function<std::vector<LimitViolation>(const Arguments&, const Launch&)> launchRule;
    /// The only block it runs with; null where that is left to the launch.
    std::function<Extents(const Arguments&)> blockFor;
    /// Dynamic shared memory it needs; null when none.
    std::function<std::uint32_t(const Arguments&, const Launch&)> dynamicSharedBytes;
    /// Element of the output array a thread writes; nullopt for a thread that writes none.
    std::function<std::optional<std::uint64_t>(const Arguments&, const Launch&, Index3 block,
                                               Index3 thread)>
        element;
    /// Inverse of `element`: the thread that writes it; null where several threads write one.
    std::function<GridPosition(const Arguments&, const Launch&, std::uint64_t element)> threadOf;
    /// Bytes the algorithm must move between memory and the SMs: each input value it needs read
    /// once, each output value written once.
    std::function<std::uint64_t(const Arguments&, const Launch&)> algorithmBytes;
    /// Arithmetic steps behind one output element; null for a handful.
    std::function<std::uint64_t(const Arguments&, const Launch&)> stepsPerElement;
    /// Floating-point additions and multiplications of the whole problem, a multiply-add as two;
    /// null for a kernel that is not about arithmetic.
    std::function<std::uint64_t(const Arguments&, const Launch&)> flops;
};

/// By file.
[[nodiscard]] std::span<const Kernel> allKernels();
[[nodiscard]] const Kernel& kernelOf(KernelIndex index);
/// The kernel whose function has that name, which must be one of them.
[[nodiscard]] const Kernel& kernelNamed(std::string_view name);

/// The arguments a kernel has when nothing is set.
[[nodiscard]] Arguments initialArguments(const Kernel& kernel);

/// Every argument out of its bounds or unknown to the kernel.
[[nodiscard]] std::vector<LimitViolation> validate(const Kernel& kernel,
                                                   const Arguments& arguments);

/// What keeps a legal launch with valid arguments from being run: arrays and thread positions that
/// the kernel's 32-bit indices could not address (2^31-1), and the kernel's own launch rule.
[[nodiscard]] std::vector<LimitViolation> validateRun(const Kernel& kernel,
                                                      const Arguments& arguments,
                                                      const Launch& launch);

/// Whether the launch has the thread that writes `element` of the output array, or, where that
/// may be any, covers the problem.
[[nodiscard]] bool reaches(const Kernel& kernel, const Arguments& arguments, const Launch& launch,
                           std::uint64_t element);

/// Bytes of all arrays together; the arguments must be valid.
[[nodiscard]] std::uint64_t arrayBytes(const Kernel& kernel, const Arguments& arguments,
                                       const Launch& launch);

}  // namespace warplens
