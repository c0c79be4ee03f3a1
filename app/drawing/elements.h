#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/launch/mapping.h"
#include "core/scenario/scenario.h"
#include "core/view/view.h"

/// Which element of the output each thread of a block writes, asked of the kernel itself.
namespace warplens {

/// The problem's edge as the blocks of the launch see it; nothing is wasted where the kernel has no
/// problem of its own but works for every thread there is.
[[nodiscard]] BlockGuard blockGuard(const Experiment& experiment);

/// Bit `lane` of entry `warp` is set where that thread has no element of its own: it lies outside
/// the problem, or repeats what others do along an axis the kernel does not look at.
using WastedMask = std::array<std::uint32_t, 32>;
[[nodiscard]] WastedMask wastedMask(const BlockGuard& guard, Index3 block);

/// `a[5][3]`, `in[17]`: one element of an array with rows of so many; 0: it has one extent.
[[nodiscard]] std::string elementName(const std::string& array, std::uint64_t columns,
                                      std::uint64_t element);
/// Elements of a row; 0 where the array has one row alone, or is none stored by rows.
[[nodiscard]] std::uint64_t columnsOf(const KernelArray& array, const Arguments& arguments);
/// What a thread writes: `c[5][3]`, `out[17]`; empty for a thread outside the problem.
[[nodiscard]] std::string elementName(const Experiment& experiment, Index3 block, Index3 thread);

/// What stands in a thread's cell, as the view has it; the second is smaller, and may be empty.
struct CellWords final {
    std::string first;
    std::string second{};
};
[[nodiscard]] CellWords cellWords(const View& view, Index3 block, Index3 thread);

/// The output array's place among the kernel's arrays.
[[nodiscard]] std::size_t outputIndex(const Kernel& kernel);

/// The rule with the numbers of one thread filled in, one line each.
[[nodiscard]] std::string rankFormula(Extents block, Index3 thread);
[[nodiscard]] std::string warpFormula(Extents block, Index3 thread);
[[nodiscard]] std::string laneFormula(Extents block, Index3 thread);

/// `(3, 5, 0)`.
[[nodiscard]] std::string toText(Index3 index);

}  // namespace warplens
