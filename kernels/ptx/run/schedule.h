#pragma once

#include <cstdint>

#include "kernels/ptx/run/warp.h"

namespace warplens::ptx {

/// Jumps back, and calls, before others get a turn.
inline constexpr std::int64_t jumpsPerTurn = 1 << 14;

/// What the warp's lanes do next once those that were active have nothing more to do: the path to
/// go on with, or null where all of them wait or have ended (`Warp::state`).
const Step* resume(Warp& warp);

/// Lanes go different ways at `step`: `taken` to `target`, the others to the next step. They meet
/// again at `step->reconverge`.
const Step* diverge(Warp& warp, const Step* step, std::uint32_t taken, const Step* target);

/// The active lanes, which are about to part, meet again at the step with that index.
void meetAt(Warp& warp, std::uint32_t step);

/// The active lanes end.
const Step* endLanes(Warp& warp);
/// The active lanes go back to where their function was called from: nobody meets them in it.
const Step* leaveFunction(Warp& warp);

/// A jump back: others get a turn now and then.
const Step* takeTurns(Warp& warp, const Step* target);

/// The active lanes come to this step again when others had a turn.
const Step* waitForOthers(Warp& warp, const Step* step);

/// Waits until `members` have come to an intrinsic of the warp; lanes that have ended do not count.
/// Where they have, `Warp::together` are those of them that take part, and lanes that wait at this
/// very step are active for it. False where the warp goes on with `Warp::next` instead.
bool meet(Warp& warp, const Step* step, std::uint32_t members);
/// Behind a step that met others.
inline void part(Warp& warp) {
    warp.active &= ~warp.visiting;
    warp.visiting = 0;
}

/// The active lanes come to a barrier of the block, which waits for `threads` (0: all that have not
/// ended), and wait there unless they only arrive. `holds`: lanes for which a reduction's predicate
/// does. `whole`: lanes of the warp that must come to this step, too; 0: any may.
const Step* arrive(Warp& warp, const Step* step, std::uint32_t barrier, std::uint32_t threads,
                   bool waits, std::uint32_t holds, std::uint32_t whole);
/// Goes through the barriers for which nobody has to be waited any longer.
void releaseBarriers(BlockRun& block);
/// No warp of the block can go on: says so, and lets those go that wait at a barrier. False where
/// none does.
bool breakDeadlock(BlockRun& block);

/// Says to the observers that lanes met at `__syncwarp`.
void warpSynced(Warp& warp, std::uint32_t lanes);

}  // namespace warplens::ptx
