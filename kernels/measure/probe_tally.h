#pragma once

#include <cstdint>
#include <string_view>

/// What the probe counts into, shared by the host and the device.
namespace warplens::probe {

inline constexpr int mostArrays = 6;
inline constexpr int mostShared = 2;
inline constexpr int mostBranches = 4;
inline constexpr int mostWarps = 32;

using Count = unsigned long long;  // what atomicAdd takes

/// Mirror AccessTally, SharedTally and BranchTally (core/access/tally.h).
struct Accesses {
    Count requests, sectors, idealSectors, uniqueBytes, requestedBytes;
};
struct SharedAccesses {
    Count requests, wavefronts, idealWavefronts;
};
struct Branches {
    Count executed, divergent, lanes, takenLanes;
};
struct Tally {
    Accesses loads[mostArrays];
    Accesses stores[mostArrays];
    SharedAccesses shared[mostShared];
    Branches branches[mostBranches];
};
inline constexpr int tallyCounts = sizeof(Tally) / sizeof(Count);

/// What the host hands to a probed kernel.
struct Context {
    Tally* total;
    std::uint32_t sharedIds[mostShared];
    std::uint32_t branchIds[mostBranches];
};

/// A name as a number: 32-bit FNV-1a.
constexpr std::uint32_t nameId(std::string_view name) {
    std::uint32_t hash = 2166136261u;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return hash;
}

}  // namespace warplens::probe
