#include "kernels/trace/runtime/block.h"

#include <algorithm>

#include "kernels/trace/runtime/lane_variables.h"
#include "kernels/trace/runtime/launch_state.h"
#include "kernels/trace/runtime/memory.h"
#include "kernels/trace/runtime/races.h"
#include "kernels/trace/runtime/steps.h"

namespace warplens::runtime {
namespace {

std::uint32_t nextTag = 0;

std::string threadsText(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " thread" : " threads");
}

}  // namespace

BlockRun::BlockRun(Extents extents) {
    lanes_.resize(extents.count());
    Index3 at;
    for (Lane& lane : lanes_) {
        lane.thread = at;
        if (++at.x == extents.x) {
            at.x = 0;
            if (++at.y == extents.y) {
                at.y = 0;
                ++at.z;
            }
        }
    }
    for (std::size_t first = 0; first < lanes_.size(); first += 32) {
        const auto count =
            static_cast<std::uint32_t>(std::min<std::size_t>(32, lanes_.size() - first));
        warps_.emplace_back(&lanes_[first], count, static_cast<std::uint32_t>(first / 32));
    }
}

void BlockRun::begin(Index3 block) {
    block_ = block;
    tag_ = ++nextTag * 4;  // two bits for races.cpp
    told_ = false;
    shared_.clear();
    for (Lane& lane : lanes_) {
        lane.state = LaneState::unstarted;
        lane.vote = 0;
    }
    for (Warp& warp : warps_) warp.begin();
    beginBlockOfRaces();
}

bool BlockRun::ended() const {
    return std::all_of(lanes_.begin(), lanes_.end(),
                       [](const Lane& lane) { return lane.state == LaneState::ended; });
}

void BlockRun::advance() {
    blockIdx = {block_.x, block_.y, block_.z};
    launchState.block = block_;
    launchState.blockTag = tag_;
    recordStepsOfBlock();
    restoreSharedMemory(shared_);
    while (!launchState.failed) {
        for (std::size_t i = 0; i < warps_.size(); ++i) {
            warps_[laneProgram.inTurns ? warps_.size() - 1 - i : i].advance();
            if (launchState.failed) return;
        }
        const auto waits = [](const Lane& lane) { return lane.state == LaneState::atBarrier; };
        if (std::none_of(lanes_.begin(), lanes_.end(), waits)) break;
        passBarrier();
    }
    if (!ended()) shared_ = copyOfSharedMemory();
}

void BlockRun::passBarrier() {
    std::size_t waiting = 0;
    std::size_t gone = 0;
    std::size_t elsewhere = 0;
    const Lane* first = nullptr;
    for (const Lane& lane : lanes_) {
        if (lane.state == LaneState::ended) ++gone;
        if (lane.state != LaneState::atBarrier) {
            elsewhere += lane.state == LaneState::ended ? 0 : 1;
            continue;
        }
        ++waiting;
        if (first == nullptr) first = &lane;
        if (laneProgram.mode != RunMode::traced || lane.waitSite == first->waitSite) continue;
        const SourcePlace here = placeOf(lane.waitSite);
        const SourcePlace there = placeOf(first->waitSite);
        if (!(here == there)) {
            addFinding(FindingKind::barrierMismatch,
                       "this thread waits at a barrier while thread (" +
                           std::to_string(first->thread.x) + ", " +
                           std::to_string(first->thread.y) + ", " +
                           std::to_string(first->thread.z) + ") waits at the one of line " +
                           std::to_string(there.line),
                       lane.waitSite, &lane.thread);
        }
    }
    if (gone + elsewhere != 0 && !told_ && laneProgram.mode == RunMode::traced) {
        told_ = true;
        addFinding(FindingKind::barrierMismatch,
                   threadsText(waiting) + " of the block wait at a barrier that " +
                       threadsText(gone + elsewhere) +
                       (gone != 0 ? " never reach: they have returned" : " do not reach"),
                   first->waitSite, &first->thread);
    }
    passBlockBarrier(lanes_);
    beginBarrierInterval();
}

void BlockRun::passGridBarrier() {
    for (Lane& lane : lanes_) {
        if (lane.state == LaneState::atGridBarrier) lane.state = LaneState::runnable;
    }
    beginBarrierInterval();
}

}  // namespace warplens::runtime
