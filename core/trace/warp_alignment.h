#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/launch/mapping.h"
#include "core/trace/lane_recorder.h"

namespace warplens::trace {

/// One warp-level access: the same place of the program, for all lanes that came to it together.
struct WarpRequest final {
    EventKind kind;         ///< one of the accesses
    std::uint16_t subject;  ///< which global, or which shared array
    std::uint32_t line;
    std::uint32_t bytes;                       ///< for each lane
    std::uint32_t activeLanes;                 ///< bit i: lane i
    std::span<const std::uint64_t> addresses;  ///< of the active lanes, in lane order
};

/// One warp coming to a marked branch, or to a marked loop's condition.
struct WarpBranch final {
    const char* name;
    std::uint32_t line;
    std::uint32_t activeLanes;
    std::uint32_t takenLanes;  ///< subset of activeLanes
};

/// One warp beginning a round of a loop; told only where rounds are recorded.
struct WarpRound final {
    std::uint32_t line;
    std::int64_t value;  ///< of the loop's variable, in the first of the lanes
    std::uint32_t activeLanes;
};

/// Receives what a warp does, in the order in which it would be issued.
class WarpObserver {
  public:
    virtual ~WarpObserver() = default;
    virtual void onRequest(const WarpRequest& request) = 0;
    virtual void onBranch(const WarpBranch& branch) = 0;
    virtual void onRound(const WarpRound&) {}
};

/// Puts the events of the lanes of one warp (1 to 32) together into warp requests.
///
/// Lanes move in step while they stand at the same place of the program. At a marked branch they
/// part, the taken arm first, and meet again at its end; at a marked loop they go round together
/// until the last has left. Where lanes part without a mark, those at
/// the earliest line go first until they catch up: this is what the hardware's reconvergence does
/// for structured code. Cost: linear in the number of events.
void alignWarp(std::span<const std::span<const Event>> lanes, WarpObserver& observer);

}  // namespace warplens::trace
