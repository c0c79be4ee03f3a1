#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/program/program_sources.h"
#include "core/program/program_trace.h"
#include "core/program/remedy_edits.h"

/// What mends a finding, each where its condition holds.
namespace warplens {

/// Of a shared array with one size, to which threads store beyond its end: as many elements as they
/// store to, at most those that a block can have threads.
void enlargeShared(const KernelText& kernel, const std::vector<const Finding*>& findings,
                   RemedyCause& cause);
/// Of an access out of bounds: `i <= n` becomes `i < n`; a return behind the definition of what
/// the index is made of; a condition at the access.
void mendBounds(const KernelText& kernel, const ProgramTrace& trace, const ProgramSources& sources,
                const Finding& finding, RemedyCause& cause);
/// Of an access far before an array: what its index comes to in 64 bits, or what is divided in it,
/// or the same in bytes, where that is within it; else 0.
[[nodiscard]] std::int64_t indexInFull(const KernelText& kernel, const Finding& finding);
/// Of such: `size_t(row) * width + column`, in the index or where its names have their values.
void widenIndex(const KernelText& kernel, const Finding& finding, RemedyCause& cause);
/// Of `if (i + 1 < n) { a[i] = x; a[i + 1] = y; }` what is left, one by one, by an else; the same
/// of `if (i + 1 >= n) return;`.
void doTheRest(const KernelText& kernel, const Finding& finding, RemedyCause& cause);
/// `b[c * columns + r]` of an array whose rows have another length: each number that has a name, in
/// place of one that is multiplied by.
void mendRowLength(const KernelText& kernel, const ProgramTrace& trace,
                   const ProgramSources& sources, const Finding& finding, RemedyCause& cause);
/// Of elements that a condition keeps without a value (launch_shape.h): it asks of what the index
/// is made of in place of what it asks of.
void askOfIndex(const KernelText& kernel, const ProgramTrace& trace, const ProgramSources& sources,
                const Finding& finding, RemedyCause& cause);
/// Of an index that mixes axes, as `blockIdx.y * blockDim.x + threadIdx.x`, or multiplies by the
/// grid's size: that of one axis. Of repeated work `threadIdx.x` with its block's, too, or of the
/// axis that is never read.
void mendIndexes(const KernelText& kernel, const Finding& finding, RemedyCause& cause);
/// Of a loop that one thread runs (launch_shape.h), where it is all that the condition keeps others
/// from: its passes are shared among all threads, and the condition is gone.
void shareLoop(const KernelText& kernel, RemedyCause& cause);
/// `x < w && y < h`, or two ifs: the limits of two axes in each other's place.
void exchangeLimits(const KernelText& kernel, RemedyCause& cause);
/// Of a grid that ends before what it is to cover (launch_shape.h), or whose threads have indexes
/// together: each launch's two numbers of blocks in each other's place.
void exchangeGrid(const ProgramSources& sources, const Finding& finding, RemedyCause& cause);
/// `a / b` becomes `(a + b - 1) / b` where it says how many blocks there are: of the kernel, or
/// where no name is given of all.
void coverProblem(const ProgramTrace& trace, const ProgramSources& sources,
                  const std::string& kernel, RemedyCause& cause);

/// What the statement there rules in the end: of `if (c) { a; b; }` a and b.
[[nodiscard]] std::vector<source::TextSpan> ruledIn(const KernelText& kernel, std::size_t at);

/// `d[t] += d[t - 32];` or `d[t] = f(d[t + 1]);`, ruled by the statement there: an element of the
/// thread's own is changed by what another one is, in place. Up to its `=`, and what is behind.
[[nodiscard]] std::optional<std::array<source::TextSpan, 2>> changedByNeighbour(
    const KernelText& kernel, std::size_t at);
/// The same of a race's line.
[[nodiscard]] bool isByNeighbour(const ProgramSources& sources, const Finding& finding);

/// What lanes of one warp need.
inline constexpr std::string_view barrierOfWarp =
    "Put a barrier of the warp, __syncwarp(), between what some of its lanes write and what others "
    "read.";
/// Within a warp: all read before one writes.
void syncWarps(const KernelText& kernel, const std::vector<const Finding*>& findings,
               RemedyCause& cause);
/// Of an asynchronous copy that is read before anything waited for it: its wait before the barrier
/// that is there, else both.
void waitForCopies(const KernelText& kernel, const Finding& finding, RemedyCause& cause);
/// Before and behind what races, also in one branch and around loops.
void addBarriers(const KernelText& kernel, const std::vector<const Finding*>& findings,
                 RemedyCause& cause);
/// `if (c) { A __syncthreads(); B }` becomes `if (c) { A } __syncthreads(); if (c) { B }`, without
/// what is empty then, and of `if (c) __syncthreads();` the barrier is left.
void liftBarrier(const KernelText& kernel, const Finding& finding, RemedyCause& cause);
/// `if (i >= n) return; float v = a[i];` before what all come to becomes `float v = i < n ? a[i] :
/// 0;`, and so does what stands in `if (i < n) { ... }`; what stores by i gets the condition.
void stayBeyondEnd(const KernelText& kernel, const Finding& finding, RemedyCause& cause);
/// `a[i] += v;`, `a[i] = a[i] + v;`, `a[i]++;`, `++a[i];`, `(*a)++;` and `place = next[k]++` become
/// atomicAdd.
void useAtomics(const KernelText& kernel, const std::vector<const Finding*>& findings,
                RemedyCause& cause);

/// `while (atomicCAS(...) != 0) {}` and `atomicExch(..., 0)` of a lock: __threadfence() behind the
/// one and before the other.
void fenceLocks(const KernelText& kernel, RemedyCause& cause);
/// Of values that another block reads once an atomic says that they are there: __threadfence()
/// behind where they are stored. Whether some of them are.
bool fenceValues(const KernelText& kernel, const std::vector<const Finding*>& findings,
                 RemedyCause& cause);

/// What the host calls an array that the kernel calls so, by the launch's arguments.
[[nodiscard]] std::string hostName(const KernelText& kernel, const std::string& array);
/// Of an array for which fewer bytes are allocated than it has elements to hold, as by
/// `cudaMalloc(&a, n)`: n * sizeof(*a). `needed`: the bytes that a copy asks for, as written; empty
/// of a kernel.
void allocateElements(const source::SourceEdit& text, std::string_view name,
                      std::string_view needed, RemedyCause& cause);
/// Of what is read and was never written: copied to the device, copied whole, or zeroed where the
/// kernel changes it.
void giveValues(const source::SourceEdit& text, const std::string& name, bool isChanged,
                RemedyCause& cause);
/// Frees at the end of its function what is never freed.
void freeAll(const source::SourceEdit& text, const std::vector<const Finding*>& findings,
             RemedyCause& cause);
/// The copy in a line: its direction turned, or as many bytes as its array on the device has.
void mendCopy(const source::SourceEdit& text, const Finding& finding, RemedyCause& cause);
/// A wait before the statement of the host that uses what is still being written, and before loops
/// around it that launch and copy nothing.
void waitBefore(const source::SourceEdit& text, const Finding& finding, RemedyCause& cause);
/// Of launches in two streams: an event that is recorded before the launch it is to tell of, behind
/// it.
void waitForStream(const ProgramSources& sources, RemedyCause& cause);
/// Dynamic shared memory of which the launch gives less than its kernel reaches: more of it, by a
/// factor of what is written. Whether all of them are of that.
bool giveShared(const ProgramTrace& trace, const ProgramSources& sources,
                const std::vector<const Finding*>& findings, RemedyCause& cause);
/// Of a kernel that is given the host's array: that of the device to which it is copied.
void passDevicePointer(const KernelText& kernel, RemedyCause& cause);
/// A block of 256 threads in place of one that is too large, with the index of a thread in the grid
/// where its kernel has that in the block alone.
void shrinkBlock(const source::SourceEdit& text, const Finding& finding, RemedyCause& cause);

/// What the words of a race say that an atomic ends, and no barrier.
inline constexpr std::string_view withoutAtomic = "without an atomic";
/// What those of shared memory say that threads which left gave no value.
inline constexpr std::string_view theyLeave = "threads that leave at the return in line ";

/// Says so of races in which a line reads, changes and writes one element: `bins[key]++`; of shared
/// memory that has no value where threads left before they gave it one; and of an index that an int
/// does not hold.
void tellLostChanges(std::vector<Finding>& findings, const ProgramSources& sources);
/// Tells of lines that change elements so by an index that is read from memory, where no two
/// threads were seen to meet: `bins[key[i]]++`, once for each line of a kernel.
void addMeetings(ProgramTrace& trace, const ProgramSources& sources);

}  // namespace warplens
