#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/drawing/warp_memory.h"
#include "core/launch/launch.h"
#include "core/scenario/scenario.h"

/// Pictures of what happens one after the other: threads on their way into warps, the phases of a
/// product by tiles, and a model of how SMs work off a grid: blocks dealt in the order of their
/// rank, each SM holding as many as it can, all of them taking equally long. CUDA promises no such
/// order.
namespace warplens::drawing {

/// The threads of a block on their way into warps: they leave the block in the order of their rank,
/// stand in one line, and the line is cut every 32.
struct LineUp final {
    Extents block;
    double at = 0;     ///< 0: in the block; 0.5: in the line; 1: cut
    bool told = true;  ///< false: in the block, without anything that tells of warps
    std::optional<ThreadRank> marked{};
};

/// Cost: some 3 items for each thread.
[[nodiscard]] Items prepareLineUp(const LineUp& lineUp, const DrawArea& area);

/// A product by tiles, phase by phase: which piece of `a` and of `b` the block's threads load, and
/// then which row and column of the tiles its elements are computed from. Without tiles: which
/// value of each the block's first thread loads, and all the threads that load the same.
struct TilePhases final {
    std::uint64_t n = 0;     ///< rows and columns of the matrices
    std::uint32_t tile = 0;  ///< rows and columns of a tile, or of a block without tiles
    bool shared = true;      ///< false: without tiles
    Index3 block{};          ///< whose tiles they are
    double at = 0;           ///< 0: the first phase or iteration begins; 1: the last has ended
    friend bool operator==(const TilePhases&, const TilePhases&) = default;
};

/// Of an experiment; nothing where its kernel computes no such product.
[[nodiscard]] std::optional<TilePhases> tilePhasesOf(const Experiment& experiment, Index3 block);

[[nodiscard]] Items prepareTilePhases(const TilePhases& phases, const DrawArea& area);

/// The numbers of SMs that are drawn: 1, 2, 4 as far as they differ, and as many as one wave needs.
[[nodiscard]] std::vector<std::uint64_t> drawnMultiprocessors(std::uint64_t blocks,
                                                              std::uint32_t atATime);

/// For each number of SMs a stack of waves, from above: in a wave SM beside SM, each with its
/// blocks and their ranks, a colour for each SM; those of few SMs are left out where there is no
/// room for all. Wants at most 64 blocks: of a larger grid it draws none. Cost: below 1,000 items.
[[nodiscard]] Items prepareBlockWaves(std::uint64_t blocks, std::uint32_t atATime,
                                      const DrawArea& area);

/// All requests of a block's warps to one array of global memory, `array` as WarpTrace::byArray
/// counts: a row for each warp, in it each request's sectors, with the lanes in the bytes that they
/// ask for; and how many there are in all. Cost: some 20 items for each sector.
[[nodiscard]] Items prepareBlockRequests(std::span<const WarpTrace> warps, std::size_t array,
                                         const DrawArea& area);

/// The warps of a block before and behind the kernel's first barrier, a row each: their requests,
/// and who waits there until the one with most has come. Cost: some 3 items for each request.
[[nodiscard]] Items prepareBarrier(std::span<const WarpTrace> warps, const DrawArea& area);

}  // namespace warplens::drawing
