#include "core/program/remedies.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

#include "core/json/archive.h"
#include "core/launch/mapping.h"
#include "core/program/reasons.h"
#include "core/program/remedy_findings.h"
#include "core/program/warnings.h"
#include "core/text/encoding.h"
#include "core/text/format.h"
#include "core/text/lines.h"

namespace warplens {
namespace {

/// Identifier, what to do, lesson.
constexpr std::string_view remedyTable =
    R"(exchange-x-and-y | Exchange threadIdx.x and threadIdx.y, in the kernel and its launch: threads that differ in x are neighbours in a warp. | matadd-swapped
exchange-x-and-z | Exchange threadIdx.x and threadIdx.z, in the kernel and its launch: threads that differ in x are neighbours in a warp. | matadd-swapped
exchange-quotient | Exchange quotient and remainder, by the array's other side: threads that follow each other are neighbours in memory then. | row-major
block-shape | Another shape of the block, so that the lanes of a warp stand in one row. | warp-grouping
pad-shared-array | Four bytes or an element more in each row of the shared array: its columns lie in different banks then. | shared-banks
swizzle-shared-array | Give each row another order of its columns, the same where the array is written and where it is read: column c ^ row in place of c (`^` is exclusive or: 1 for each bit that differs). A column's elements lie in different banks then. | shared-banks
stride-by-block | Let a loop step by all threads in place of giving each thread a stretch: neighbouring lanes read neighbouring elements. | access-stride
vector-load | Load the neighbours of a lane at once, as one float2, float4 or the like. | access-float4
vector-store | Store the neighbours that a lane has at once, as one float2, float4 or the like. | access-float4
tile-in-shared-memory | Bring a tile into shared memory along its rows, and take it out along its columns. | shared-banks
warp-for-each-row | Let the lanes of a warp walk along one row, and add up what they have. | sparse-warp
sequential-addressing | Let neighbouring threads add neighbours that lie half of the rest apart. | reduce-sequential
branch-by-warp | Decide by the warp in place of the lane, so that all lanes of a warp go one way. | branch-by-warp
out-of-the-cases | Load before a switch, or an if with its elses, and store behind it what each case loads from or stores to one place: a warp whose lanes go to several cases asks once then. | branch-odd-even
aggregate-atomics | Add up what lanes have for the same address first, and let one of them do the atomic. | histogram-aggregated
constant-to-global | Keep the array in global memory, by __device__ in place of __constant__, or in shared memory: those serve lanes at different addresses together. | constant-memory
unroll-loop | Unroll the loops over a thread's array, so that the compiler knows its indices and keeps it in registers. | memory-spaces
align-structure | Align a structure of 8 bytes, or of a multiple of 16, so that a lane copies it in pieces of as many. | access-float4
copy-as-vector | Copy a structure of 8 or 16 bytes as one uint2 or uint4, into a variable that is aligned as such. | access-float4
cover-the-problem | Round the number of blocks up, so that the grid covers the problem. | matmul-1000
guard-the-tail | Let threads beyond the end do nothing. | picture-76x62
own-index | Let the index be made of what tells the blocks and threads along the axis apart, as blockIdx.x * blockDim.x + threadIdx.x. | picture-76x62
share-the-loop | Let all threads share the passes of the loop: each begins at an index of its own and goes on by the number of threads (a grid-stride loop). | latency-hiding
row-length | Multiply by the length that the array's own rows have. | row-major
room-for-all | The index counts what is kept, so that a condition would lose what does not fit: allocate as many elements as there may be, one for each thread at most. |
wide-index | Let the index be worked out in 64 bits, as size_t(row) * width + column: the product of two ints is an int, which holds at most 2,147,483,647. |
add-barrier | Put a barrier, __syncthreads(), between what some threads write and what others read. | barriers
use-atomic | Change what several threads share with an atomic operation, such as atomicAdd, atomicMin or atomicMax: where two threads read, change and write back the same value, one change is lost. | histogram-global
second-array | Write to a second array, and let the next launch read that: threads read elements here that others change in the same launch, and no barrier of a block nor an atomic keeps them apart. |
fence-the-lock | Put __threadfence() where a lock was taken and before it is given back: atomicCAS and atomicExch alone put nothing else in order, so that the next holder may read what was there before. |
fence-the-values | Put __threadfence() between the values that a block stores and the atomic by which another block knows that they are there: the atomic alone puts nothing else in order. |
more-shared-memory | Give the launch as many bytes of dynamic shared memory as its kernel reaches: the third number between <<< and >>>. |
initialise | Give the memory a value before it is read. |
share-the-array | Keep the array in shared memory, as __shared__, where all threads of the block see what each of them stores: else each has one of its own. | memory-spaces
exchange-indices | Exchange the two indices of the shared array: the element that has row and column the other way round was written. | shared-banks
copy-to-device | Copy the values to the device before the kernel reads them. |
byte-count | Copy or set as many bytes as the array has: the count is in bytes, not elements. |
wait-for-device | Let the host wait before it uses what a kernel or a copy writes: by cudaDeviceSynchronize(), by cudaStreamSynchronize() of its stream, or by cudaMemcpy in place of cudaMemcpyAsync. |
wait-for-stream | Let the stream of the later launch wait for the earlier one: cudaEventRecord(event, one) behind that, and cudaStreamWaitEvent(other, event) before this; or launch both in one stream. |
copy-direction | Name the direction that the copy has: first stands where it goes to, then what is copied. |
device-pointer | Give the kernel the device's pointer, as cudaMalloc gave it and a copy filled it: memory of malloc, of new and of variables is the host's. | memory-spaces
free-memory | Free what was allocated, with cudaFree. |
free-later | Free memory when nothing uses it any longer, behind the last launch and copy that has it: what a destructor frees is gone with its object. |
aligned-vectors | Let each vector begin at a multiple of its size: rows of as many elements, or single elements in place of vectors. |
smaller-block | A block that a device can run: at most 1,024 threads. |
read-errors | Check cudaGetLastError() after the launch: it was refused, and the program went on without its results. |
barrier-for-all | Take the barrier out of the branch: all threads of the block must come to it. | barriers
own-element | Several threads store to one element, and the last one stays: let the index give each thread an element of its own. |
mask-for-those-that-come | Let all lanes that the mask names come to the shuffle or vote: take it out of the branch, with a neutral value in lanes that have none, or let the mask name those that come, by __ballot_sync before the branch. | reduce-shuffle
stay-beyond-the-end | Let threads beyond the end stay: 0 in place of what they would load, and a condition where they would store, so that all come to shuffles and barriers. | reduce-shuffle
structure-of-arrays | An array for each member in place of an array of structures. | points-structures
other-index | Let neighbouring lanes access neighbouring elements. | access-stride
fewer-conflicts | Pad or swizzle the shared array, so that lanes meet different banks. | shared-banks
whole-warps | Let whole warps go one way. | branch-by-warp
shared-for-local | Keep a thread's array in shared memory, indexed [index][threadIdx.x]: that is on the chip, and lanes meet different banks. | memory-spaces)";

/// The same line in a launch in which the assembler loads several of its array's elements at once,
/// as of another instance of a template: what is edited is to suit both. Itself where there is
/// none.
std::pair<const ProgramLine*, const LaunchReport*> whereMerged(const ProgramTrace& trace,
                                                               const ProgramLine& line,
                                                               const LaunchReport& launch) {
    if (!isShared(line.kind)) return {&line, &launch};
    for (const LaunchReport& other : trace.launches) {
        const auto same = std::ranges::find_if(other.lines, [&](const ProgramLine& each) {
            return each.place == line.place && each.kind == line.kind && each.array == line.array &&
                   each.source == line.source;
        });
        const bool isMerged = std::ranges::any_of(other.lines, [&](const ProgramLine& each) {
            return each.atOnce != 0 && each.array == line.array;
        });
        if (isMerged && same != other.lines.end()) return {&*same, &other};
    }
    return {&line, &launch};
}

}  // namespace

CostMetric metricOf(const ProgramLine& line) {
    if (line.kind == AccessKind::branch) return CostMetric::divergent;
    if (isAtomic(line.kind)) return CostMetric::atomics;
    if (isLocal(line.kind)) return CostMetric::local;
    if (line.kind == AccessKind::constantLoad) return CostMetric::turns;
    return line.sectors != 0 ? CostMetric::sectors : CostMetric::wavefronts;
}

std::uint64_t excessOf(const ProgramLine& line) {
    return line.kind == AccessKind::branch ? line.divergent
           : isLocal(line.kind)            ? line.sectors
           : line.sectors != 0             ? line.sectors - line.idealSectors
                                           : line.wavefronts - line.idealWavefronts;
}

std::span<const RemedyKind> remedyKinds() {
    static const std::vector<RemedyKind> kinds = [] {
        std::vector<RemedyKind> all;
        for (const std::string_view line : splitLines(remedyTable)) {
            const auto row = cellsOf(line, '|');
            all.push_back({row.at(0), row.at(1), row.at(2)});
        }
        return all;
    }();
    return kinds;
}

RemedyKind remedyNamed(std::string_view id) {
    const auto found = std::ranges::find(remedyKinds(), id, &RemedyKind::id);
    return found == remedyKinds().end() ? RemedyKind{} : *found;
}

std::uint64_t costOf(const LaunchReport& launch, CostMetric metric) {
    std::uint64_t sum = 0;
    for (const ProgramLine& line : launch.lines) {
        if (metric == CostMetric::local && isLocal(line.kind)) sum += line.sectors;
        if (line.source != Source::predicted) continue;
        if (metric == CostMetric::divergent) sum += line.divergent;
        if (metric == CostMetric::sectors) sum += line.sectors;
        // Each lane's is done by itself, unless they are joined.
        if (metric == CostMetric::atomics && isAtomic(line.kind))
            sum += line.isJoined ? line.requests : line.activeLanes;
        if (metric == CostMetric::stored && line.kind == AccessKind::store) sum += line.uniqueBytes;
        if (metric == CostMetric::turns && line.kind == AccessKind::constantLoad)
            sum += line.wavefronts;
        if (metric == CostMetric::wavefronts && isShared(line.kind) && !isAtomic(line.kind))
            sum += line.wavefronts;
    }
    return sum;
}

std::uint64_t costOf(const ProgramTrace& trace, CostMetric metric) {
    std::uint64_t sum = 0;
    for (const LaunchReport& launch : trace.launches) sum += costOf(launch, metric);
    return sum;
}

std::vector<RemedyCause> causesOf(const ProgramTrace& trace, const ProgramSources& sources) {
    std::vector<RemedyCause> causes;
    // What has one cure is one cause: all that is never freed, all races of a kernel.
    std::map<std::tuple<FindingKind, std::string, bool>, std::vector<const Finding*>> ofOneKind;
    for (const Finding& finding : trace.findings) {
        const bool isApart =
            finding.isWrittenLater || finding.isOfMask || finding.isUnawaited ||
            (finding.kind == FindingKind::blockRace && isByNeighbour(sources, finding));
        ofOneKind[{finding.kind, finding.kernel, isApart}].push_back(&finding);
    }
    for (const auto& [key, findings] : ofOneKind) {
        RemedyCause& cause = causes.emplace_back();
        cause.finding = std::get<FindingKind>(key);
        cause.rule = ruleOf(*cause.finding).id;
        for (const Finding* finding : findings) cause.places.push_back(finding->place);
        findEdits(trace, sources, findings, cause);
        // The words of others say what to look at.
        if (cause.finding == FindingKind::mayBeWhy && cause.edits.empty()) causes.pop_back();
    }
    // What is never freed harms least.
    std::ranges::stable_partition(
        causes, [](const RemedyCause& each) { return each.finding != FindingKind::neverFreed; });
    // Of one line in all launches.
    struct Costly final {
        const ProgramLine* line;
        const LaunchReport* launch;
        std::uint64_t excess = 0;
        std::uint64_t steps = 0;  ///< of trees within a warp
        std::uint64_t gaps = 0;   ///< sectors that lanes which are left out keep
    };
    std::vector<Costly> costly;
    for (const LaunchReport& launch : trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            if (!isOfRules(line) || line.place.line == 0 || !breaksCostRule(line, launch)) continue;
            auto at = std::ranges::find_if(costly, [&](const Costly& other) {
                return other.line->place == line.place && other.line->kind == line.kind &&
                       other.line->array == line.array && other.launch->kernel == launch.kernel;
            });
            if (at == costly.end()) at = costly.insert(at, {&line, &launch});
            // Of atomics it is known where all lanes meet.
            if (!isAtomic(line.kind))
                at->excess += excessOf(line);
            else if (line.address && line.address->isOfAll())
                at->excess += line.activeLanes - std::min(line.activeLanes, line.requests);
            // Of lanes here and there: as many sectors as all of the warp has, or one for each
            // lane.
            const bool isScattered = line.address && line.address->lanesApart.empty();
            const std::uint64_t kept = std::min(
                line.requests * (line.address ? line.address->elementBytes : 0), line.activeLanes);
            if (isScattered) at->gaps += kept - std::min(kept, line.idealSectors);
            const std::uint64_t lanes =
                std::min<std::uint64_t>(lanesPerWarp, launch.launch.block.count());
            at->steps += launch.launch.grid.count() * std::bit_width(lanes - 1);
        }
    }
    std::ranges::stable_sort(costly, std::greater<>(), &Costly::excess);
    for (const auto& [line, launch, excess, steps, gaps] : costly) {
        RemedyCause& cause = causes.emplace_back();
        cause.rule = costRule(line->kind).id;
        cause.places = {line->place};
        cause.array = line->array;
        cause.metric = metricOf(*line);
        cause.excess = excess;
        const auto& [ofEdit, inLaunch] = whereMerged(trace, *line, *launch);
        findEdits(*ofEdit, *inLaunch, sources, cause);
        // In the last steps of a sum fewer lanes than a warp has add up, wherever they are.
        if (line->kind == AccessKind::branch && cause.advice == "sequential-addressing")
            cause.excess -= std::min(excess, steps);
        // An array for each member still has the elements of lanes that take no part between.
        if (cause.advice == "structure-of-arrays") cause.excess -= std::min(excess, gaps);
        if (cause.advice == "structure-of-arrays" && gaps != 0)
            cause.detail +=
                (cause.detail.empty() ? std::string(remedyNamed(cause.advice).words) : "") +
                " Elements of lanes that take no part still lie between the others.";
    }
    return causes;
}

