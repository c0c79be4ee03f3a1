#include "kernels/ptx/check/order.h"

#include <algorithm>

#include "kernels/ptx/run/warp.h"

namespace warplens::ptx::check {

void Order::begin(Stamp serial, std::size_t warps) {
    serial_ = serial;
    time_ = barrier_ = 1;
    warps_.resize(warps);
    for (OfWarp& warp : warps_) {
        warp.met = 0;
        warp.known.reset();
    }
}

void Order::startAgain() {
    begin(serial_, warps_.size());
}

void Order::syncWarp(std::uint32_t warp, std::uint32_t lanes, std::uint32_t alive) {
    OfWarp& of = warps_[warp];
    const Stamp now = next();
    if (lanes == alive) {
        of.met = now;
        return;
    }
    if (!of.known) of.known = std::make_unique<Known>();
    std::array<Stamp, lanesPerWarp> together{};
    forEachLane(lanes, [&](std::uint32_t lane) {
        for (std::uint32_t other = 0; other < lanesPerWarp; ++other)
            together[other] = std::max(together[other], (*of.known)[lane][other]);
    });
    forEachLane(lanes, [&](std::uint32_t lane) { together[lane] = now; });
    forEachLane(lanes, [&](std::uint32_t lane) { (*of.known)[lane] = together; });
}

Stamp Order::orderedFloor(std::uint32_t warp) const {
    return floor() | std::max(barrier_, warps_[warp].met) << timeShift;
}

bool Order::isBefore(Stamp stamp, std::uint32_t thread) const {
    if (stamp < orderedFloor() || whoOf(stamp) == thread) return true;
    const std::uint32_t warp = thread / lanesPerWarp;
    if (warpOf(whoOf(stamp)) != warp) return false;
    if (stamp < orderedFloor(warp)) return true;
    const auto& known = warps_[warp].known;
    if (!known) return false;
    const std::uint32_t lane = thread % lanesPerWarp;
    // Of several lanes it is not known which: those with which it met.
    const std::uint32_t other = whoOf(stamp) >= lanesOfWarp
                                    ? lane
                                    : static_cast<std::uint32_t>(whoOf(stamp)) % lanesPerWarp;
    return timeOf(stamp) < (*known)[lane][other];
}

}  // namespace warplens::ptx::check
