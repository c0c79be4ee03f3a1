#pragma once

#include <array>
#include <span>

#include "core/program/index_derivation.h"
#include "core/program/program_sources.h"
#include "core/program/remedies.h"
#include "core/program/source_edit.h"

/// The edits of the table's rows (remedies.h), each where its condition holds.
namespace warplens {

/// A kernel in the text of its file, to be changed.
struct KernelText final : source::SourceEdit {
    source::KernelSource kernel;
    source::TextSpan body;

    /// Where the code of a line begins, or of as much of it as is in the body.
    [[nodiscard]] std::size_t beginOf(std::uint32_t line) const;
    /// What the parameter points to: `float`; empty where it is no parameter, or no pointer, or may
    /// be written and is not to be.
    [[nodiscard]] std::string elementOf(std::string_view parameter, bool isOnlyRead = false) const;
    /// Where a shared array is declared, with its sizes as they are written, or a variable.
    [[nodiscard]] std::optional<source::NamedBrackets> sharedNamed(std::string_view name) const;
};
/// That around the place; nothing where that is in no kernel of these files.
[[nodiscard]] std::optional<KernelText> kernelAt(const std::vector<ProgramFile>& files,
                                                 const SourcePlace& place);

/// That of a launch, by one of its lines, else by its name.
[[nodiscard]] std::optional<KernelText> launchedKernel(const LaunchReport& launch,
                                                       const ProgramSources& sources);

/// A line as it is written.
struct LineText final {
    std::string_view statement;
    std::string_view code;             ///< of its kernel; of the whole file where it is in none
    std::optional<KernelText> kernel;  ///< around it
};
[[nodiscard]] LineText lineText(const ProgramSources& sources, const SourcePlace& place);

/// `kernel<<<grid, block>>>(arguments)`.
struct LaunchSite final {
    std::size_t begin = 0;
    /// What it is launched with, as it stands there: blocks, threads, bytes of shared memory.
    std::vector<source::TextSpan> numbers;
    /// As they are written, x first: of `dim3(8, 4)`, of a variable.
    std::vector<source::TextSpan> grid;
    std::vector<source::TextSpan> block;
    std::vector<source::TextSpan> arguments;
};
/// Of the kernel, or of all kernels where no name is given.
[[nodiscard]] std::vector<LaunchSite> launchSites(const source::SourceEdit& text,
                                                  std::string_view kernel = {});
/// What a name is defined as, or that by a name again: a number in the end, mostly.
[[nodiscard]] source::TextSpan behindNames(const source::SourceEdit& text, source::TextSpan name,
                                           std::size_t at);

/// What `N`, `32` or `N + 1` comes to; nothing where a name in it is not known.
[[nodiscard]] std::optional<std::int64_t> sizeOf(const source::SourceEdit& text,
                                                 source::TextSpan written,
                                                 const std::vector<NamedNumber>& names);

void addEdit(RemedyCause& cause, std::string_view remedy, const source::SourceEdit& edit);

/// The index of a thread along an axis of the grid, however it is put together; the axis is what
/// its first or its second bracket holds.
inline constexpr const char* gridIndex =
    R"(block(?:Idx|Dim)\.([xyz])\s*\*\s*block(?:Dim|Idx)\.\1\s*\+\s*threadIdx\.\1|)"
    R"(threadIdx\.([xyz])\s*\+\s*block(?:Idx|Dim)\.\2\s*\*\s*block(?:Dim|Idx)\.\2)";

inline constexpr std::array<std::string_view, 4> indexVariables{"threadIdx", "blockIdx", "blockDim",
                                                                "gridDim"};
/// `.x` and another axis, `y` or `z`, of these names in each other's place; of all names where
/// there are none.
[[nodiscard]] std::string exchangedAxes(std::string_view code, std::span<const std::string_view> of,
                                        std::string_view other);

/// `out[x * height + y] = in[y * width + x];` of a square block, by way of a shared tile: the
/// access that is costly is made with threadIdx.x and threadIdx.y exchanged.
void tileInShared(const KernelText& kernel, const ProgramLine& line, const LaunchReport& launch,
                  RemedyCause& cause);

/// Of a square tile that is there, and is taken out as it was put in: threadIdx.x and threadIdx.y
/// exchanged behind the barrier.
void takeCrosswise(const KernelText& kernel, const ProgramLine& line, const LaunchReport& launch,
                   RemedyCause& cause);

/// `for (int x = 0; x < width; ++x) sum += a[row * width + x];` of a thread for each row: a warp
/// for each, whose lanes walk along it.
void warpForEachRow(const KernelText& kernel, const ProgramLine& line, const LaunchReport& launch,
                    RemedyCause& cause);

/// `for (int s = 1; s < n; s *= 2)` of a tree in shared memory: halves in place of neighbours.
void addHalvesUp(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause);

/// Where a line's access stands: by its array's name, else by its column.
[[nodiscard]] std::size_t accessBegin(const KernelText& kernel, const ProgramLine& line);

/// A number of blocks for blocks of `after` threads in place of `before` where it is worked out
/// from that: `(n + 7) / 8` becomes `(n + 31) / 32`, and of one thread `n`.
[[nodiscard]] std::string blocksOf(const std::string& words, std::uint32_t before,
                                   std::uint32_t after);

/// `tile[16][17]`, of whose rows a warp takes several, so that no pad gives all of its lanes banks
/// of their own: block and tile 32 wide; then the pad gone, and columns exchanged by ^ in place of
/// it.
void partPadded(const KernelText& kernel, const ProgramLine& line, const LaunchReport& launch,
                const source::NamedBrackets& declared, const std::vector<NamedNumber>& names,
                RemedyCause& cause);

/// Whether what a lane accesses is a part of an element: `a[i].x`, or, in a function that a kernel
/// calls, a member by its name alone.
[[nodiscard]] bool isOfMember(const KernelText& kernel, const ProgramLine& line);
/// A line whose addresses follow no formula and whose lanes are mostly as far apart, while each of
/// them takes the next element in a pass of a loop: as if all were so. Else the line.
[[nodiscard]] ProgramLine asIfEven(const KernelText& kernel, const ProgramLine& line);
/// The remedy that can only be told, by what the addresses are; empty where none is known.
[[nodiscard]] std::string adviceFor(const ProgramLine& line, const KernelText& kernel,
                                    const LaunchReport& launch);
/// Of `other-index` what is to be another index, by what its reason says of it; empty where
/// nothing is known. `isInOrder`: as `passesInOrder` says of its line; `threads`: of the launch.
[[nodiscard]] std::string otherIndex(const ProgramLine& line, bool isInOrder,
                                     std::uint64_t threads);
/// Whether a lane that took its elements in another order, or others, would come to something else:
/// a pass takes what the one before it left, or what they load is kept for later.
[[nodiscard]] bool passesInOrder(const KernelText& kernel, const ProgramLine& line,
                                 const LaunchReport& launch);

/// `a[4 * i]`, `a[4 * i + 1]`, ... of what is only read; of two neighbours, too.
void loadVectors(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause);
/// `a[2 * i] += x; a[2 * i + 1] += y;`, with nothing but such statements between: loaded and stored
/// at once.
void changeVectors(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause);
/// `for (int j = 0; j < 8; ++j) s += a[8 * i + j];` of what is only read, some elements a pass.
void loadLoopInVectors(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause);
/// Whether the kernel's accesses to an array are to all of the `width` elements of one group.
[[nodiscard]] bool takesWholeGroup(const KernelText& kernel, const std::string& array,
                                   std::size_t width);
/// `Cell c = cells[i];` of a structure of 8 or 16 bytes.
void copyAsVector(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause);
/// `a[2 * i] = x; a[2 * i + 1] = y;`, one behind the other; four of them, too.
void storeVectors(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause);

/// What each case of a switch, or of an if with its elses, loads from and stores to one place:
/// loaded before, stored behind.
void moveOutOfCases(const KernelText& kernel, const ProgramLine& line, RemedyCause& cause);

/// Of an access to local memory: all loops over its array unrolled, so that registers hold it.
void findLocalEdits(const KernelText& kernel, const ProgramLine& line,
                    const ProgramSources& sources, RemedyCause& cause);

/// Of a line that costs too much.
void findEdits(const ProgramLine& line, const LaunchReport& launch, const ProgramSources& sources,
               RemedyCause& cause);
/// Of findings of one kind and cure in one kernel, or on the host.
void findEdits(const ProgramTrace& trace, const ProgramSources& sources,
               const std::vector<const Finding*>& findings, RemedyCause& cause);

}  // namespace warplens
