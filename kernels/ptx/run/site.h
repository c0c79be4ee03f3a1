#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/access/line_cost.h"
#include "kernels/ptx/read/module.h"
#include "kernels/ptx/run/memory.h"

namespace warplens::ptx {

inline constexpr std::uint32_t lanesPerWarp = 32;
inline constexpr std::uint32_t allLanes = 0xffffffffu;

/// Which array: an allocation's id, or the index of one in shared memory with the highest bit.
inline constexpr std::uint32_t noArray = 0x7fffffffu;
inline constexpr std::uint32_t inShared = 0x80000000u;

/// One instruction that is counted. A generic access has a site for each memory that it may be in.
struct Site final {
    AccessKind kind = AccessKind::branch;
    std::uint8_t bytes = 0;  ///< that a lane accesses at once
    Origin origin;
    /// Of `-G`: one of several accesses that a vector type's copy was split into. Where the array's
    /// elements are aligned to `wholeBytes`, the first piece counts as all of them; and where they
    /// are numbers, and the address is that of an element of `wholeBytes`: `((float2*)numbers)[i]`.
    std::uint8_t wholeBytes = 0;
    bool isElement = false;
    bool isFirstPiece = false;
    bool isPart = false;  ///< a branch within a condition, whose statement ends with another one
};

/// The shape of a request, and what it costs: offsets of the lanes to the first active one, and
/// what holds for all of them.
struct alignas(64) Shape {
    std::array<std::uint64_t, lanesPerWarp> offsets{};  ///< 0 of lanes that are not active
    std::uint32_t mask = 0;                             ///< active lanes; 0: no request yet
    std::uint32_t lowBits = 0;  ///< of the first lane's address: its byte in a word
    bool isUniform = false;     ///< all lanes at one address
    bool isApart = false;       ///< each lane behind all of the lane before, or each before it
    /// Lanes that follow one another at one address, or one beside the other, where they are few:
    /// they are copied together.
    struct Run final {
        std::uint8_t lane = 0;
        std::uint8_t lanes = 0;
        bool isUniform = false;
        std::int64_t offset = 0;
    };
    std::array<Run, 8> runs{};
    std::uint8_t runCount = 0;  ///< 0: too many
    bool isSparse = false;      ///< the only run has lanes among it that are not active
    bool isAligned = false;     ///< all offsets are multiples of the width
    std::int64_t lowest = 0;    ///< offset
    std::int64_t highest = 0;
    bool isCounted = true;        ///< constant memory is not, nor are pieces but the first
    std::uint32_t costBytes = 1;  ///< of a lane, as they are counted
    LineCost cost;                ///< of one, but for sectors and lines of global memory
    /// Which depend on the word of a line that the first lane's is; 0 where that was not asked yet.
    std::array<std::uint8_t, 32> sectors{};
    std::array<std::uint8_t, 32> lines{};
    std::uint64_t hits = 0;  ///< requests that are not in the site's sums yet

    /// As `SiteState::learn`, but for sectors and lines.
    void learn(AccessKind kind, std::uint32_t bytes, std::uint32_t counted,
               const std::uint64_t* addresses, std::uint32_t active);
    void learnSectors(std::uint64_t first);
};

/// What a site knows of its requests to one array while it runs, in one thread: the sums, and
/// shapes of requests. Most have the shape of the one before, or of the last one of the same lanes.
struct SiteState final {
    Shape* shape = &noShape;  ///< of the last request
    // The array of the last request: `address - base <= last` lies in it.
    std::uint64_t base = 1;
    std::uint64_t last = 0;
    std::byte* data = nullptr;                 ///< its first byte, in global memory
    std::uint64_t mirror = ~std::uint64_t{0};  ///< Allocation::mirror
    std::uint64_t sharedOffset = 0;            ///< its first byte in the block's shared memory
    std::uint32_t array = noArray;
    LineCost counts;
    std::vector<std::uint32_t> masks;  ///< of `shapes`
    std::vector<Shape> shapes;         ///< one for each set of lanes
    std::uint32_t oldest = 0;          ///< to be given up for another one

    /// Makes the shape of these lanes' last request the last one; false where there is none.
    bool recall(std::uint32_t active) {
        const auto found = std::ranges::find(masks, active);
        if (found == masks.end()) return false;
        shape = &shapes[static_cast<std::size_t>(found - masks.begin())];
        return true;
    }
    /// Puts what is known of the shapes into the sums.
    void settle();
    /// The next requests are to another array.
    void begin(std::uint32_t another);
    /// Counts sectors and lines of a request of the last shape.
    void countSectors(std::uint64_t first) {
        if (!shape->isCounted) return;
        const std::size_t word = first >> 2 & 31u;
        if (shape->sectors[word] == 0) [[unlikely]]
            shape->learnSectors(first);
        counts.sectors += shape->sectors[word];
        counts.cacheLines += shape->lines[word];
    }
    /// Learns the shape of a request of `active` lanes with `bytes` each, and what it costs with
    /// `counted` bytes each, 0 for nothing. O(lanes log lanes).
    void learn(AccessKind kind, std::uint32_t bytes, std::uint32_t counted,
               const std::uint64_t* addresses, std::uint32_t active);

  private:
    static Shape noShape;
};

}  // namespace warplens::ptx