std::string_view lessonOf(const TriedRemedy& tried) {
    const bool isShared = tried.rule == "shared-race" && tried.remedy == "use-atomic";
    return isShared ? "histogram-shared"
           // What is said of it is of barriers alone.
           : tried.remedy == "stay-beyond-the-end" && !tried.detail.empty()
               ? "barriers"
               : remedyNamed(tried.remedy).lesson;
}

std::string wordsOf(const TriedRemedy& tried) {
    return tried.detail.empty() ? std::string(remedyNamed(tried.remedy).words) : tried.detail;
}

void describe(Archive& v, TriedRemedy& tried) {
    v("remedy", tried.remedy, "What to do: a row of the table in docs/check.md.");
    v("rule", tried.rule, "Which rule is broken without it.");
    v.derived("words", wordsOf(tried), "The same in a sentence.");
    v.derived("lesson", std::string(lessonOf(tried)), "The lesson that teaches it; may be empty.");
    v.each("places", tried.places, "What it is for.", [&](SourcePlace& place) {
        v("file", place.file, "The file.");
        v("line", place.line, "Of it, from 1; 0 where none is known.");
    });
    v("file", tried.file, "Which file it changes; empty where it can only be told.");
    v("diff", tried.diff, "The change, as diff -u writes it; it was compiled and run.");
    v("unit", tried.unit, "Of the numbers.");
    v("before", tried.before, "Of the program as it is, all launches together.");
    v("after", tried.after, "Of the changed one; at best, where it can only be told.");
    v.each("also", tried.also, "What it saves of other units.", [&](RemedyGain& gain) {
        v("unit", gain.unit, "Of the numbers.");
        v("before", gain.before, "Of the program as it is.");
        v("after", gain.after, "Of the changed one.");
    });
    v("results", tried.results, "What the program's results are then, beside those of before.");
}

