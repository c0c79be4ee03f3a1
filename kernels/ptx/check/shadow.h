#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/ptx/run/site.h"

namespace warplens::ptx::check {

/// Who was at a word of memory last, and when: the block's serial number in bits 32 to 62 (0: no
/// kernel; 1 alone is the host), the block's time in bits 12 to 31, whether it was strong in bit 11
/// (atomic, volatile or with a scope: PTX ISA, "Memory Consistency Model"), who in the lowest 11.
/// So what is later is greater.
using Stamp = s64;

/// Rows of pitched memory begin at multiples of this, in bytes; the rest of a row is no part of it.
inline constexpr u64 rowPitch = 512;
inline constexpr int whoBits = 11;
inline constexpr Stamp whoMask = (Stamp{1} << whoBits) - 1;
inline constexpr Stamp lanesOfWarp = 1024;  ///< several lanes of the warp that is added
inline constexpr Stamp manyThreads = 2046;  ///< of several warps of the block
inline constexpr Stamp manyBlocks = 2047;
inline constexpr Stamp strongBit = Stamp{1} << whoBits;
inline constexpr int timeShift = whoBits + 1;
inline constexpr Stamp mostTime = (Stamp{1} << 20) - 1;
inline constexpr Stamp timeMask = mostTime << timeShift;
inline constexpr int serialShift = 32;
inline constexpr Stamp mostSerial = (Stamp{1} << 31) - 2;
inline constexpr Stamp hostStamp = 1;

[[nodiscard]] constexpr Stamp whoOf(Stamp stamp) {
    return stamp & whoMask;
}
[[nodiscard]] constexpr Stamp timeOf(Stamp stamp) {
    return (stamp & timeMask) >> timeShift;
}
[[nodiscard]] constexpr Stamp serialOf(Stamp stamp) {
    return stamp >> serialShift;
}
[[nodiscard]] constexpr bool isStrong(Stamp stamp) {
    return (stamp & strongBit) != 0;
}
/// The warp of a thread or of several lanes; none of the block's for the others.
[[nodiscard]] constexpr Stamp warpOf(Stamp who) {
    return who >= manyThreads ? who : who >= lanesOfWarp ? who - lanesOfWarp : who / 32;
}

/// What orders the threads of one block: barriers, `__syncwarp`, fences. Lanes of a warp have no
/// order but by these (CUDA Programming Guide, "Independent Thread Scheduling"). Time passes with
/// each of them.
class Order final {
  public:
    /// A block begins, with a serial number that no block had before.
    void begin(Stamp serial, std::size_t warps);
    void barrier() { barrier_ = next(); }
    /// A thread made what it did visible: whoever waits for it by other means is not accused. Takes
    /// all as ordered which was before.
    void fence() { barrier(); }
    void syncWarp(u32 warp, u32 lanes, u32 alive);
    /// There is no later time: stamps of this block are to be renumbered.
    [[nodiscard]] bool isFull() const { return time_ >= mostTime - 1; }
    void startAgain();

    [[nodiscard]] Stamp serial() const { return serial_; }
    /// The stamp of a thread now.
    [[nodiscard]] Stamp stamp(Stamp who) const { return floor() | time_ << timeShift | who; }
    /// Stamps of the block are at least this.
    [[nodiscard]] Stamp floor() const { return serial_ << serialShift; }
    /// Those below are ordered before all that comes.
    [[nodiscard]] Stamp orderedFloor() const { return floor() | barrier_ << timeShift; }
    /// Likewise for lanes of the warp.
    [[nodiscard]] Stamp orderedFloor(u32 warp) const;
    /// Whether what a stamp of this block tells of was before what the thread does now.
    [[nodiscard]] bool isBefore(Stamp stamp, u32 thread) const;

  private:
    /// The last time of each lane that a lane knows of, where parts of the warp meet by themselves.
    using Known = std::array<std::array<Stamp, lanesPerWarp>, lanesPerWarp>;
    struct OfWarp final {
        Stamp met = 0;  ///< all its lanes
        std::unique_ptr<Known> known;
    };
    Stamp next() { return ++time_; }

    Stamp serial_ = 0;
    Stamp time_ = 1;
    Stamp barrier_ = 1;
    std::vector<OfWarp> warps_;
};

/// Zeroed memory that costs nothing before it is used.
struct FreeStamps final {
    void operator()(Stamp* stamps) const { std::free(stamps); }
};
struct Stamps final {
    std::unique_ptr<Stamp[], FreeStamps> all;
    u64 ready = 0;  ///< so many were made ready

