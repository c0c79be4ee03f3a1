#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/launch/extents.h"
#include "core/launch/limit_violation.h"

namespace warplens {

/// What stands between <<< and >>>.
struct Launch final {
    Extents grid;
    Extents block;
    std::uint32_t dynamicSharedBytes = 0;
    friend constexpr bool operator==(const Launch&, const Launch&) = default;

    /// Threads of the whole grid, exact up to 2^64-1 and that value beyond it.
    [[nodiscard]] constexpr std::uint64_t threadCount() const {
        const std::uint64_t perBlock = block.count();
        const std::uint64_t blocks = grid.count();
        if (perBlock != 0 && blocks > UINT64_MAX / perBlock) return UINT64_MAX;
        return blocks * perBlock;
    }
};

void describe(Archive& v, Launch& launch);

/// What a device accepts. The defaults hold for every compute capability from 3.0 on
/// (CUDA Programming Guide, "Compute Capabilities", technical specifications).
struct LaunchLimits final {
    Extents grid{2147483647u, 65535u, 65535u};
    Extents block{1024u, 1024u, 64u};
    std::uint32_t threadsPerBlock = 1024;
    std::uint32_t dynamicSharedBytes = 48 * 1024;
    friend constexpr bool operator==(const LaunchLimits&, const LaunchLimits&) = default;
};

/// Every broken limit, in the order grid x y z, block x y z, threads per block, shared memory;
/// empty when CUDA would accept the launch.
[[nodiscard]] std::vector<LimitViolation> validate(const Launch& launch,
                                                   const LaunchLimits& limits = {});

/// `<<<dim3(32, 32), dim3(16, 16)>>>` as it would stand in CUDA C++.
[[nodiscard]] std::string toLaunchSyntax(const Launch& launch);

}  // namespace warplens
