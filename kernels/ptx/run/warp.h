#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "core/launch/extents.h"
#include "kernels/ptx/run/step.h"

namespace warplens::ptx {

class Worker;
struct BlockRun;

/// Lanes of a warp that go one way, and where they go on. They meet the others at `reconverge`.
struct Path final {
    std::uint32_t step = noStep;
    std::uint32_t reconverge = noStep;
    std::uint32_t mask = 0;
    std::uint32_t frame = 0;     ///< where the function's values begin in the stack
    std::uint32_t frameEnd = 0;  ///< and end
    const Code* code = nullptr;

    /// Whether lanes of both go the same way on.
    [[nodiscard]] bool isSameAs(const Path& other) const {
        return step == other.step && code == other.code && frame == other.frame &&
               reconverge == other.reconverge;
    }
};

/// Lanes that wait: for a barrier of the block, for other lanes of the warp, or for their next
/// turn.
struct Waiting final {
    Path path;
    std::int32_t barrier = -1;  ///< of the block
    std::uint32_t members = 0;  ///< lanes of the warp that must come to the step, too; 0: none
    bool isReady = false;
};

/// A warp while it runs: 32 lanes in step, those that are active.
class Warp final {
  public:
    enum class State : std::uint8_t { ready, waiting, ended };
    std::array<std::byte*, bankCount> banks{};
    std::uint32_t active = 0;
    std::uint32_t alive = 0;
    std::uint32_t reconverge = noStep;
    SiteState* sites = nullptr;  ///< of all code of the launch
    bool isObserved = false;     ///< accesses are handed to the run's observers
    /// Addresses of the request that runs, inactive lanes at the first active one's.
    alignas(64) std::array<std::uint64_t, lanesPerWarp> addresses{};

    BlockRun* block = nullptr;
    std::byte* shared = nullptr;  ///< the block's memory
    const Code* code = nullptr;
    const Step* next = nullptr;
    std::uint32_t rank = 0;     ///< in its block
    std::uint32_t initial = 0;  ///< lanes that have a thread
    State state = State::ready;
    std::vector<Path> paths;  ///< the last runs next
    std::vector<Waiting> waiting;
    std::vector<CacheLine> stack;  ///< frames, one above the other
    std::uint32_t frame = 0;       ///< where the current one begins
    std::uint32_t frameEnd = 0;
    std::uint32_t guarded = 0;        ///< active lanes before a guard
    std::int64_t budget = 0;          ///< jumps back before others get a turn
    std::uint32_t carries = 0;        ///< of `add.cc`
    std::uint32_t barrierResult = 0;  ///< lanes for which the reduction of a barrier held
    std::uint32_t barrierThreads = 0;
    std::uint32_t together = 0;  ///< lanes that a warp intrinsic is of
    std::uint32_t visiting = 0;  ///< active for one step only: they wait at the same one
    bool isForced = false;       ///< nobody else can come: the next intrinsic waits for none
    std::vector<CacheLine>
        returned;              ///< results of calls, words of 32 lanes; a lane has one call at most
    bool hasPolled = false;    ///< since the last jump back: it looked at memory that others change
    bool hasChanged = false;   ///< it changed memory
    bool awaitsPhase = false;  ///< of a barrier object, which others have to come to
    std::uint32_t polls = 0;   ///< rounds of a loop that looked and changed nothing
    std::uint32_t clusterPhase = 0;  ///< of the cluster's barrier when lanes arrived at it
    bool isElsewhere = false;        ///< the last request was of another block's shared memory
    bool isSpinning = false;         ///< it waits, in a loop, for what others do

    template <class T>
    [[nodiscard]] T* value(Slot slot) const {
        return reinterpret_cast<T*>(__builtin_assume_aligned(banks[slot.bank] + slot.offset, 64));
    }
    [[nodiscard]] std::uint32_t predicate(Slot slot) const { return *value<std::uint32_t>(slot); }
    void setPredicate(Slot slot, std::uint32_t lanes) const {
        std::uint32_t& word = *value<std::uint32_t>(slot);
        word = (word & ~active) | (lanes & active);
    }
    [[nodiscard]] std::uint32_t firstLane() const {
        return static_cast<std::uint32_t>(std::countr_zero(active));
    }
    [[nodiscard]] Path path(std::uint32_t at) const {
        return {at, reconverge, active, frame, frameEnd, code};
    }
    /// Goes on with the path.
    const Step* follow(const Path& path);
    void setFrame(std::uint32_t begin, std::uint32_t end, const Code& function);
};

/// One of a block's 16 barriers.
struct Barrier final {
    std::uint32_t arrived = 0;   ///< threads, those included that can no longer come
    std::uint32_t expected = 0;  ///< threads; 0: all of the block that have not ended
    std::uint32_t holding = 0;   ///< threads for which a reduction's predicate held
    std::uint32_t without = 0;   ///< and those for which it did not
};

/// Blocks that run together, and may use one another's shared memory.
struct Cluster final {
    std::vector<BlockRun*> blocks;  ///< by rank; null once one has ended
    std::uint32_t arrived = 0;      ///< threads at the barrier of all
    std::uint32_t phase = 0;
    /// Goes through the barrier where nobody has to be waited for.
    void pass();
};

/// A block while it runs.
struct BlockRun final {
    Worker* worker = nullptr;
    Index3 index;
    std::uint64_t rank = 0;  ///< of the block in its grid, x first
    std::vector<Warp> warps;
    std::vector<CacheLine> shared;
    std::vector<CacheLine> values;  ///< the block's bank
    std::array<Barrier, 16> barriers{};
    std::uint32_t threads = 0;  ///< that have not ended
    std::uint32_t phase = 0;    ///< barriers of all threads that were passed
    std::uint64_t clock = 0;
    std::shared_ptr<Cluster> cluster;  ///< null where the launch has none
    std::uint32_t rankInCluster = 0;
    std::uint32_t quietTurns = 0;  ///< of its warps, in which none of them changed memory

    /// A time stamp: later than the one before.
    std::uint64_t tick() { return clock += 40; }
};

/// Calls `use(lane)` for each lane of the mask.
template <class Use>
inline void forEachLane(std::uint32_t mask, Use use) {
    for (; mask != 0; mask &= mask - 1) use(static_cast<std::uint32_t>(std::countr_zero(mask)));
}

/// Lanes by which vector code chooses.
alignas(64) inline constexpr std::array<std::uint32_t, lanesPerWarp> laneBits = [] {
    std::array<std::uint32_t, lanesPerWarp> bits{};
    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) bits[lane] = 1u << lane;
    return bits;
}();

/// Writes `values` for the active lanes.
template <class T>
inline void store(Warp& warp, Slot slot, const T* values) {
    T* to = warp.value<T>(slot);
    if (warp.active == allLanes) {
        std::memcpy(to, values, sizeof(T) * lanesPerWarp);
        return;
    }
    const std::uint32_t active = warp.active;
    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
        to[lane] = (active & laneBits[lane]) != 0 ? values[lane] : to[lane];
    }
}

// What the lanes of a warp, and the warps of a block, do next.

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
