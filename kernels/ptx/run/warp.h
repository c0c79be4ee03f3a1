#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

#include "core/launch/launch.h"
#include "kernels/ptx/run/step.h"

namespace warplens::ptx {

class Worker;
struct BlockRun;

/// Lanes of a warp that go one way, and where they go on. They meet the others at `reconverge`.
struct Path final {
    u32 step = noStep;
    u32 reconverge = noStep;
    u32 mask = 0;
    u32 frame = 0;     ///< where the function's values begin in the stack
    u32 frameEnd = 0;  ///< and end
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
    s32 barrier = -1;  ///< of the block
    u32 members = 0;   ///< lanes of the warp that must come to the step, too; 0: none
    bool isReady = false;

    /// Nobody is waited for any longer.
    void release() {
        barrier = -1;
        members = 0;
        isReady = true;
    }
};

/// A warp while it runs: 32 lanes in step, those that are active.
class Warp final {
  public:
    enum class State : u8 { ready, waiting, ended };
    std::array<std::byte*, bankCount> banks{};
    u32 active = 0;
    u32 alive = 0;
    u32 reconverge = noStep;
    SiteState* sites = nullptr;  ///< of all code of the launch
    bool isObserved = false;     ///< accesses are handed to the run's observers
    /// Addresses of the request that runs, inactive lanes at the first active one's.
    alignas(64) std::array<u64, lanesPerWarp> addresses{};

    BlockRun* block = nullptr;
    std::byte* shared = nullptr;  ///< the block's memory
    const Code* code = nullptr;
    const Step* next = nullptr;
    u32 rank = 0;     ///< in its block
    u32 initial = 0;  ///< lanes that have a thread
    State state = State::ready;
    std::vector<Path> paths;  ///< the last runs next
    std::vector<Waiting> waiting;
    std::vector<CacheLine> stack;  ///< frames, one above the other
    u32 frame = 0;                 ///< where the current one begins
    u32 frameEnd = 0;
    u32 guarded = 0;        ///< active lanes before a guard
    s64 budget = 0;         ///< jumps back before others get a turn
    u32 carries = 0;        ///< of `add.cc`
    u32 barrierResult = 0;  ///< lanes for which the reduction of a barrier held
    u32 barrierThreads = 0;
    u32 together = 0;       ///< lanes that a warp intrinsic is of
    u32 visiting = 0;       ///< active for one step only: they wait at the same one
    bool isForced = false;  ///< nobody else can come: the next intrinsic waits for none
    std::vector<CacheLine>
        returned;            ///< results of calls, words of 32 lanes; a lane has one call at most
    bool hasPolled = false;  ///< since the last jump back: it looked at memory that others change
    const Step* polled = nullptr;  ///< where it last did so, a load
    bool hasChanged = false;       ///< it changed memory
    bool awaitsPhase = false;      ///< of a barrier object, which others have to come to
    u32 polls = 0;                 ///< rounds of a loop that looked and changed nothing
    u32 clusterPhase = 0;          ///< of the cluster's barrier when lanes arrived at it
    bool isElsewhere = false;      ///< the last request was of another block's shared memory
    bool isSpinning = false;       ///< it waits, in a loop, for what others do

    template <class T>
    [[nodiscard]] T* value(Slot slot) const {
        return reinterpret_cast<T*>(__builtin_assume_aligned(banks[slot.bank] + slot.offset, 64));
    }
    [[nodiscard]] u32 predicate(Slot slot) const { return *value<u32>(slot); }
    void setPredicate(Slot slot, u32 lanes) const {
        u32& word = *value<u32>(slot);
        word = (word & ~active) | (lanes & active);
    }
    [[nodiscard]] u32 firstLane() const { return lowest(active); }
    [[nodiscard]] Path path(u32 at) const {
        return {at, reconverge, active, frame, frameEnd, code};
    }
    /// Goes on with the path.
    const Step* follow(const Path& path);
    void setFrame(u32 begin, u32 end, const Code& function);
};

/// One of a block's 16 barriers.
struct Barrier final {
    u32 arrived = 0;   ///< threads, those included that can no longer come
    u32 expected = 0;  ///< threads; 0: all of the block that have not ended
    u32 holding = 0;   ///< threads for which a reduction's predicate held
    u32 without = 0;   ///< and those for which it did not
};

/// Blocks that run together, and may use one another's shared memory.
struct Cluster final {
    std::vector<BlockRun*> blocks;  ///< by rank; null once one has ended
    u32 arrived = 0;                ///< threads at the barrier of all
    u32 phase = 0;
    /// Goes through the barrier where nobody has to be waited for.
    void pass();
};

/// A block while it runs.
struct BlockRun final {
    Worker* worker = nullptr;
    Index3 index;
    u64 rank = 0;  ///< of the block in its grid, x first
    std::vector<Warp> warps;
    std::vector<CacheLine> shared;
    std::vector<CacheLine> values;  ///< the block's bank
    std::array<Barrier, 16> barriers{};
    u32 threads = 0;  ///< that have not ended
    u32 phase = 0;    ///< barriers of all threads that were passed
    u64 clock = 0;
    std::shared_ptr<Cluster> cluster;  ///< its own where the launch has none
    u32 rankInCluster = 0;
    u32 quietTurns = 0;  ///< of its warps, in which none of them changed memory

    /// A time stamp: later than the one before.
    u64 tick() { return clock += 40; }
};

/// Calls `use(lane)` for each lane of the mask.
template <class Use>
inline void forEachLane(u32 mask, Use use) {
    for (; mask != 0; mask &= mask - 1) use(lowest(mask));
}

/// Lanes by which vector code chooses.
alignas(64) inline constexpr std::array<u32, lanesPerWarp> laneBits = [] {
    std::array<u32, lanesPerWarp> bits{};
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) bits[lane] = 1u << lane;
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
    const u32 active = warp.active;
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        to[lane] = (active & laneBits[lane]) != 0 ? values[lane] : to[lane];
    }
}

// What the lanes of a warp, and the warps of a block, do next.

/// Jumps back, and calls, before others get a turn.
inline constexpr s64 jumpsPerTurn = 1 << 14;

/// What the warp's lanes do next once those that were active have nothing more to do: the path to
/// go on with, or null where all of them wait or have ended (`Warp::state`).
const Step* resume(Warp& warp);

/// Lanes go different ways at `step`: `taken` to `target`, the others to the next step. They meet
/// again at `step->reconverge`.
const Step* diverge(Warp& warp, const Step* step, u32 taken, const Step* target);

/// The active lanes, which are about to part, meet again at the step with that index.
void meetAt(Warp& warp, u32 step);

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
bool meet(Warp& warp, const Step* step, u32 members);
/// Behind a step that met others.
inline void part(Warp& warp) {
    warp.active &= ~warp.visiting;
    warp.visiting = 0;
}

/// The active lanes come to a barrier of the block, which waits for `threads` (0: all that have not
/// ended), and wait there unless they only arrive. `holds`: lanes for which a reduction's predicate
/// does. `whole`: lanes of the warp that must come to this step, too; 0: any may.
const Step* arrive(Warp& warp, const Step* step, u32 barrier, u32 threads, bool waits, u32 holds,
                   u32 whole);
/// Goes through the barriers for which nobody has to be waited any longer.
void releaseBarriers(BlockRun& block);
/// No warp of the block can go on: says so, and lets those go that wait at a barrier. False where
/// none does.
bool breakDeadlock(BlockRun& block);

/// Says to the observers that lanes met at `__syncwarp`.
void warpSynced(Warp& warp, u32 lanes);

}  // namespace warplens::ptx
