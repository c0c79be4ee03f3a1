#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "core/access/line_cost.h"
#include "kernels/ptx/read/module.h"
#include "kernels/ptx/run/memory.h"

namespace warplens::ptx {

inline constexpr u32 lanesPerWarp = 32;
inline constexpr u32 allLanes = 0xffffffffu;
/// The first lane of a mask.
[[nodiscard]] inline u32 lowest(u32 lanes) {
    return u32(std::countr_zero(lanes));
}

/// Which array: an allocation's id, or the index of one in shared memory with the highest bit.
inline constexpr u32 noArray = 0x7fffffffu;
inline constexpr u32 inShared = 0x80000000u;

/// One instruction that is counted. A generic access has a site for each memory that it may be in.
struct Site final {
    AccessKind kind = AccessKind::branch;
    u8 bytes = 0;  ///< that a lane accesses at once
    Origin origin{};
    /// Of `-G`: one of several accesses that a vector type's copy was split into. Where the array's
    /// elements are aligned to `wholeBytes`, the first piece counts as all of them; and where they
    /// are numbers, and the address is that of an element of `wholeBytes`: `((float2*)numbers)[i]`.
    u8 wholeBytes = 0;
    bool isElement = false;
    bool isFirstPiece = false;
    /// An atomic of integers that the assembler lets one lane of a warp do for all, where it
    /// knows that their address is the same: a sum, a minimum or maximum, and, or, xor.
    bool isJoinable = false;
    /// An atomic in shared memory that adds 1 and needs no result: the assembler makes it an
    /// instruction that counts the lanes at a word, which come together as in a load.
    bool countsLanes = false;
    bool triesAgain = false;  ///< `ProgramLine::triesAgain`
    u8 atOnce = 0;            ///< `ProgramLine::atOnce`
    /// Of `-G`: a branch within a condition, whose statement ends with another one. Of optimised
    /// code every branch counts: which statement's it is it does not tell.
    bool isPart = false;
};

/// The shape of a request, and what it costs: offsets of the lanes to the first active one, and
/// what holds for all of them.
struct alignas(64) Shape {
    std::array<u64, lanesPerWarp> offsets{};  ///< 0 of lanes that are not active
    u32 mask = 0;                             ///< active lanes; 0: no request yet
    u64 pattern = 0;  ///< the process's number of these offsets and lanes, learned once; 0: none
    u32 lowBits = 0;  ///< of the first lane's address: its byte in a word
    bool isUniform = false;  ///< all lanes at one address
    bool isApart = false;    ///< each lane behind all of the lane before, or each before it
    /// Lanes that follow one another at one address, or one beside the other, where they are few:
    /// they are copied together.
    struct Run final {
        u8 lane = 0;
        u8 lanes = 0;
        bool isUniform = false;
        s64 offset = 0;
    };
    std::array<Run, 8> runs{};
    u8 runCount = 0;         ///< 0: too many
    bool isSparse = false;   ///< the only run has lanes among it that are not active
    bool isAligned = false;  ///< all offsets are multiples of the width
    s64 lowest = 0;          ///< offset
    s64 highest = 0;
    bool isCounted = true;  ///< not of pieces but the first
    u32 costBytes = 1;      ///< of a lane, as they are counted
    LineCost cost;          ///< of one, but for sectors and lines of global memory
    /// Which depend on the word of a line that the first lane's is; 0 where that was not asked yet.
    std::array<u8, 32> sectors{};
    std::array<u8, 32> lines{};
    u64 hits = 0;  ///< requests that are not in the site's sums yet

    /// As `SiteState::learn`, but for sectors and lines.
    void learn(AccessKind kind, u32 bytes, u32 counted, const u64* addresses, u32 active);
    void learnSectors(u64 first);
};

/// What a site knows of its requests to one array while it runs, in one thread: the sums, and
/// shapes of requests. Most have the shape of the one before, or of the last one of the same lanes.
struct SiteState final {
    Shape* shape = &noShape;  ///< of the last request
    // The array of the last request: `address - base <= last` lies in it.
    u64 base = 1;
    u64 last = 0;
    std::byte* data = nullptr;  ///< its first byte, in global memory
    u64 mirror = ~u64{0};       ///< Allocation::mirror
    u64 sharedOffset = 0;       ///< its first byte in the block's shared memory
    u32 array = noArray;
    LineCost counts;
    std::vector<u32> masks;     ///< of `shapes`
    std::vector<Shape> shapes;  ///< one for each set of lanes
    u32 oldest = 0;             ///< to be given up for another one

    /// Makes the shape of these lanes' last request the last one; false where there is none.
    bool recall(u32 active) {
        const auto found = std::ranges::find(masks, active);
        if (found == masks.end()) return false;
        shape = &shapes[static_cast<std::size_t>(found - masks.begin())];
        return true;
    }
    /// Puts what is known of the shapes into the sums.
    void settle();
    /// The next requests are to another array.
    void begin(u32 another);
    /// Counts sectors and lines of a request of the last shape.
    void countSectors(u64 first) {
        if (!shape->isCounted) return;
        const std::size_t word = first >> 2 & 31u;
        if (shape->sectors[word] == 0) [[unlikely]]
            shape->learnSectors(first);
        counts.sectors += shape->sectors[word];
        counts.cacheLines += shape->lines[word];
    }
    /// Learns the shape of a request of `active` lanes with `bytes` each, and what it costs with
    /// `counted` bytes each, 0 for nothing; of constant memory no sectors. O(lanes log lanes).
    void learn(AccessKind kind, u32 bytes, u32 counted, const u64* addresses, u32 active);

  private:
    static Shape noShape;
};

}  // namespace warplens::ptx
