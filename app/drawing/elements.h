#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/launch/mapping.h"
#include "core/scenario/scenario.h"

/// Which element of the output each thread of a block writes, asked of the kernel itself.
namespace warplens {

/// Bit `lane` of entry `warp` is set where that thread lies outside the problem.
using OutsideMask = std::array<std::uint32_t, 32>;
[[nodiscard]] OutsideMask outsideMask(const Experiment& experiment, Index3 block);

/// First thread position along each axis of the grid that lies outside the problem; the largest
/// value where the kernel does not look at that axis.
struct ProblemEdge final {
    std::uint64_t x = UINT64_MAX;
    std::uint64_t y = UINT64_MAX;
    std::uint64_t z = UINT64_MAX;
};
[[nodiscard]] ProblemEdge problemEdge(const Experiment& experiment);

/// `c[5][3]`, `out[17]`; empty for a thread outside the problem.
[[nodiscard]] std::string elementName(const Experiment& experiment, Index3 block, Index3 thread);

/// Which bytes of one array the lanes of a warp ask for together.
struct LaneBytes final {
    bool store = false;
    std::uint32_t bytes = 0;                  ///< for each lane
    std::uint32_t active = 0;                 ///< bit i: lane i
    std::array<std::uint64_t, 32> offsets{};  ///< of the active lanes, from the array's start
    friend bool operator==(const LaneBytes&, const LaneBytes&) = default;
};

/// The 32-byte sectors of one array that one warp asks for, in order of address.
struct WarpSectors final {
    struct Sector final {
        std::uint64_t index = 0;  ///< byte offset in the array / 32
        std::uint8_t used = 0;    ///< bit k: word k of the sector's eight is asked for
    };
    struct Lane final {
        bool active = false;
        std::uint32_t sector = 0;  ///< place in `sectors`
        std::uint32_t slot = 0;    ///< 0 .. 7 in that sector
    };
    std::vector<Lane> lanes;  ///< threads of the warp, idle lanes left out
    std::vector<Sector> sectors;
    std::uint32_t slots = 1;   ///< each lane asks for
    std::uint32_t fewest = 0;  ///< sectors the same number of words needs at least
};
/// `threads` is the number of threads in the warp; every lane asks for whole words.
[[nodiscard]] WarpSectors sectorsOf(const LaneBytes& lanes, std::uint32_t threads);

/// The sectors of the output array that one warp writes.
[[nodiscard]] WarpSectors warpSectors(const Experiment& experiment, Index3 block, WarpRank warp);

/// The output array's place among the kernel's arrays, and its name.
[[nodiscard]] std::size_t outputIndex(const Kernel& kernel);
[[nodiscard]] std::string outputName(const Experiment& experiment);

/// The rule with the numbers of one thread filled in, one line each.
[[nodiscard]] std::string rankFormula(Extents block, Index3 thread);
[[nodiscard]] std::string warpFormula(Extents block, Index3 thread);
[[nodiscard]] std::string laneFormula(Extents block, Index3 thread);

/// `(3, 5, 0)`.
[[nodiscard]] std::string toText(Index3 index);

}  // namespace warplens
