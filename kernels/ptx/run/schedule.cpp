#include <algorithm>
#include <bit>
#include <utility>

#include "kernels/ptx/run/access.h"
#include "kernels/ptx/run/grid.h"
#include "kernels/ptx/run/warp.h"

namespace warplens::ptx {
namespace {

/// Rounds of a loop that reads what others write, and changes nothing, before others get a turn.
constexpr u32 pollsPerTurn = 64;

u32 lanesWaiting(const Warp& warp) {
    u32 lanes = 0;
    for (const Waiting& waiting : warp.waiting) lanes |= waiting.path.mask;
    return lanes & warp.alive;
}

/// The last path none of whose lanes waits, or is on a path behind it.
const Step* freePath(Warp& warp) {
    u32 blocked = lanesWaiting(warp);
    for (std::size_t at = warp.paths.size(); at-- > 0;) {
        const u32 lanes = warp.paths[at].mask & warp.alive;
        if (lanes == 0) {
            warp.paths.erase(warp.paths.begin() + static_cast<std::ptrdiff_t>(at));
        } else if ((lanes & blocked) == 0) {
            const Path path = warp.paths[at];
            warp.paths.erase(warp.paths.begin() + static_cast<std::ptrdiff_t>(at));
            return warp.follow(path);
        }
        blocked |= lanes;
    }
    return nullptr;
}

/// Lanes that wait at the end of a branch for others which spin: these may wait for them, so they
/// go on by themselves.
const Step* releaseEarly(Warp& warp) {
    const u32 waiting = lanesWaiting(warp);
    u32 behind = 0;  // lanes of paths behind
    for (std::size_t at = warp.paths.size(); at-- > 0;) {
        Path& path = warp.paths[at];
        const u32 arrived = path.mask & warp.alive & ~waiting & ~behind;
        if (arrived != 0) {
            Path early = path;
            early.mask = arrived;
            path.mask &= ~arrived;
            return warp.follow(early);
        }
        behind |= path.mask;
    }
    return nullptr;
}

/// Says what is wrong with lanes that wait, at the step before the one that they go on with where
/// they have done it.
void reportWaiting(Warp& warp, const Waiting& waiting, u32 lanes, bool isDone, const Words& words) {
    const Step& next = waiting.path.code->steps[waiting.path.step];
    Finding known;
    known.isOfMask = waiting.barrier < 0;
    report(warp, *waiting.path.code, &next - (isDone ? 1 : 0), FindingKind::barrierMismatch,
           lowest(lanes), words, std::move(known));
}

/// Of a barrier that a warp's lanes must come to together: says where only some did.
bool reportPart(Warp& warp, const Waiting& waiting) {
    const u32 part = waiting.path.mask & waiting.members;
    if (part == waiting.members) return false;
    reportWaiting(warp, waiting, part, true, [&] {
        return "a barrier that " + std::to_string(std::popcount(part)) + " of a warp's " +
               std::to_string(std::popcount(waiting.members)) +
               " threads reach: __syncthreads in a branch, where the block may hang or go on too "
               "early";
    });
    return true;
}

/// Nobody of the function that runs waits for these lanes.
void leavePaths(Warp& warp, u32 lanes) {
    for (Path& path : warp.paths) {
        if (path.frame == warp.frame) path.mask &= ~lanes;
    }
}

const Step* readyPath(Warp& warp) {
    const auto ready = std::find_if(warp.waiting.begin(), warp.waiting.end(),
                                    [](const Waiting& w) { return w.isReady; });
    if (ready == warp.waiting.end()) return nullptr;
    const Path path = ready->path;
    warp.waiting.erase(ready);
    return (path.mask & warp.alive) == 0 ? resume(warp) : warp.follow(path);
}

}  // namespace

void Warp::setFrame(u32 begin, u32 end, const Code& function) {
    frame = begin;
    frameEnd = end;
    code = &function;
    banks[static_cast<std::size_t>(Bank::frame)] =
        reinterpret_cast<std::byte*>(stack.data()) + begin;
    banks[static_cast<std::size_t>(Bank::function)] =
        const_cast<std::byte*>(function.constants.data()->bytes);
}

const Step* Warp::follow(const Path& path) {
    active = path.mask & alive;
    reconverge = path.reconverge;
    if (path.frame != frame || path.code != code) setFrame(path.frame, path.frameEnd, *path.code);
    return &code->steps[path.step];
}

const Step* resume(Warp& warp) {
    if (const Step* next = freePath(warp)) return next;
    if (warp.isSpinning) {
        if (const Step* next = releaseEarly(warp)) return next;
    }
    if (const Step* next = readyPath(warp)) return next;
    warp.active = 0;
    if (warp.alive == 0) {
        warp.state = Warp::State::ended;
        return nullptr;
    }
    // Lanes that wait for others of the warp, of which none can come.
    for (Waiting& waiting : warp.waiting) {
        if (waiting.members == 0 || waiting.barrier >= 0) continue;
        reportWaiting(warp, waiting, waiting.path.mask, false, [&] {
            return "a warp intrinsic's mask names " +
                   std::to_string(std::popcount(waiting.members & warp.alive)) +
                   " lanes, of which " +
                   std::to_string(std::popcount(waiting.path.mask & warp.alive)) +
                   " come to it together";
        });
        waiting.release();
        warp.isForced = true;
        return readyPath(warp);
    }
    warp.state = Warp::State::waiting;
    return nullptr;
}

void meetAt(Warp& warp, u32 step) {
    if (step != warp.reconverge && step != noStep) warp.paths.push_back(warp.path(step));
    warp.reconverge = step;
}

const Step* diverge(Warp& warp, const Step* step, u32 taken, const Step* target) {
    const u32 meeting = step->reconverge;
    const u32 rest = warp.active & ~taken;
    meetAt(warp, meeting);
    if (step->leaving.taken) leavePaths(warp, taken);
    if (step->leaving.notTaken) leavePaths(warp, rest);
    if (target->index == meeting) {
        warp.active = rest;
        return step + 1;
    }
    warp.active = taken;
    if (step->index + 1 == meeting) return target;
    Path other = warp.path(step->index + 1);
    other.mask = rest;
    warp.paths.push_back(other);
    return target;
}

const Step* endLanes(Warp& warp) {
    warp.alive &= ~warp.active;
    BlockRun& block = *warp.block;
    block.threads -= u32(std::popcount(warp.active));
    releaseBarriers(block);
    return resume(warp);
}

const Step* leaveFunction(Warp& warp) {
    leavePaths(warp, warp.active);
    return resume(warp);
}

const Step* takeTurns(Warp& warp, const Step* target) {
    if (warp.hasChanged) {
        warp.block->quietTurns = 0;
        warp.polls = 0;
        warp.isSpinning = false;
    } else if (warp.hasPolled) {
        ++warp.polls;
    }
    warp.hasChanged = warp.hasPolled = false;
    const bool spins = std::exchange(warp.awaitsPhase, false) || warp.polls >= pollsPerTurn;
    if (--warp.budget > 0 && !spins) return target;
    if (spins) {
        warp.polls = 0;
        warp.isSpinning = true;
        warp.waiting.push_back({.path = warp.path(target->index), .isReady = true});
        const Step* next = resume(warp);
        // By itself: others of the block get their turn.
        warp.next = next;
        return nullptr;
    }
    warp.budget = jumpsPerTurn;
    ++warp.block->quietTurns;
    GridRun& grid = gridOf(warp);
    if (!grid.spend(jumpsPerTurn)) {
        if (grid.isSpent()) {
            report(warp, target, FindingKind::endlessLoop, warp.firstLane(), [&] {
                return "this loop has not ended after " + std::to_string(grid.bounds().jumps) +
                       " rounds of the launch's loops: an endless loop, or one that waits for "
                       "another thread";
            });
        } else {
            report(warp, target, FindingKind::endlessLoop, warp.firstLane(), stillRuns);
        }
        warp.state = Warp::State::ended;
        return nullptr;
    }
    warp.next = target;
    return nullptr;
}

const Step* waitForOthers(Warp& warp, const Step* step) {
    warp.isSpinning = true;
    warp.waiting.push_back({.path = warp.path(step->index), .isReady = true});
    warp.next = resume(warp);
    return nullptr;
}

void Cluster::pass() {
    u32 threads = 0;
    for (const BlockRun* block : blocks) threads += block == nullptr ? 0 : block->threads;
    if (arrived == 0 || arrived < threads) return;
    arrived = 0;
    ++phase;
}

bool meet(Warp& warp, const Step* step, u32 members) {
    members &= warp.alive;
    warp.visiting = 0;
    if (std::exchange(warp.isForced, false)) {
        warp.together = warp.active;
        return true;
    }
    u32 there = warp.active;
    for (const Waiting& waiting : warp.waiting) {
        if (waiting.members != 0 && waiting.barrier < 0 && !waiting.isReady)
            there |= waiting.path.mask & warp.alive;
    }
    if ((members & ~there) != 0) {
        warp.waiting.push_back({.path = warp.path(step->index), .members = members});
        warp.next = resume(warp);
        return false;
    }
    // Those that wait here take part, and go on together where they would meet at the same place;
    // those that wait elsewhere go on from there.
    u32 here = 0;
    std::erase_if(warp.waiting, [&](Waiting& waiting) {
        if (waiting.members == 0 || waiting.barrier >= 0 || waiting.isReady ||
            (waiting.path.mask & members) == 0)
            return false;
        waiting.isReady = true;
        waiting.members = 0;
        const bool same = waiting.path.step++ == step->index && waiting.path.code == warp.code &&
                          waiting.path.frame == warp.frame;
        const u32 lanes = waiting.path.mask & warp.alive;
        if (same && waiting.path.reconverge == warp.reconverge) {
            warp.active |= lanes;
            return true;
        }
        if (same) here |= lanes;
        return false;
    });
    warp.visiting = here;
    warp.active |= here;
    warp.together = warp.active;
    return true;
}

const Step* arrive(Warp& warp, const Step* step, u32 id, u32 threads, bool waits, u32 holds,
                   u32 whole) {
    BlockRun& block = *warp.block;
    Barrier& barrier = block.barriers[id];
    const auto lanes = u32(std::popcount(warp.active));
    barrier.arrived += lanes;
    barrier.expected = threads;
    barrier.holding += u32(std::popcount(holds & warp.active));
    barrier.without += u32(std::popcount(~holds & warp.active));
    const Step* next = step + 1;
    Waiting here{.path = warp.path(next->index), .barrier = s32(id), .members = whole};
    if (!waits) {
        reportPart(warp, here);
    } else {
        // Lanes that came before, and from here on go together.
        const auto same = std::ranges::find_if(warp.waiting, [&](const Waiting& other) {
            return other.barrier == here.barrier && other.path.isSameAs(here.path);
        });
        if (same != warp.waiting.end())
            same->path.mask |= here.path.mask;
        else
            warp.waiting.push_back(here);
    }
    warp.isSpinning = false;
    releaseBarriers(block);
    return waits ? resume(warp) : next;
}

/// Lanes that came to a barrier in calls of their own meet where these go back to.
void joinCallers(Warp& warp) {
    std::vector<Path>& paths = warp.paths;
    for (std::size_t at = 1; at < paths.size(); ++at) {
        const Path& path = paths[at];
        // Not beyond what its lanes do before they come there.
        for (std::size_t other = at; other-- > 0;) {
            Path& below = paths[other];
            if (below.isSameAs(path)) {
                below.mask |= path.mask;
                paths.erase(paths.begin() + static_cast<std::ptrdiff_t>(at--));
                break;
            }
            if ((below.mask & path.mask) != 0) break;
        }
    }
}

void releaseBarriers(BlockRun& block) {
    for (u32 id = 0; id < block.barriers.size(); ++id) {
        Barrier& barrier = block.barriers[id];
        if (barrier.arrived == 0) continue;
        const u32 needed = barrier.expected != 0 ? barrier.expected : block.threads;
        if (barrier.arrived < needed) continue;
        const bool isWhole = barrier.arrived >= block.threads;
        for (Warp& warp : block.warps) {
            u32 parts = 0;
            for (Waiting& waiting : warp.waiting) {
                if (waiting.barrier != s32(id)) continue;
                ++parts;
                reportPart(warp, waiting);
                waiting.release();
                warp.barrierThreads = barrier.holding;
                warp.barrierResult =
                    (barrier.without == 0 ? 1u : 0u) | (barrier.holding != 0 ? 2u : 0u);
                if (warp.state == Warp::State::waiting) warp.state = Warp::State::ready;
            }
            if (parts > 1) joinCallers(warp);
        }
        barrier = {};
        if (isWhole) ++block.phase;
        block.worker->grid().tell(&Observer::onBarrier, block);
    }
}

bool breakDeadlock(BlockRun& block) {
    bool found = false;
    // Lanes at the end of a branch wait for others at a barrier, which may wait for them.
    for (Warp& warp : block.warps) {
        if (warp.state != Warp::State::waiting) continue;
        if (const Step* next = releaseEarly(warp)) {
            warp.next = next;
            warp.state = Warp::State::ready;
            found = true;
        }
    }
    if (found) return true;
    for (Warp& warp : block.warps) {
        for (Waiting& waiting : warp.waiting) {
            if (waiting.barrier < 0) continue;
            if (!found && !reportPart(warp, waiting)) {
                reportWaiting(warp, waiting, waiting.path.mask, true, [&] {
                    const Barrier& barrier = block.barriers[waiting.barrier];
                    return "a barrier that " + std::to_string(barrier.arrived) +
                           " threads reach, and that waits for " +
                           std::to_string(barrier.expected != 0 ? barrier.expected : block.threads);
                });
            }
            found = true;
            waiting.release();
            warp.state = Warp::State::ready;
        }
    }
    for (Barrier& barrier : block.barriers) barrier = {};
    return found;
}

void warpSynced(Warp& warp, u32 lanes) {
    gridOf(warp).tell(&Observer::onWarpSync, warp, lanes);
}

}  // namespace warplens::ptx
