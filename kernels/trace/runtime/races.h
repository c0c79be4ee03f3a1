#pragma once

#include <cstdint>

#include "kernels/trace/runtime/memory.h"
#include "kernels/trace/runtime/tally.h"

/// Who wrote and read which word, for races and for memory that nobody wrote.
namespace warplens::runtime {

/// A barrier was passed by the whole block; or a block begins.
void beginBarrierInterval();
void beginBlockOfRaces();
/// Lanes of the warp passed a warp intrinsic or ran in lockstep: what they did before is ordered.
void beginWarpInterval(std::uint32_t warp);

void checkSharedAccess(const Place& place, std::uint32_t site, Array& array,
                       const std::uint64_t* addresses, std::uint32_t mask, std::uint32_t warp,
                       const Lane* lanes);
void checkGlobalAccess(const Place& place, std::uint32_t site, Array& array,
                       const std::uint64_t* addresses, std::uint32_t mask, const Lane* lanes);
void clearRaces();
/// All blocks passed a barrier of the grid.
void clearGlobalRaces();

}  // namespace warplens::runtime
