#pragma once

#include <cstdint>
#include <span>

namespace warplens::runtime {

/// What one request by the lanes of a warp costs.
struct RequestCost final {
    std::uint32_t requests = 1;  ///< more for what machine code does in several accesses
    std::uint32_t sectors = 0;
    std::uint32_t idealSectors = 0;
    std::uint32_t uniqueBytes = 0;
    std::uint32_t wavefronts = 0;
    std::uint32_t idealWavefronts = 0;
    std::uint32_t sameAddress = 0;  ///< most lanes at one address
};

/// Addresses of the lanes of one request in lane order, and which lanes they are.
struct LaneAddresses final {
    std::span<const std::uint64_t> addresses;
    std::uint32_t lanes = 0;  ///< bit mask
};

/// An access to global memory, of any alignment: distinct 32-byte sectors (CUDA Programming Guide,
/// "Coalesced Global Memory Access").
[[nodiscard]] RequestCost globalCost(const LaneAddresses& lanes, std::uint32_t bytes);

/// An access to shared memory: 8 and 16 bytes are served by half and quarter warps, each as
/// core/access/shared_access.h has it.
[[nodiscard]] RequestCost sharedCost(const LaneAddresses& lanes, std::uint32_t bytes, bool atomic);

}  // namespace warplens::runtime
