#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/program/program_sources.h"
#include "core/program/program_trace.h"
#include "core/program/remedy_edits.h"

/// What the grids and blocks of a program's launches leave without work, by their numbers alone.
namespace warplens {

/// `as asked for: grid 53 -> 309, to cover as many threads`; empty of a launch as the program
/// has it.
[[nodiscard]] std::string askedShapeInWords(const LaunchReport& launch);

/// `x.cu:9: step <<<309, 33>>>: as asked for: ...` of each such launch, alike ones once.
[[nodiscard]] std::vector<std::string> askedShapes(const std::vector<LaunchReport>& launches);

/// `x.cu:9: step <<<4, 49>>>: 15 of 64 lanes of each block never have a thread: ...` of each launch
/// of more than a warp that leaves a tenth of its lanes or more so, and of each of one thread that
/// has a loop; alike ones once.
[[nodiscard]] std::vector<std::string> lanesWithoutThread(
    const std::vector<LaunchReport>& launches);

/// Adds a finding for each kernel that compares the thread's rank along an axis of the grid with an
/// argument, as `if (i < n)`, where the argument is beyond the grid's threads there: by less than a
/// block, as the count of blocks was rounded down, or where the grid's numbers of blocks in each
/// other's place would do. None where the kernel has one for that already, or where another launch
/// has as many threads as are left, or an argument that says where they begin.
void addLeftOut(ProgramTrace& trace, const ProgramSources& sources);

/// `if (threadIdx.x == 0 && blockIdx.x == 0) for (...)`, or `if (i != 0) return;` before the loop.
struct FirstThreadsLoop final {
    source::Statement guard{};
    source::TextSpan loop{};
    std::set<std::string> pinned{};  ///< `threadIdx.x`: of which one value gets there
    std::string index{};             ///< the condition's name for a thread's place in the grid
    [[nodiscard]] std::uint64_t threadsOf(const Launch& launch) const;  ///< that get there
};
/// The first loop of the kernel that a condition keeps all threads but one from, or all but one of
/// each block.
[[nodiscard]] std::optional<FirstThreadsLoop> firstThreadsLoop(const KernelText& kernel);
/// Adds a finding for each kernel whose accesses to memory nearly all are in such a loop, where
/// each of its threads makes as many as a warp has lanes, and more.
void addFewAtWork(ProgramTrace& trace, const ProgramSources& sources);

/// What the words of elements that nobody wrote say of a grid that is too short.
inline constexpr std::string_view gridEnds = "the grid ends at ";
/// Says why elements that the host copies have no value, where one line of a kernel stores to them,
/// or why no thread reaches some that a kernel loads: along which axis the grid ends before what an
/// index is compared with, else, of those that are stored, that the condition around the line keeps
/// threads out. The finding is at the condition's line then, with the first such thread.
void tellWhyUnwritten(ProgramTrace& trace, const ProgramSources& sources);
/// Adds a finding for each copy of `sizeof a` bytes from or to a, which is a pointer to memory that
/// was allocated: no more than a pointer's bytes are copied.
void addPointerSizes(ProgramTrace& trace, const ProgramSources& sources);

}  // namespace warplens
