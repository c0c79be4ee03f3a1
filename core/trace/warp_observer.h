#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/access/shared_access.h"
#include "core/launch/mapping.h"

namespace warplens::trace {

/// Accesses to global memory, then those to shared memory.
enum class EventKind : std::uint8_t {
    load,
    store,
    atomic,
    sharedLoad,
    sharedStore,
    sharedAtomic,
    branch,
};
constexpr std::array<std::string_view, 7> namesOf(EventKind /*kind*/) {
    return {"load", "store", "atomic", "shared_load", "shared_store", "shared_atomic", "branch"};
}
[[nodiscard]] constexpr bool isGlobal(EventKind kind) {
    return kind <= EventKind::atomic;
}
[[nodiscard]] constexpr bool isAtomic(EventKind kind) {
    return kind == EventKind::atomic || kind == EventKind::sharedAtomic;
}
[[nodiscard]] constexpr SharedKind sharedKindOf(EventKind kind) {
    if (isAtomic(kind)) return SharedKind::atomic;
    return kind == EventKind::sharedStore ? SharedKind::store : SharedKind::load;
}

/// Where an array's first element stands in the trace's own address space. Like cudaMalloc's
/// results, these are multiples of 256 and far apart.
[[nodiscard]] constexpr std::uint64_t baseAddress(std::uint16_t subject) {
    return std::uint64_t{subject + 1u} << 40;
}

/// Where an array lies in its block's shared memory.
struct SharedPlace final {
    std::uint32_t offset = 0;
    std::uint32_t elementBytes = 0;
    std::uint32_t columns = 0;  ///< of one row; 0 where the array has one extent
    friend bool operator==(const SharedPlace&, const SharedPlace&) = default;
};

/// One warp-level access: the same place of the program, for all lanes that came to it together.
struct WarpRequest final {
    EventKind kind;         ///< one of the accesses
    std::uint16_t subject;  ///< which global, or which shared array
    std::uint32_t line;
    std::uint32_t bytes;                       ///< for each lane
    std::uint32_t activeLanes;                 ///< bit i: lane i
    std::span<const std::uint64_t> addresses;  ///< of the active lanes, in lane order
};

/// One warp coming to a condition that is named.
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

}  // namespace warplens::trace