    [[nodiscard]] Stamp& operator[](u64 word) const { return all[word]; }
    /// Pages that are read before they are written are taken twice by operating systems: takes
    /// those that come next, of `count` stamps, for writing.
    void makeReady(u64 word, u64 count) {
        constexpr u64 atOnce = 1u << 13;
        constexpr u64 perPage = 4096 / sizeof(Stamp);
        if (word < ready) [[likely]]
            return;
        const u64 begin = word < ready + atOnce ? ready : word;
        ready = std::min(begin + atOnce, count);
        for (u64 at = begin; at < ready; at += perPage)
            __atomic_fetch_or(&all[at], 0, __ATOMIC_RELAXED);
    }
};

/// Elements of an array that no thread of any launch reached though the host uses them, where it
/// looks as if the grid did not cover the array: the rest of it, or the rest of each of its rows.
struct Unreached final {
    u64 elements = 0;  ///< of the array, or of a row; words where a thread takes no whole elements
    u64 reached = 0;   ///< the first of them
    u64 rows = 0;      ///< that have a rest each; 0: it is the array's own
    u64 each = 0;      ///< side by side that a thread took, more than the rest has; or 0
};

/// Elements of an array that something is true of, where it is not of all.
struct SomeElements final {
    u64 first = 0;
    u64 end = 0;  ///< one past the last that stands beside the first
    u64 all = 0;
    u64 others = 0;
    /// So many elements that `isMeant(element)` says so of, or says nothing of: `std::nullopt`.
    template <class IsMeant>
    [[nodiscard]] static SomeElements of(u64 count, IsMeant isMeant) {
        SomeElements some;
        for (u64 at = 0; at < count; ++at) {
            const std::optional<bool> is = isMeant(at);
            if (is == true && some.all == 0) some.first = some.end = at;
            if (is == true && some.end == at) ++some.end;
            some.all += is == true ? 1 : 0;
            some.others += is == false ? 1 : 0;
        }
        return some;
    }
};

/// An instruction that was at an array.
struct AtArray final {
    u32 site = 0;
    bool loads = false;
    bool stores = false;
    Stamp last = 0;  ///< when it was there last, of whomever
    u32 warps = 0;   ///< bit i: warp i was, at that time
};

/// What is known of an array's words: who wrote and who read each last. Words are of 4 bytes, or as
/// narrow as the narrowest access.
struct Shadow final {
    u64 base = 0;   ///< the array's address, as requests have it
    u64 bytes = 0;  ///< 0: not looked at
    u32 shift = 2;  ///< a word has 1 << shift bytes
    Stamps writes;
    Stamps reads;
    u64 writtenTo = 0;    ///< bytes from the start that the host wrote, or that need not be written
    u64 copiedTo = 0;     ///< bytes from the start up to the last that the host uses, too
    Stamp lastStore = 0;  ///< serial of the last block that stored
    const std::byte* data = nullptr;  ///< its first byte, here
    Origin compared;                  ///< where it was compared and swapped last
    std::vector<AtArray>
        sites;  ///< the first `mostSites`; of the last one what `latest` had before
    bool hasMoreSites = false;
    bool isShared = false;
    bool hasAtomics = false;
    u32 narrowest = 16;  ///< bytes of an access
    // Of the last request that stored, or loaded where none has.
    u32 site = 0;
    bool hasStore = false;
    bool isStoredTwice = false;   ///< some word by two threads of one launch
    AtArray latest{.site = ~0u};  ///< was there last
    Stamp launch = 0;             ///< the first serial of its launch
    u32 elementBytes = 0;         ///< of its launch's narrowest access
    u64 threads = 0;              ///< of its launch
    u64 threadsInRow = 0;         ///< of its grid, along x

    [[nodiscard]] u64 words() const { return bytes >> shift; }
    /// Makes room for the stamps; false where there is none.
    [[nodiscard]] bool allocate();
    static constexpr std::size_t mostSites = 64;
    /// An instruction of the warp is there now.
    void note(u32 instruction, AccessKind kind, Stamp now, u32 warp) {
        if (latest.site != instruction) [[unlikely]]
            turnTo(instruction, kind);
        latest.warps = (latest.last == now ? latest.warps : 0) | 1u << warp;
        latest.last = now;
    }
    /// Those that are noted, as they are now.
    [[nodiscard]] std::vector<AtArray> noted() const;
    /// Words become as narrow as that.
    void narrow(u32 bytes);
    /// The host wrote them.
    void markWritten(u64 offset, u64 count);
    /// Times of the block begin anew: all that it did so far was at time 0.
    void renumber(Stamp serial);
    [[nodiscard]] std::optional<Unreached> unreached() const;
    /// Of what the host copies, what no kernel accessed.
    [[nodiscard]] SomeElements leftAlone() const;
    [[nodiscard]] bool isAllReached() const;
    /// That kernels accessed.
    [[nodiscard]] u64 bytesReached() const;

  private:
    [[nodiscard]] bool isReached(u64 word) const;
    void turnTo(u32 instruction, AccessKind kind);
};

}  // namespace warplens::ptx::check
