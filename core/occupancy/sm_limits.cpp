#include "core/occupancy/sm_limits.h"

#include <algorithm>

namespace warplens {

const SmLimits* findSmLimits(ComputeCapability capability) {
    const auto found = std::ranges::find(allSmLimits(), capability, &SmLimits::capability);
    return found == allSmLimits().end() ? nullptr : &*found;
}

const SmLimits& smLimitsNamed(std::string_view text) {
    if (const auto capability = parseComputeCapability(text)) {
        if (const SmLimits* limits = findSmLimits(*capability)) return *limits;
    }
    std::string known;
    for (const SmLimits& limits : allSmLimits()) known += ' ' + toString(limits.capability);
    throw InvalidRequest({{"compute capability", "'" + std::string(text) + "'", "one of" + known}});
}

SmLimits asTheOtherSourceSays(const SmLimits& limits) {
    SmLimits other = limits;
    other.*limits.unsettled->limit = limits.unsettled->otherValue;
    return other;
}

LaunchLimits launchLimitsOf(const SmLimits& limits) {
    // Grids: CUDA C Programming Guide, Technical Specifications per Compute Capability.
    const bool longGrids = limits.capability >= ComputeCapability{3, 0};
    const bool deepGrids = limits.capability >= ComputeCapability{2, 0};
    return {.grid = {longGrids ? 2147483647u : 65535u, 65535u, deepGrids ? 65535u : 1u},
            .block = {limits.threadsPerBlock, limits.threadsPerBlock, 64u},
            .threadsPerBlock = limits.threadsPerBlock,
            .dynamicSharedBytes = limits.sharedBytesPerBlockOptIn};
}

}  // namespace warplens
