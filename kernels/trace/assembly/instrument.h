#pragma once

#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernels/trace/assembly/statements.h"
#include "kernels/trace/assembly/unit.h"

namespace warplens::assembly {

/// What assembly does not say of its source.
struct SourceFacts final {
    std::set<std::string, std::less<>> constant;  ///< names of __constant__ variables
    std::set<std::string, std::less<>> device;    ///< __device__ and __managed__
    /// Lines and columns of `+=` and its like, in any of the files.
    std::set<std::pair<std::uint32_t, std::uint32_t>> compoundAssignments;
};

/// What a person's files become: for each unit assembly to be assembled and linked with the
/// runtime, in the order of the units.
struct Instrumented final {
    std::vector<std::string> units;
    std::string shared;  ///< one unit more: `extern __shared__` arrays
    std::size_t sites = 0;
};

/// Most places of a program that can be told apart: an event holds its place in 16 bits.
inline constexpr std::size_t mostSites = 65000;

/// Takes the compiler's hooks out of host code and puts our events into device code: a copy `f.wl`
/// of every function that kernels reach, in which each access to memory, each conditional jump that
/// the source has, each call of a function that has events, and each barrier leaves 8 bytes at
/// %r15. What a kernel was called becomes the launch of it. Tables at the end say what each event
/// is and where lanes meet again. Throws std::runtime_error for more than mostSites.
/// Where `optimized` has the units as the compiler optimised them, in the same order, host code and
/// lanes that leave no events run that (optimized_copy.h).
[[nodiscard]] Instrumented instrument(std::span<const Unit> units, const SourceFacts& facts,
                                      std::span<const Unit> optimized = {});

}  // namespace warplens::assembly