TriedRemedy withUnitFirst(TriedRemedy tried, std::string_view unit) {
    const auto at = std::ranges::find(tried.also, unit, &RemedyGain::unit);
    if (at == tried.also.end()) return tried;
    std::swap(at->unit, tried.unit);
    std::swap(at->before, tried.before);
    std::swap(at->after, tried.after);
    return tried;
}

std::string gainInWords(const TriedRemedy& tried) {
    const auto inWords = [](const auto& each) {
        return groupedDigits(each.before) + " -> " + groupedDigits(each.after) + ' ' + each.unit;
    };
    std::string gain = (tried.isSampled ? "about " : "") + inWords(tried);
    for (const RemedyGain& other : tried.also) gain += " and " + inWords(other);
    if (!tried.diff.empty())
        return "whole program: " + gain + (tried.isSampled ? " by a sample of its blocks" : "") +
               ", results: " + tried.results;
    if (!tried.results.empty())
        return "An edit was tried, whole program: " + gain +
               ", and is not offered: " + tried.results + '.';
    if (tried.remedy == "structure-of-arrays" && tried.after < tried.before)
        return "It changes what the array is, also on the host, and is not edited; whole program "
               "with it at best: " +
               gain + '.';
    return "No edit was found for it: do it by hand" +
           (tried.after < tried.before ? "; whole program with it at best: " + gain
                                       : std::string()) +
           '.';
}

}  // namespace warplens
