#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warplens {

class Archive;

/// Where and when one block ran.
struct BlockRun final {
    std::uint32_t sm = 0;
    std::uint64_t begin = 0;  ///< nanoseconds since the launch's first recorded block began
    std::uint64_t end = 0;
    friend bool operator==(const BlockRun&, const BlockRun&) = default;
};

/// When one warp ran, on its SM's own clock.
struct WarpRun final {
    std::uint64_t block = 0;  ///< linear rank in the grid
    std::uint32_t warp = 0;   ///< rank in its block
    std::uint64_t begin = 0;  ///< cycles since the SM's first recorded warp began
    std::uint64_t end = 0;
    /// The first rounds of its loop, in cycles as above: asked memory, answered, asked, answered...
    /// Empty for a kernel that does not mark its waits.
    std::vector<std::uint64_t> waits{};
    friend bool operator==(const WarpRun&, const WarpRun&) = default;
};

/// How the GPU dealt one launch to its multiprocessors, by time stamps that every warp took as it
/// began and ended. CUDA promises no order of blocks or warps: this is what happened once.
struct Schedule final {
    std::uint64_t launchedBlocks = 0;
    std::uint32_t multiprocessors = 0;  ///< of the device
    std::vector<BlockRun> blocks{};  ///< the first blocks of the grid in linear order, if not all
    /// Of these, blocks that another SM ran when the same launch was repeated.
    std::uint64_t movedBlocks = 0;
    std::uint64_t clockStep = 0;   ///< nanoseconds by which the block's clock was seen to advance
    std::uint32_t followedSm = 0;  ///< the SM that `warps` ran on: the one of block 0
    std::vector<WarpRun> warps{};  ///< the first of it, in the order in which they began
    friend bool operator==(const Schedule&, const Schedule&) = default;

    static constexpr std::size_t mostBlocks = 8192;
    static constexpr std::size_t mostWarps = 512;
    static constexpr std::size_t mostStamps = 64;  ///< of one warp: 32 rounds
};

/// Blocks are told column by column, which keeps thousands of them small. Reading throws
/// MalformedJson for lists of unequal length and runs that end before they begin.
void describe(Archive& v, WarpRun& run);
void describe(Archive& v, Schedule& schedule);

/// What a schedule shows at a glance.
struct ScheduleSummary final {
    std::uint32_t multiprocessorsUsed = 0;
    std::uint64_t fewestBlocks = 0;  ///< on an SM that ran any
    std::uint64_t mostBlocks = 0;
    /// Blocks that one SM ran at the same time. May exceed what the occupancy rule lets in: an SM
    /// takes a new block as soon as enough warps have left, whichever blocks they were of. On a
    /// GH100 eleven blocks of eight warps overlapped so, and never more than its 64 warps at once:
    /// as the first new block began, 29 warps of seven older ones were left.
    std::uint32_t mostAtOnce = 0;
    std::uint64_t duration = 0;          ///< nanoseconds, from the first begin to the last end
    std::uint64_t firstIdle = 0;         ///< nanoseconds when the first SM ran out of blocks
    std::uint64_t beganBeforeLower = 0;  ///< blocks that began before a block of lower rank
};
[[nodiscard]] ScheduleSummary summaryOf(const Schedule& schedule);

/// The same as sentences, most telling first.
[[nodiscard]] std::vector<std::string> inWords(const Schedule& schedule);

/// Why more blocks ran on the followed SM at once than fit it whole; empty where none did.
[[nodiscard]] std::string overlapInWords(const Schedule& schedule);

/// About the waits of the followed SM's warps; empty for a kernel that marks none.
[[nodiscard]] std::vector<std::string> warpsInWords(const Schedule& schedule);

/// Places of a set of runs that overlap in time: `slots[i]` is the place of run i, the lowest that
/// was free when it began; `turns[i]` counts the runs its place had before. Of blocks on one SM the
/// turn is what is called a wave. Cost: n log n.
struct Packing final {
    std::vector<std::uint32_t> slots;
    std::vector<std::uint32_t> turns;
    std::uint32_t slotCount = 0;
};
[[nodiscard]] Packing packBlocks(const Schedule& schedule);  ///< for each SM on its own
[[nodiscard]] Packing packWarps(const Schedule& schedule);

/// Whether it is more about the warps of one SM than about the blocks of all: waits are recorded,
/// and no SM ran more than one turn of blocks.
[[nodiscard]] bool aboutWaits(const Schedule& schedule);

/// Share of the time with recorded waits in which at least one of the followed SM's warps works,
/// 0 .. 1; 0 without waits.
[[nodiscard]] double busyShare(const Schedule& schedule);

/// Share of a warp's time, until its last recorded answer, spent waiting for memory, 0 .. 1; 0
/// without waits.
[[nodiscard]] double waitingShare(const WarpRun& warp);

}  // namespace warplens
